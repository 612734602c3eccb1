package view

import (
	"llmsize/core/memory"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/site/chart"
	"llmsize/site/markup"
)

// bytes is what the model takes in memory: weights, cache, both. Each figure
// opens to its formula: in letters, with values, summed.
func bytes(r *report.Report) string {
	var w markup.Writer
	unit := unitOf(r)
	w.Raw(`<details class="open"><summary><span class="label">Weights <span class="quiet">`).Text(r.Weights.Format).Raw(`</span></span> <b>`).Text(r.Weights.Bytes.In(unit)).Raw(`</b></summary>`)
	weights(&w, r)
	w.Raw(`</details><details class="open"><summary><span class="label" data-at="cache">KV cache <span class="quiet">`).Text(r.Query.Get(query.KV)).Raw(`</span></span> <b>`).Text(r.Cache.Bytes.In(unit)).Raw(`</b></summary>`)
	cache(&w, r)
	both := r.Weights.Bytes + r.Cache.Bytes
	w.Raw(`</details><details class="open"><summary><span class="label">Together</span> <b>`).Text(both.In(unit)).Raw(`</b></summary>`)
	line(&w, "weights + cache", func() {
		exactBytes(&w, r.Weights.Bytes)
		w.Raw(" + ")
		exactBytes(&w, r.Cache.Bytes)
	}, both)
	w.Raw(`<p class="source">A lower bound: it leaves out activations and a program's own buffers. <a href="/memory-to-run/">Memory to run, from the start</a></p></details>`)
	return w.String()
}

// line is one derivation: the formula, the values, the exact result in both units.
func line(w *markup.Writer, formula markup.Markup, values func(), sum units.Bytes) {
	w.Raw(`<p class="formula-line"><span class="symbols">`).Add(formula).Raw(`</span> <span class="values">= `)
	values()
	w.Raw(`</span> <span class="sum">= <b>`)
	exactBytes(w, sum)
	w.Raw(`</b> bytes</span></p><p class="both">`).Text(sum.GB()).Raw(" = ").Text(sum.GiB()).Raw("</p>")
}

func exactBytes(w *markup.Writer, b units.Bytes) { w.Count(int64(b)) }

func weights(w *markup.Writer, r *report.Report) {
	if x := &r.Weights; x.Bits > 0 {
		line(w, "stored parameters × bytes of each", func() {
			w.Count(int64(r.Parameters.Stored)).Raw(" × ").Text(perElement(x.Bits))
		}, x.Bytes)
	} else {
		line(w, "bytes of each type, scales included", func() {
			for i, t := range x.Types {
				if i > 0 {
					w.Raw(" + ")
				}
				w.Count(t.Bytes)
			}
		}, x.Bytes)
		for _, t := range x.Types {
			w.Raw(`<p class="term">`).Text(t.Type).Raw(": ").Text(plural(t.Tensors, "tensor")).Raw(" of ").Count(t.Elements).Raw(" elements</p>")
		}
		w.Raw(`<p class="source">`).Text(x.BitsPerWeight()).Raw(" bits for each stored element.</p>")
	}
	if r.Weights.Asked == "auto" {
		w.Raw(`<p class="source">`)
		if r.Weights.Why != "" {
			w.Raw("The config says so, in <code>").Text(r.Weights.Why).Raw("</code>.")
		} else {
			w.Raw("The config names no format; ").Text(r.Weights.Format).Raw(" is assumed.")
		}
		w.Raw(`</p>`)
	}
}

// perElement is bytes of an element in words: "2", "½".
func perElement(bits int64) string {
	return units.Fixed(bits, 8, decimals(bits))
}

// decimals is how many digits after the point bits/8 needs.
func decimals(bits int64) int {
	switch {
	case bits%8 == 0:
		return 0
	case bits%4 == 0:
		return 1
	case bits%2 == 0:
		return 2
	}
	return 3
}

func cache(w *markup.Writer, r *report.Report) {
	if len(r.Cache.Terms) == 0 {
		w.Raw(`<p>Nothing is kept from one token to the next: this model reads its whole input at once.</p>`)
		return
	}
	batch := r.Query.Int(query.Batch)
	for i := range r.Cache.Terms {
		t := &r.Cache.Terms[i]
		what := t.What
		if t.Kind != "" {
			what += ", " + chart.KindName(t.Kind)
		}
		w.Raw(`<p class="term">`).Text(what).Raw(` in `).Text(plural(t.Layers, "layer"))
		if t.Padding > 0 {
			w.Raw(`, `).Text(plural(t.Padding, "layer")).Raw(` of padding among them`)
		}
		w.Raw(`</p>`)
		f, _ := memory.FormatNamed(t.Format)
		if f.Block == 0 || !adds(t, batch, f) {
			// The program that lays it out rounds up; the sum is what it takes.
			line(w, markup.Text(policyWords(r.Query.Get(query.KVPolicy))+" lays out"), func() {
				w.Count(t.Layers).Raw(" layers")
				if t.Tokens > 0 {
					w.Raw(" · ").Count(t.Tokens).Raw(" tokens")
				}
			}, units.Bytes(t.Bytes))
			continue
		}
		line(w, cacheSymbols(t)+" · bytes", func() {
			w.Count(batch).Raw(" · ").Count(t.Layers)
			if t.Tokens > 0 {
				w.Raw(" · ").Count(t.Tokens)
			}
			w.Raw(" · ").Count(t.Elements).Raw(" · ").Int(f.Bytes)
			if f.Block > 1 {
				w.Raw("/").Int(f.Block)
			}
		}, units.Bytes(t.Bytes))
	}
	if r.Cache.PerToken > 0 {
		w.Raw(`<p class="source">One more token adds `).Count(int64(r.Cache.PerToken)).Raw(` bytes to each sequence. `)
	} else {
		w.Raw(`<p class="source">`)
	}
	w.Raw(`Formula: Pope et al. 2022, arXiv 2211.05102, section 3.3.</p>`)
}

// cacheSymbols is a term's formula in letters.
func cacheSymbols(t *memory.CacheTerm) markup.Markup {
	s := sign("b") + " · layers"
	switch {
	case t.Tokens == 0:
		return s + " · elements"
	case t.What == "cross keys and values":
		s += " · encoder tokens"
	case t.Window > 0:
		s += " · min(" + sign("s") + ", window)"
	default:
		s += " · " + sign("s")
	}
	if t.What == "keys and values" {
		return s + " · 2·" + sign("k") + "·" + sign("d")
	}
	return s + " · elements"
}

// adds reports whether a term is the plain product of what it shows.
func adds(t *memory.CacheTerm, batch int64, f memory.Format) bool {
	n := batch
	for _, x := range [...]int64{t.Layers, max(t.Tokens, 1), t.Elements, f.Bytes} {
		if x != 0 && n > (1<<62)/x {
			return false
		}
		n *= x
	}
	return n == t.Bytes*f.Block
}
