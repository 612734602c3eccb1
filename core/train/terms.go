package train

import (
	"llmsize/core/model"
)

// Factor is a size in a product.
type Factor struct {
	Size int64
	// Sign is how it is written: "a"; empty for a plain number. The site's letters, and of the run s, the tokens of
	// a sequence, t, slices of tensor parallelism, and "tokens", those of a micro-batch's sequence that the device has.
	Sign string
	Side model.Dim // of a tensor, where Sign is an expression of the family's file: "num_attention_heads * head_dim"
}

// Addend is a product of sizes, divided by others: 2·4·f ÷ t.
type Addend struct{ By, Over []Factor }

// Terms is what the fullest device saves, as [Hold] has it, with the terms that give a row's bytes of
// a token: those that the bytes were added up from. Who looks for layouts adds up without noting them.
func Terms(m *model.Model, q *Question) []Saved {
	asked := *q
	asked.terms = true
	x, err := Hold(m, &asked)
	if err != nil {
		return nil
	}
	return x.Saved
}

// mark stands before the letter of a size that isn't a side of a tensor. No expression begins with it.
const mark = '\''

// letter is a size that has a letter of its own.
func letter(sign string, n int64) model.Dim { return model.Dim{Size: n, Expr: sign} }

// number is a size that is the same for every model.
func number(n int64) model.Dim { return model.Dim{Size: n} }

// factorOf is a size as a factor.
func factorOf(d *model.Dim) Factor {
	if d.Expr != "" && d.Expr[0] == mark {
		return Factor{Size: d.Size, Sign: d.Expr[1:]}
	}
	return Factor{d.Size, d.Expr, *d}
}

// noteProduct notes the beginning of a product.
func (t *tally) noteProduct() {
	if t.noting {
		t.added = append(t.added, Addend{})
	}
}

// noteFactor notes a factor of the last product.
func (t *tally) noteFactor(d *model.Dim) {
	if t.noting {
		last := &t.added[len(t.added)-1]
		last.By = append(last.By, factorOf(d))
	}
}

// note writes down what was added: of a token of the sequence, whatever tokens the part sees, and of a slice.
func (t *tally) note(to []Addend, divided, short bool) []Addend {
	var over []Factor
	switch {
	case t.p.Stream == "pooled": // one token of a sequence
		over = append(over, Factor{Size: t.q.Saving.Seq / max(t.q.Layout.CP, 1), Sign: "tokens"})
	case short:
		over = append(over, Factor{Size: t.q.Saving.Seq, Sign: "s"})
	}
	if n := t.q.Layout.TP; divided && n > 1 {
		over = append(over, Factor{Size: n, Sign: "t"})
	}
	for _, x := range t.added {
		if x.By[0].Size == 0 { // mean and deviation of a norm that keeps none
			continue
		}
		if x.Over = over; short {
			x.By = append(x.By, Factor{Size: t.q.Saving.Seq - 1, Sign: "s - 1"})
		}
		to = append(to, x)
	}
	t.added = nil
	return to
}
