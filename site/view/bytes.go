package view

import (
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/site/chart"
	"llmsize/site/markup"
)

// bytes is what the model takes in memory: weights, cache, both. Each figure
// opens to how it comes about: in letters, with values, summed.
func bytes(r *report.Report) string {
	var w markup.Writer
	unit := unitOf(r)
	w.Raw(`<details class="open"><summary><span class="label">Weights <span class="quiet">`).Text(r.Weights.Format).Raw(`</span></span> <b>`, r.Weights.Bytes.In(unit), `</b></summary>`)
	weights(&w, r)
	w.Raw(`</details><details class="open"><summary><span class="label">Cache <span class="quiet">`).Text(r.Query.Get(query.KV)).Raw(`</span></span> <b>`, r.Cache.Bytes.In(unit), `</b></summary>`)
	cache(&w, r)
	both := r.Weights.Bytes + r.Cache.Bytes
	w.Raw(`</details><details class="open"><summary><span class="label">Together</span> <b>`, both.In(unit), `</b></summary>`)
	line(&w, "weights + cache", func() {
		exactBytes(&w, r.Weights.Bytes)
		w.Raw(" + ")
		exactBytes(&w, r.Cache.Bytes)
	}, both)
	w.Raw(`<p class="source">A bound from below: what a program needs beside them (activations, its own buffers) is not in it.</p></details>`)
	return w.String()
}

// line is one derivation: the formula, the values, the exact result in both units.
func line(w *markup.Writer, formula string, values func(), sum units.Bytes) {
	w.Raw(`<p class="formula-line"><span class="symbols">`, formula, `</span> <span class="values">= `)
	values()
	w.Raw(`</span> <span class="sum">= <b>`)
	exactBytes(w, sum)
	w.Raw(`</b> bytes</span></p><p class="both">`, sum.GB(), " = ", sum.GiB(), "</p>")
}

func exactBytes(w *markup.Writer, b units.Bytes) { w.Count(int64(b)) }

func weights(w *markup.Writer, r *report.Report) {
	line(w, "stored parameters × bytes of each", func() {
		w.Count(int64(r.Parameters.Stored)).Raw(" × ", perElement(r.Weights.Bits))
	}, r.Weights.Bytes)
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
		w.Raw(`<p class="term">`).Text(what).Raw(` in `, plural(t.Layers, "layer"), `</p>`)
		symbols := sign("b") + " · layers · elements"
		switch {
		case t.What == "keys and values":
			symbols = sign("b") + " · layers · 2·" + sign("k") + "·" + sign("d")
		case t.Tokens > 0:
			symbols = sign("b") + " · layers · " + t.What
		}
		if t.Tokens > 0 {
			if t.Window > 0 {
				symbols += " · min(" + sign("s") + ", window)"
			} else {
				symbols += " · " + sign("s")
			}
		}
		line(w, symbols+" · bytes", func() {
			w.Count(batch).Raw(" · ").Count(t.Layers + t.Padding).Raw(" · ")
			if t.Elements > 0 && t.Each%t.Elements == 0 {
				w.Count(t.Elements)
			} else { // a format of blocks: bytes of all the elements
				w.Count(t.Each)
			}
			if t.Tokens > 0 {
				w.Raw(" · ").Count(t.Tokens)
			}
			if t.Elements > 0 && t.Each%t.Elements == 0 {
				w.Raw(" · ").Count(t.Each / t.Elements)
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
