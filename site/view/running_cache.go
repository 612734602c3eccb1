package view

import (
	"llmsize/core/memory"
	"llmsize/core/model"
	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// policyMeaning says what each policy holds, in the order of memory.Policies.
var policyMeaning = [...]string{
	"what the next token needs",
	"its cache after a prefill of that many tokens",
	"vLLM's planner: whole blocks, kinds of layers in groups of one size, windows and chunks with the tokens in flight, states padded to a block",
	"cells in steps of 256 for each sequence, windows with a ubatch more, states in 32 bits",
}

// policies is the cache under every policy, and why other answers are larger.
func policies(w *markup.Writer, r *report.Report) {
	all := r.Policies()
	unit := unitOf(r)
	low, high := int64(r.Cache.Bytes), int64(r.Cache.Bytes)
	for _, p := range all {
		if p.Fault == nil {
			low, high = min(low, p.Bytes), max(high, p.Bytes)
		}
	}
	if high == 0 {
		return
	}
	reading := units.Bytes(r.Cache.Bytes).In(unit)
	about := "by any policy"
	if low != high {
		about = "from " + units.Bytes(low).In(unit) + " to " + units.Bytes(high).In(unit) + ", by who lays it out"
	}
	figure(w, "KV cache", about, reading, func() {
		w.Raw(`<div class="scroll" tabindex="0" role="group" aria-label="The cache by policy"><table class="ledger"><thead><tr><th scope="col">Policy</th><th scope="col">Holds</th><th scope="col" class="num">Bytes</th></tr></thead><tbody>`)
		for i, p := range all {
			w.Raw(`<tr><th scope="row">`).Text(p.Name).Raw(`</th><td>`).Text(policyMeaning[i])
			if p.Fault != nil {
				w.Raw(`. `).Text(p.Fault.Error())
			}
			w.Raw(`</td><td class="num">`)
			if p.Fault == nil {
				w.Count(p.Bytes)
			}
			w.Raw(`</td></tr>`)
		}
		w.Raw(`</tbody></table></div>`)
		narrower(w, r)
		others(w, r)
		w.Raw(`<p class="source">Pope et al. 2022, arXiv 2211.05102, section 3.3; vLLM 0.33.0, v1/core/kv_cache_planning.py and platforms/interface.py; llama.cpp, llama-kv-cache.cpp. States under vLLM are an estimate: a flag sets their format. <a href="/the-kv-cache/#policies">Who lays it out</a></p>`)
	})
}

// others says what a cache comes to that counts heads, tokens and layers which
// keep nothing, and that number twice: the figures which many calculators show.
func others(w *markup.Writer, r *report.Report) {
	held, full := r.Policies()[memory.Minimum].Bytes, r.Running.Multihead
	if held <= 0 || full <= held+held/50 {
		return
	}
	unit := unitOf(r)
	w.Raw(`<p>Others say <b>`).Text(units.Bytes(full).In(unit)).Raw(`</b>, or twice that, <b>`).Text(units.Bytes(2 * full).In(unit)).Raw(`</b>:</p>`)
	result(w, inLetters("2 · L · a · d · s · b · bytes"), "keys and values of every head, for every token, in every layer", units.Bytes(full).In(unit))
	result(w, "the same, twice", "keys and values counted twice", units.Bytes(2*full).In(unit))
	w.Raw(`<p>That is `).Text(units.Fixed(full, held, 1)).Raw(` and `).Text(units.Fixed(2*full, held, 1)).Raw(` times what the next token needs: `)
	for i, x := range differences(r) {
		if i > 0 {
			w.Raw(`; `)
		}
		w.Text(x)
	}
	w.Raw(`. <a href="/the-kv-cache/#forty">2.5 GiB, and why others say 40</a>; <a href="/why-is-my-number-different/#cache">which programs count so</a>.</p>`)
}

// narrower says what programs make of the cache that take a head for the hidden
// size divided by the heads, where a config says otherwise in head_dim and nothing
// else sets layers apart.
func narrower(w *markup.Writer, r *report.Report) {
	held := r.Policies()[memory.Minimum].Bytes
	h, _ := r.Model.Value("hidden_size")
	heads, width := int64(0), int64(0)
	for _, p := range r.Model.Parts() {
		a, d := p.Get(model.Heads), p.Get(model.HeadDim)
		switch {
		case a == 0:
			continue
		case d == 0 || p.Get(model.Latent) > 0 || p.Get(model.VDim) > 0 || p.Stream != "" || heads > 0 && (a != heads || d != width):
			return // heads of several widths
		}
		heads, width = a, d
	}
	if held <= 0 || heads == 0 || h <= 0 || h%heads != 0 || h == heads*width || held%width != 0 {
		return
	}
	blind := h / heads
	other := units.Bytes(held / width * blind).In(unitOf(r))
	w.Raw(`<p>Programs that do not read <code>head_dim</code> say <b>`).Text(other).Raw(`</b>:</p>`)
	result(w, inLetters("2 · L · k · (h / a) · s · b · bytes"), "heads of "+units.Group(h)+" / "+units.Group(heads)+" = "+units.Group(blind)+" instead of "+units.Group(width), other)
	w.Raw(`<p>The cache is `).Text(units.Fixed(width, blind, 1)).Raw(` times that, because the config sets a head's width by itself.</p>`)
}

// differences says in what a model's cache is smaller than that of plain
// multi-head attention.
func differences(r *report.Report) []string {
	var out []string
	add := func(s string) {
		for _, x := range out {
			if x == s {
				return
			}
		}
		out = append(out, s)
	}
	for _, p := range r.Model.Parts() {
		h, k := p.Get(model.Heads), p.Get(model.KVHeads)
		switch {
		case h == 0 || p.Stream != "":
		case p.Get(model.Latent) > 0:
			add("a latent of " + units.Group(p.Get(model.Latent)+p.Get(model.Rope)) + " numbers stands for keys and values of " + units.Group(h) + " heads")
		case k > 0 && k < h:
			add(units.Group(h) + " query heads share " + plural(k, "key and value head"))
		}
		if n := max(p.Get(model.Window), p.Get(model.Chunk)); h > 0 && n > 0 {
			add("layers that see " + units.Group(n) + " tokens keep no more")
		}
		if p.Get(model.Shared) != 0 {
			add("some layers use another layer's keys and values")
		}
	}
	return out
}
