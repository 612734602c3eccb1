package view

import (
	"strings"

	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/train"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// mostKept are the rows of the table of activations; known models have some sixty.
const mostKept = 200

// kept is the table of activations. Under each row stands what its bytes a token come from, in letters
// and with this model's values.
func kept(w *markup.Writer, r *report.Report) {
	m := r.Training.Memory
	micro, seq, pieces := r.Training.Question.Saving.Micro, r.Query.Int(query.Seq), max(r.Training.Question.Layout.CP, 1)
	tokens := micro * (seq / pieces)
	what := units.Group(micro) + " × " + units.Group(seq)
	if pieces > 1 {
		what += " ÷ " + units.Group(pieces)
	}
	ledger(w, "Activations", markup.Text(what+" tokens, "+microBatches(m.Flight)+" in flight"), "Layers", "Bytes a token", "Bytes")
	list, sp := r.Kept(), speaker{r.Model}
	var most *train.Saved
	for i := range list {
		x := &list[i]
		if !x.Again && (most == nil || x.Bytes > most.Bytes) && len(x.Terms) > 0 {
			most = x
		}
		if i >= mostKept {
			continue
		}
		head := x.What
		if !has2(x.Title, '{') {
			head = x.Title + ": " + head
		}
		row(w, int64(x.Bytes), head, units.Group(x.Layers), perPhi(x.Layer, tokens))
		w.Raw(`<tr><td colspan="4"><p`)
		if len(x.Terms) == 0 {
			w.Raw(` class="source">not counted: the layer's matrices are convolutions</p></td></tr>`)
			continue
		}
		w.Raw(` class="formula-line"><span class="symbols">`).Add(terms(x.Terms, sp.symbol)).Raw(`</span> <span class="values">= `).Add(terms(x.Terms, sp.value)).Raw(`</span></p></td></tr>`)
	}
	if n := len(list) - mostKept; n > 0 {
		w.Raw(`<tr><td colspan="4">and `).Text(plural(int64(n), "part")).Raw(` more</td></tr>`)
	}
	row(w, m.Parts[train.Activations]+m.Parts[train.Working], "In all", "", "")
	w.Raw(endLedger)
	if most != nil {
		rowBytes(w, most, tokens)
	}
	w.Raw(`<p class="source">`)
	sep := ""
	for i := range list[:min(len(list), mostKept)] {
		if x := &list[i]; firstOf(list[:i], x.What) && x.Means() != "" {
			w.Text(sep).Raw(`<b>`).Text(x.What).Raw(`</b> `).Text(x.Means())
			sep = "; "
		}
	}
	if r.Training.Question.Layout.TP > 1 {
		w.Text(sep).Raw(`<b>t</b> slices of tensor parallelism`)
	}
	w.Raw(`</p>`)
}

// rowBytes says how the bytes of a token become a row's. Where a stage has several pieces of layers, each has
// micro-batches in flight of its own.
func rowBytes(w *markup.Writer, x *train.Saved, tokens int64) {
	w.Raw(`<p class="formula-line"><b>`).Text(x.What).Raw(`</b> <span class="symbols">`)
	if x.Flying%x.Layers == 0 {
		w.Raw(`Layers · micro-batches in flight`)
	} else {
		w.Raw(`Layers of all micro-batches in flight`)
	}
	w.Raw(` · Bytes a token · tokens</span> <span class="values">= `)
	if x.Flying%x.Layers == 0 {
		w.Count(x.Layers).Raw(` · `).Count(x.Flying / x.Layers)
	} else {
		w.Count(x.Flying)
	}
	is := "≈"
	if n := int64(x.Layer); float64(n) == x.Layer && n%tokens*1000%tokens == 0 { // to the third decimal
		is = "="
	}
	w.Raw(` · `).Text(perPhi(x.Layer, tokens)).Raw(` · `).Count(tokens).Raw(`</span> <span class="sum">`).Text(is).Raw(` <b>`).Count(int64(x.Bytes)).Raw(`</b></span></p>`)
}

// mostTerms are written of a sum; real layers have some forty.
const mostTerms = 150

// terms is what a row's bytes a token are the sum of; what is divided by the same stands together.
func terms(list []train.Addend, factor func(*markup.Writer, *train.Factor)) markup.Markup {
	var all markup.Writer
	more := max(0, len(list)-mostTerms)
	list = list[:len(list)-more]
	for i := range list {
		over := list[i].Over
		if firstOver(list[:i], over) {
			var sum markup.Writer
			for j := i; j < len(list); j++ {
				if same(list[j].Over, over) {
					plus(&sum, product(list[j].By, factor))
				}
			}
			switch by := product(over, factor); {
			case len(over) > 1:
				plus(&all, "("+sum.Markup()+") / ("+by+")")
			case len(over) > 0:
				plus(&all, "("+sum.Markup()+") / "+by)
			default:
				plus(&all, sum.Markup())
			}
		}
	}
	if more > 0 {
		plus(&all, markup.Markup("… ("+units.Group(int64(more))+" more)"))
	}
	return all.Markup()
}

// firstOver reports whether no term of the list is divided by over.
func firstOver(list []train.Addend, over []train.Factor) bool {
	for i := range list {
		if same(list[i].Over, over) {
			return false
		}
	}
	return true
}

// same reports whether two terms are divided by the same.
func same(a, b []train.Factor) bool {
	for i := range a {
		if len(a) == len(b) && a[i].Sign != b[i].Sign {
			return false
		}
	}
	return len(a) == len(b)
}

func plus(sum *markup.Writer, s markup.Markup) {
	if sum.Len() > 0 {
		sum.Raw(" + ")
	}
	sum.Add(s)
}

// product is factors without ones.
func product(by []train.Factor, factor func(*markup.Writer, *train.Factor)) (all markup.Markup) {
	for i := range by {
		if by[i].Size == 1 && by[i].Sign == "" && len(by) > 1 {
			continue
		}
		var w markup.Writer
		factor(&w, &by[i])
		s := w.Markup()
		if len(by) > 1 && (strings.Contains(string(s), " + ") || strings.Contains(string(s), " - ")) {
			s = "(" + s + ")"
		}
		if all != "" {
			all += "·"
		}
		all += s
	}
	return all
}

// symbol writes a factor in letters. A name of the family's file has a letter where it has the value of
// that letter's key.
func (sp speaker) symbol(w *markup.Writer, x *train.Factor) {
	if x.Side.Expr == "" {
		switch {
		case x.Sign == "":
			w.Int(x.Size)
		case bySign(x.Sign) != nil:
			w.Add(sign(x.Sign))
		default:
			w.Add(inLetters(x.Sign))
		}
		return
	}
	if sp.bound(x.Side) || !plain(x.Sign) {
		sp.symbols(w, x.Side)
		return
	}
	each(x.Sign, func(t token) {
		if t.kind == 'a' {
			w.Raw("<code>").Text(t.text).Raw("</code>")
		} else {
			w.Add(operator(t.text))
		}
	})
}

// value writes a factor with this model's numbers.
func (sp speaker) value(w *markup.Writer, x *train.Factor) {
	if x.Side.Expr != "" {
		sp.values(w, x.Side)
	} else {
		w.Count(x.Size)
	}
}
