package compute

import "llmsize/core/model"

// Piece is what one tensor, or one part's scores, adds to a pass: for whoever takes its sums apart.
type Piece struct {
	Block  *model.Block
	Kind   *model.Kind
	Part   *model.Part
	Tensor *model.Tensor // nil where the piece is a part's scores
	Tokens int64         // that the tensor multiplies in a sequence
	Pairs  float64       // of queries and keys that scores multiply in a sequence
	Width  int64         // numbers of a head's query and value that a pair is multiplied with
	FLOPs  float64       // in all layers and sequences
}

// Products are the products with each tensor of one operation in a pass.
func Products(m *model.Model, q Pass, op model.Op) []Piece {
	return pieces(m, q, func(x Piece, add func(x Piece, each float64)) {
		for i := range x.Part.Tensors {
			if t := &x.Part.Tensors[i]; t.Op == op && !t.Buffer {
				x.Tensor, x.Tokens = t, q.tokens(x.Part, t.Stream)
				add(x, product(x.Part, t, q))
			}
		}
	})
}

// Looks are the attention scores of each part in a pass, without those of an index.
func Looks(m *model.Model, q Pass) []Piece {
	return pieces(m, q, func(x Piece, add func(x Piece, each float64)) {
		x.Pairs, x.Width = float64(pairs(x.Part, q)+entries(x.Part, q, x.Part.Get(model.Picks))), width(x.Part, q)
		add(x, float64(2*float64(x.Part.Get(model.Heads))*float64(x.Width)*x.Pairs))
	})
}

func pieces(m *model.Model, q Pass, of func(x Piece, add func(x Piece, each float64))) []Piece {
	var out []Piece
	for b, k := range m.Kinds() {
		for pi := range k.Parts {
			if p := &k.Parts[pi]; p.Get(model.Unused) == 0 {
				of(Piece{Block: b, Kind: k, Part: p}, func(x Piece, each float64) {
					if x.FLOPs = float64(each * float64(float64(k.Count)*float64(q.Batch))); x.FLOPs > 0 {
						out = append(out, x)
					}
				})
			}
		}
	}
	return out
}
