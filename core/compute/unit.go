package compute

import (
	"math"

	"llmsize/core/model"
)

// Kind is what a unit is.
type Kind uint8

// The kinds.
const (
	Picture Kind = iota // or a clip of pictures
	Sound
	Series // a window of a series of numbers
)

// words are what the names of a kind's values begin with.
var words = [...]string{"image_", "audio_", "series_"}

// Unit is what towers work on: one picture after its preparation, a clip of as many as the config says, one sound, or one
// window of a series. Tokens are those of a tower's layers for one view for parts that don't state their own number.
type Unit struct {
	Kind
	Height, Width int64 // of a view, in pixels; 0 for a sound
	Clip          int64 // pictures that are seen together; 0 for a picture alone
	Length        int64 // of a window, in values of a channel
	Channels      int64 // of a window
	Views         int64 // pictures of that size that are made of one
	Tokens        int64 // of the layers, for a view
	Extra         int64 // of Tokens: beside those of the picture, such as a class token
	Projected     int64 // tokens that the projection works on, for a view
	Given         int64 // tokens that a text part reads for all views; 0 where none does
}

// UnitOf is what a family makes of a picture, of a sound or of a window, by the model's values (image_height …
// audio_tokens, series_length), or by the config's image_size; height and width are those that somebody asks for, 0 for
// none. It is false where the model is for none.
func UnitOf(m *model.Model, kind Kind, height, width int64) (Unit, bool) {
	u := Unit{Kind: kind, Views: 1}
	found := false
	for _, v := range m.Values {
		word, name := words[kind], v.Name
		if len(name) <= len(word) || name[:len(word)] != word {
			continue
		}
		found = true
		switch name[len(word):] {
		case "height":
			u.Height = v.Value
		case "width":
			u.Width = v.Value
		case "clip":
			u.Clip = v.Value
		case "length":
			u.Length = v.Value
		case "channels":
			u.Channels = v.Value
		case "views":
			u.Views = v.Value
		case "patches", "frames":
			u.Tokens = v.Value
		case "extra":
			u.Extra = v.Value
		case "projected":
			u.Projected = v.Value
		case "tokens":
			u.Given = v.Value
		}
	}
	if kind == Picture && u.Height == 0 {
		// Layers over a picture of any size: the one of the config, else the one that is asked for.
		found = strides(m)
		if n, ok := m.Value("image_size"); ok && n > 0 {
			height, width = n, n
		} else if height == 0 {
			height, width = 224, 224
		}
		u.Height, u.Width = height, width
	}
	if u.Projected == 0 && u.Given > 0 {
		u.Projected = u.Given / u.Views
	}
	if u.Projected == 0 {
		u.Projected = u.Tokens
	}
	return u, found && (u.Height > 0 || kind == Sound && u.Tokens+u.Given > 0 || u.Length > 0)
}

// Seen counts what the parts for pictures, those for sound or those for series take for one unit: its
// terms, their sum, and how many numbers all products give out, which is what a training step keeps at least.
// unknown is a part whose family does not say how many tokens pass through it; then nothing is counted.
func Seen(m *model.Model, u Unit) (terms []Term, total, outputs float64, unknown string) {
	alone := !readsTokens(m)
	for bi := range m.Blocks {
		b := &m.Blocks[bi]
		for ki := range b.Kinds {
			k := &b.Kinds[ki]
			for pi := range k.Parts {
				p := &k.Parts[pi]
				if !u.has(p, alone) || p.Get(model.Unused) != 0 {
					continue
				}
				t := Term{Block: b.Title, Kind: k.Label, Title: p.Title, Role: p.Role, Layers: k.Count}
				out, ok := u.count(&t, p)
				if !ok {
					if p.Title == b.Title {
						return nil, 0, 0, p.Title
					}
					return nil, 0, 0, b.Title + ", " + p.Title
				}
				scale := float64(float64(k.Count) * float64(u.Views))
				t.Matmul, t.Score, t.Conv, t.Scan = float64(t.Matmul*scale), float64(t.Score*scale), float64(t.Conv*scale), float64(t.Scan*scale)
				outputs = float64(outputs + float64(out*scale))
				if n := t.FLOPs(); n > 0 {
					total = float64(total + n)
					terms = append(terms, t)
				}
			}
		}
	}
	return terms, total, outputs, ""
}

// strides reports whether some part says how many pixels its tokens are apart.
func strides(m *model.Model) bool {
	for bi := range m.Blocks {
		for ki := range m.Blocks[bi].Kinds {
			for pi := range m.Blocks[bi].Kinds[ki].Parts {
				if p := &m.Blocks[bi].Kinds[ki].Parts[pi]; p.Stream == "image" && p.Has(model.Stride) {
					return true
				}
			}
		}
	}
	return false
}

// readsTokens reports whether a part multiplies for each token of a text.
func readsTokens(m *model.Model) bool {
	for bi := range m.Blocks {
		for ki := range m.Blocks[bi].Kinds {
			for pi := range m.Blocks[bi].Kinds[ki].Parts {
				p := &m.Blocks[bi].Kinds[ki].Parts[pi]
				for i := range p.Tensors {
					if x := &p.Tensors[i]; p.Stream == "" && !x.Buffer && x.Op == model.MatMul {
						return true
					}
				}
			}
		}
	}
	return false
}

