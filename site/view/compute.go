package view

import (
	"llmsize/core/compute"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// computeLens is what passes over the model take in FLOPs.
func computeLens(r *report.Report) string {
	var w markup.Writer
	c := &r.Compute
	for _, u := range c.Units() {
		unitWork(&w, r.Query.Get(query.Units), u)
	}
	if c.Train.Tokens == 0 {
		impossible(&w, r.Running.Fault)
		return w.String()
	}
	computeLead(&w, r)
	prompt, batch := r.Query.Int(query.Prompt), r.Query.Int(query.Batch)
	figure(&w, "Prefill", plural(prompt, "token")+" × "+units.Group(batch), c.Prefill.FLOPs.Short(), func() {
		work(&w, &c.Prefill, prompt, batch, "weights · tokens", "scores of the tokens that see each other")
	})
	if c.Decode.FLOPs > 0 {
		figure(&w, "Next token", plural(batch, "sequence"), c.Decode.FLOPs.Short(), func() {
			work(&w, &c.Decode, 1, batch, "weights", "scores over "+plural(r.Query.Int(query.Context), "token"))
		})
	}
	figure(&w, "Training", units.Params(c.Train.Tokens).Short()+" tokens", c.Train.FLOPs.Short(), func() {
		flopLine(&w, "3 · forward pass of a sequence · sequences", "3 · "+c.Train.Forward.FLOPs.String()+" · "+units.Group(c.Train.Tokens)+" / "+units.Group(r.Query.Int(query.Seq)), c.Train.FLOPs)
		if c.Train.Hardware != c.Train.FLOPs {
			flopLine(&w, "with what is computed again", "recompute "+r.Query.Get(query.Recompute), c.Train.Hardware)
		}
		trainingTime(&w, &c.Train)
		w.Raw(`<p class="source">Kaplan et al. 2020, arXiv 2001.08361, section 2.1: forward 1, backward 2. <a href="/flops/#training">Why three</a></p>`)
		conventions(&w, r)
	})
	declared(&w, r, "compute")
	scaling(&w, &c.Scaling)
	return w.String()
}

// unitWork is what a picture, a sound or a window of a series takes.
func unitWork(w *markup.Writer, unit string, u *report.UnitWork) {
	title, size := "Picture", units.Group(u.Width)+" × "+units.Group(u.Height)+" pixels"
	switch {
	case u.Kind == compute.Sound:
		title, size = "Sound", units.Seconds(float64(u.Millis)/1000).Short()
	case u.Kind == compute.Series:
		title, size = "Window of a series", plural(u.Length, "value")
		if u.Channels > 1 {
			size = plural(u.Channels, "channel") + " of " + size
		}
	case u.Clip > 0:
		size = plural(u.Clip, "frame") + " of " + size
	}
	if u.Views > 1 {
		size = plural(u.Views, "piece") + ", " + size
	}
	given := ""
	if u.Given > 0 {
		given = plural(u.Given, "token")
		size += ", " + given
	}
	if u.Unknown != "" {
		figure(w, title, size, given, func() {
			w.Raw("<p>").Text("In a prompt it takes that many, as the model's processor counts them. What the model computes on it isn't known: nothing says how many tokens pass through " + u.Unknown + ".").Raw("</p>")
		})
		return
	}
	figure(w, title, size, u.FLOPs.Short(), func() {
		var matmul, score, rest float64
		for i := range u.Terms {
			t := &u.Terms[i]
			matmul = float64(matmul + t.Matmul)
			score = float64(score + t.Score)
			rest = float64(rest + float64(t.Conv+t.Scan))
		}
		flopLine(w, "products with weights", "2 · weights · tokens of the part", units.FLOPs(matmul))
		if score > 0 {
			flopLine(w, "attention", "scores of the tokens that see each other", units.FLOPs(score))
		}
		if rest > 0 {
			flopLine(w, "convolutions and scans", "2 · weights · places that they give out", units.FLOPs(rest))
		}
		w.Raw("<p>")
		if u.Given > 0 {
			w.Text("In a prompt it takes " + given + ", as the model's processor counts them. ")
		}
		w.Text("Its products give out " + u.Activations.In(unit) + " in 16 bits: a training step keeps at least that.").Raw("</p>")
	})
}

// work is a pass over n tokens of each sequence taken apart: products with weights, attention
// scores, the rest. The weights are those that a token meets, on average where not all tokens meet the same.
func work(w *markup.Writer, x *report.Work, n, batch int64, weights, scores string) {
	var matmul, score, rest float64
	for i := range x.Terms {
		t := &x.Terms[i]
		matmul = float64(matmul + t.Matmul)
		score = float64(score + t.Score)
		rest = float64(rest + float64(t.Conv+t.Scan))
	}
	weights = "2 · " + weights
	values := "2 · " + units.Whole(matmul/float64(float64(2*float64(n))*float64(batch))+0.5)
	if n > 1 {
		values += " · " + units.Group(n)
	}
	if batch > 1 {
		weights, values = weights+" · sequences", values+" · "+units.Group(batch)
	}
	flopLine(w, "products with weights", weights+" = "+values, units.FLOPs(matmul))
	if score > 0 {
		flopLine(w, "attention", scores, units.FLOPs(score))
	}
	if rest > 0 {
		flopLine(w, "convolutions and scans", "by their algorithm", units.FLOPs(rest))
	}
	w.Raw(`<p class="source">A multiply and an add are two. The embedding is looked up, the head multiplied at every position; norms and activations are left out. <a href="/flops/#two">Where the 2 comes from</a></p>`)
}

// conventions sets the ways to count training side by side, because papers differ.
func conventions(w *markup.Writer, r *report.Report) {
	w.Raw(`<div class="scroll" tabindex="0" role="group" aria-label="Conventions"><table class="ledger"><caption>The same run as papers count it</caption><thead><tr><th scope="col">Convention</th><th scope="col">For each token</th><th scope="col" class="num">In all</th>`)
	rate := r.Compute.Train.Time.Rate
	if rate > 0 {
		w.Raw(`<th scope="col" class="num">Of peak</th>`)
	}
	w.Raw(`</tr></thead><tbody>`)
	for i := range r.Compute.Conventions {
		c := &r.Compute.Conventions[i]
		w.Raw(`<tr><th scope="row"><details><summary>`).Text(c.Title).Raw(`</summary><p class="source">`).Text(c.Source).Raw(`</p></details></th><td>`).Text(c.Formula).Raw(` = `).Text(units.FLOPs(c.Token).Short()).Raw(`</td><td class="num">`).Text(units.FLOPs(c.Total).Short()).Raw(`</td>`)
		if rate > 0 {
			w.Raw(`<td class="num">`)
			if u := r.Compute.Train.Utilisation(c); u > 0 {
				kind := " MFU"
				if c.Pass == "hardware" {
					kind = " HFU"
				}
				w.Text(share(u)).Text(kind)
			}
			w.Raw(`</td>`)
		}
		w.Raw(`</tr>`)
	}
	w.Raw(`</tbody></table></div>`)
}
