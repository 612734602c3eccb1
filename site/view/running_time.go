package view

import (
	"llmsize/core/device"
	"llmsize/core/model"
	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// rooflineSource is where the bound and its bands are from.
const rooflineSource = `<p class="source">Williams, Waterman and Patterson 2009, doi 10.1145/1498765.1498785; measured runs: <a href="/accuracy/">accuracy</a>.</p>`

// passes are the passes at best, each with what binds it.
func passes(w *markup.Writer, r *report.Report) {
	x := &r.Running
	s := &x.Speed
	d := x.Device
	declared(w, r, "running")
	if g := &s.Drafting; g.Seconds > 0 {
		figure(w, "Next token, with draft tokens", "at best", units.Seconds(g.Token).Short(), func() {
			rule, guesses, kept := "(1 − α^(γ+1)) / (1 − α)", units.Itoa(x.Draft.Tokens), units.Fixed(int64(x.Draft.Accept*100+0.5), 100, 2)
			values := "(1 − " + kept + "^(" + guesses + "+1)) / (1 − " + kept + ")"
			if x.Draft.Accept == 1 { // its limit
				rule, values = "γ + 1", guesses+" + 1"
			}
			result(w, markup.Text("tokens a step: "+rule), values, units.Fixed(int64(g.Expected*1000+0.5), 1000, 3))
			values = units.Seconds(g.Check.Seconds).Short()
			if g.Guess.Seconds > 0 {
				values += " + " + units.Itoa(x.Draft.Tokens) + " · " + units.Seconds(g.Guess.Seconds).Short()
			}
			result(w, "a step: check + γ · guess", values, units.Seconds(g.Seconds).Short())
			result(w, "a token: step / tokens", units.Seconds(g.Seconds).Short()+" / "+units.Fixed(int64(g.Expected*1000+0.5), 1000, 3), units.Seconds(g.Token).Short())
			if g.Guess.Seconds > 0 {
				w.Raw(`<p>The model's own prediction layers guess: each reads a layer, its projection and the head. They are on the last stage.</p>`)
			} else {
				w.Raw(`<p>We count the guesser as free, so this is a bound.</p>`)
			}
			w.Raw(`<p class="source">Leviathan, Kalman and Matias 2023, arXiv 2211.17192, equation 1; DeepSeek-V3, arXiv 2412.19437, section 2.2, and 5.4.3 for 85 to 90% kept.</p>`)
		})
	}
	if s.Critical > 0 {
		figure(w, "Batch where compute becomes the limit", "compute-bound from here", plural(s.Critical, "sequence"), func() {
			result(w, "n · FLOPs of a token / peak ≥ bytes of weights / bandwidth", "at "+peak(s.Peak)+" and "+flow(d.Bandwidth), plural(s.Critical, "sequence"))
			w.Raw(rooflineSource)
		})
	}
	if s.Covered > 0 {
		figure(w, "Experts that a step reads", "of each layer", units.Percent(int64(s.Covered*1e6), 1e6), func() {
			w.Raw(`<p>Each token picks its own: 1 − (1 − K/E)^tokens of them, when all are as likely. It is K/E for one token only.</p>`)
		})
	}
}

// peak and flow are rates: "989 TFLOP/s", "3.35 TB/s".
func peak(n int64) string { return units.FLOPs(n).Short() + "/s" }
func flow(n int64) string { return units.Bytes(n).GB() + "/s" }

// bound is what is said of a pass at best beside its formula.
func bound(w *markup.Writer, r *report.Report, path string) {
	s := &r.Running.Speed
	binds, _, ok := r.Bound(path)
	if !ok {
		return
	}
	w.Raw(`<p>`).Text(capital(binds)).Raw(` binds.`)
	if s.Peak == 0 {
		w.Raw(` No peak of this device is known: bandwidth alone bounds it.`)
	} else if f := device.Wanted(r.Weights.Format); f != s.Rate {
		w.Raw(` This device is not known to multiply in `).Text(f.String()).Raw(`: the weights are widened to `).Text(s.Rate.String()).Raw(` first.`)
	}
	w.Raw(`</p><p>A roofline, not a prediction: “How fast it will really be” has that, where runs were measured.</p>`)
}

// layout is how the model is spread over several devices, stage by stage.
func layout(w *markup.Writer, r *report.Report) {
	x := &r.Running
	l := &x.Layout
	unit := unitOf(r)
	about := "this question"
	if x.Assumed {
		about = "assumed"
	}
	reading := "tp " + units.Itoa(l.TP) + " · pp " + units.Itoa(l.PP) + " · dp " + units.Itoa(l.DP)
	if ep := max(l.EP, x.ExpertsOver); ep > 1 {
		reading += " · ep " + units.Itoa(ep)
	}
	figure(w, "Layout", about, reading, func() {
		w.Raw(`<div class="scroll" tabindex="0" role="group" aria-label="What a device of each stage holds"><table class="ledger"><caption>What a device of each stage holds</caption><thead><tr><th scope="col">Stage</th><th scope="col" class="num">Layers</th><th scope="col" class="num">Weights</th><th scope="col" class="num">Cache</th><th scope="col" class="num">In all</th></tr></thead><tbody>`)
		for i := range x.Stages {
			s := &x.Stages[i]
			w.Raw(`<tr><th scope="row">`).Int(int64(i + 1))
			switch {
			case s.First && len(x.Stages) > 1:
				w.Raw(", with the embedding")
			case s.Last && len(x.Stages) > 1:
				w.Raw(", with the head")
			}
			w.Raw(`</th><td class="num">`).Count(s.Layers).Raw(`</td><td class="num">`).Count(s.Terms[0].Bytes).Raw(`</td><td class="num">`).Count(s.Terms[1].Bytes).Raw(`</td><td class="num">`).Text(units.Bytes(s.Total.Bytes).In(unit)).Raw(`</td></tr>`)
		}
		w.Raw(`</tbody></table></div><p>Tensor parallelism divides heads, widths and the vocabulary`)
		if kv := fewestHeads(r); l.TP > 1 && kv > 0 && kv < l.TP {
			w.Raw(`; each of `).Text(plural(kv, "key and value head")).Raw(` is on `).Count((l.TP + kv - 1) / kv).Raw(` devices`)
		}
		w.Raw(`. Norms, routers and latents are on every device.`)
		if x.ExpertsOver > 0 {
			w.Raw(` Experts are divided over tensor ranks too: whole ones instead of slices of all, as many bytes.`)
		}
		w.Raw(`</p><p class="source">Shoeybi et al. 2019, arXiv 1909.08053, section 3; Narayanan et al. 2021, arXiv 2104.04473; Lepikhin et al. 2020, arXiv 2006.16668.</p>`)
	})
}

// fewestHeads is the fewest key and value heads of a layer without latents.
func fewestHeads(r *report.Report) int64 {
	n := int64(0)
	for _, p := range r.Model.Parts() {
		if p.Get(model.Latent) == 0 && p.Stream == "" {
			if k := p.Get(model.KVHeads); k > 0 && (n == 0 || k < n) {
				n = k
			}
		}
	}
	return n
}