// has reports whether a part is for such units. What is pooled belongs to the tower that it pools; a model that reads
// no text pools nothing else.
func (u *Unit) has(p *model.Part, alone bool) bool {
	switch p.Stream {
	case "", "text", "words", "training", "patcher", "patch", "spoken", "given":
		return false
	case "series":
		return u.Kind == Series
	case "audio", "speech":
		return u.Kind == Sound
	case "encoder":
		return u.Kind == Sound && u.Tokens > 0
	case "pooled":
		return alone || u.Kind != Series && (p.Role == model.Audio) == (u.Kind == Sound) && (p.Role == model.Vision || p.Role == model.Audio || p.Role == model.Projector)
	}
	return u.Kind == Picture
}

// tokens is how many tokens of a view pass through a part's weights.
func (u *Unit) tokens(p *model.Part, x *model.Tensor) (float64, bool) {
	stream := p.Stream
	if x != nil && x.Stream != "" {
		stream = x.Stream
	}
	switch stride, plus := p.Get(model.Stride), p.Get(model.Plus); {
	case stream == "pooled" || stream == "probe": // a learned query that pools
		return 1, true
	case stride > 0 && u.Height > 0:
		h, w := u.sides(p)
		n := float64(h) * float64(w)
		if x != nil && x.Op == model.Conv {
			return n, true
		}
		return n + float64(plus), true
	case plus > 0:
		return float64(plus), true
	case p.Role == model.Projector && u.Projected > 0:
		return float64(u.Projected), true
	case x != nil && x.Op == model.Conv && u.Tokens > u.Extra:
		return float64(u.Tokens - u.Extra), true
	}
	return float64(u.Tokens), u.Tokens > 0
}

// sides are the places of a picture under a part's stride, which it has, down and across: one more for what is left of a
// side, unless the part leaves that out.
func (u *Unit) sides(p *model.Part) (down, across int64) {
	stride := p.Get(model.Stride)
	more := (stride - 1) * (1 - p.Get(model.Floor))
	return (u.Height + more) / stride, (u.Width + more) / stride
}

// count adds up one layer's part for one view, and the numbers that its products give out.
func (u *Unit) count(t *Term, p *model.Part) (outputs float64, ok bool) {
	for i := range p.Tensors {
		x := &p.Tensors[i]
		if x.Buffer || x.Op != model.MatMul && x.Op != model.Conv {
			continue
		}
		tokens, ok := u.tokens(p, x)
		if !ok {
			return 0, false
		}
		n := float64(float64(2*float64(x.Elements)*float64(x.Copies)) * float64(tokens*float64(x.Uses)))
		if x.Active != x.ActiveOf {
			n = float64(n * float64(x.Active) / float64(x.ActiveOf))
		}
		if x.Op == model.Conv {
			t.Conv = float64(t.Conv + n)
		} else {
			t.Matmul = float64(t.Matmul + n)
		}
		if len(x.Dims) > 0 {
			outputs = float64(outputs + float64(float64(x.Dims[0].Size*x.Copies)*float64(tokens*float64(x.Uses))))
		}
	}
	h, scan := p.Get(model.Heads), p.Get(model.Scan)
	if h == 0 && scan == 0 {
		return outputs, true
	}
	n, ok := u.tokens(p, nil)
	if !ok {
		return 0, false
	}
	t.Scan = float64(2 * float64(scan) * n)
	keys, left := n, 0.0
	switch over, chunk, window := p.Get(model.Over), p.Get(model.Chunk), p.Get(model.Window); {
	case p.Get(model.Keys) > 0:
		keys = float64(p.Get(model.Keys))
	case over > 0 && u.Height > 0:
		keys = float64((u.Height+over-1)/over) * float64((u.Width+over-1)/over)
	case chunk > 0:
		keys = min(n, float64(chunk))
		if u.Kind != Picture { // the last chunk of a row is shorter; windows of a picture are filled up
			last := float64(int64(n) % int64(keys))
			left = float64(last * (keys - last))
		}
	case window > 0:
		keys = min(n, float64(window))
		if stride := p.Get(model.Stride); stride > 0 && u.Kind == Picture {
			h, w := u.sides(p)
			left = float64(float64(n*keys) - float64(cut(h, window)*cut(w, window)))
		}
	case p.Get(model.Cross) > 0 && u.Tokens > 0:
		keys = float64(u.Tokens)
	}
	d := p.Get(model.HeadDim)
	v := d
	if p.Has(model.VDim) {
		v = p.Get(model.VDim)
	}
	t.Score = float64(2 * float64(h) * float64(d+v) * float64(float64(n*keys)-left))
	return outputs, true
}

// cut is how many pairs of places along one side see each other where square windows of n places are cut at its end.
func cut(side, n int64) float64 {
	w := int64(math.Sqrt(float64(n)))
	return float64(side/w*w*w + side%w*(side%w))
}
