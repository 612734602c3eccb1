package view

import (
	"llmsize/core/checkpoint"
	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// Verdict writes what came of holding a config against a checkpoint: a sentence, the
// sum from the class to the checkpoint, and each difference with the names behind it.
func Verdict(v *checkpoint.Verdict, l *checkpoint.List) string {
	var w markup.Writer
	w.Raw(`<p class="verdict" data-verdict="`).Text(v.Verdict).Raw(`">`).Text(v.Words()).Raw(`</p><table class="reference"><tbody>`)
	row := func(label, n string) {
		w.Raw(`<tr><th scope="row">`).Text(label).Raw(`</th><td class="num">`).Text(n).Raw(`</td></tr>`)
	}
	sum := v.Sum()
	for i, x := range sum {
		switch n := units.Group(max(x.N, -x.N)); {
		case i == 0:
			row("The config's class", n)
		case i == len(sum)-1:
			row("= "+x.What, n)
		case x.N < 0:
			row("− "+x.What, n)
		default:
			row("+ "+x.What, n)
		}
	}
	if len(sum) == 0 {
		row("The checkpoint, "+checkpoint.Tensors(v.Tensors), units.Group(v.Parameters))
	}
	for i := range v.Differences { // what isn't a term of the sum
		if d := &v.Differences[i]; d.Kind == checkpoint.Precision || d.Kind == checkpoint.Extra && d.Reason == checkpoint.Scale {
			row(d.Words()+", "+checkpoint.Tensors(d.Tensors), units.Group(d.Parameters))
		}
	}
	row("Tensor data", units.Group(v.Bytes)+" bytes")
	for _, t := range l.Types() {
		row(t.Type.String()+", "+checkpoint.Tensors(t.Tensors), units.Group(t.Bytes)+" bytes")
	}
	w.Raw(`</tbody></table>`)
	for i := range v.Differences {
		d := &v.Differences[i]
		w.Raw(`<details><summary>`).Text(d.Words()).Raw(`</summary><ul>`)
		for i, n := range d.Names {
			w.Raw(`<li><code>`).Text(n).Raw(`</code>`)
			if i < len(d.How) {
				w.Text(", " + d.How[i])
			}
			w.Raw(`</li>`)
		}
		if more := d.Tensors - int64(len(d.Names)); more > 0 {
			w.Raw(`<li>and `).Text(units.Group(more)).Raw(` more</li>`)
		}
		w.Raw(`</ul></details>`)
	}
	for _, n := range v.Notes() {
		w.Raw(`<p class="note">`).Text(n).Raw(`</p>`)
	}
	return w.String()
}

// Unsure says of a region that it is an estimate, and what is assumed; nothing where the model is known.
func Unsure(r *report.Report) string {
	if r.Exact() {
		return ""
	}
	var w markup.Writer
	w.Raw(`<p class="quiet unsure"><span class="status estimate">estimate</span> `)
	first := true
	for _, x := range r.Warnings {
		if !x.Inexact {
			continue
		}
		if !first {
			w.Raw(" ")
		}
		first = false
		w.Text(x.Text).Raw(".")
	}
	w.Raw(`</p>`)
	return w.String()
}
