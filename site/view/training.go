package view

import (
	"llmsize/core/fault"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/train"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// trainingLens is what a device holds while the model is trained, and what would fit.
func trainingLens(r *report.Report) string {
	var w markup.Writer
	t := &r.Training
	m := t.Memory
	if m == nil {
		impossible(&w, t.Fault)
		return w.String()
	}
	unit := unitOf(r)
	where, why := layoutWords(&t.Question.Layout), r.SumUnsure()
	if why != "" {
		where += ", an estimate"
	}
	figure(&w, "Sum of its parts", where, units.Bytes(m.Bytes).In(unit), func() {
		if why != "" {
			w.Raw(`<p>An estimate: `).Text(why).Raw(`.</p>`)
		}
		states(&w, m)
		kept(&w, r)
		w.Raw(`<p class="source">`).Text(t.Question.Optimizer.Source).Raw("; ").Text(t.Question.Precision.Source).Raw(`. `).Text(activationsOf(t.Question.Saving.Fused))
		if r.Query.Get(query.Flash) == "on" {
			w.Raw("attention scores not stored (Dao et al. 2022, arXiv 2205.14135, section 3.1).")
		} else {
			w.Raw("attention scores stored.")
		}
		w.Raw(` The runtime's own buffers are not in it. <a href="/memory-to-train/#bytes">Four numbers for each parameter</a></p>`)
		beyond(&w, r)
	})
	for p := train.Part(0); p < train.NumParts; p++ {
		if n := m.Parts[p]; n > 0 {
			part(&w, p.String(), units.Bytes(n).In(unit))
		}
	}
	if m.Host > 0 {
		part(&w, "offloaded to CPU", units.Bytes(m.Host).In(unit))
	}
	declared(&w, r, "training")
	trainingFits(&w, r)
	if len(t.Adapters) > 0 {
		w.Raw(`<p class="fact">trained <b>`).Count(int64(t.Trainable)).Raw(`</b> parameters of adapters, `).Text(units.Percent(int64(t.Trainable), int64(r.Parameters.Total))).Raw(` of the model</p>`)
	}
	return w.String()
}

// activationsOf says whose activations are counted.
func activationsOf(fused bool) string {
	if fused {
		return "Activations as Megatron-LM's kernels keep them (Korthikanti et al. 2022, arXiv 2205.05198, section 4): norms their input, masks a byte; "
	}
	return "Activations as autograd keeps them of transformers' modules, "
}

// ledger begins a table in a box that scrolls; the caller writes its rows and ends
// it with endLedger.
func ledger(w *markup.Writer, name string, head ...markup.Markup) {
	w.Raw(`<div class="scroll" tabindex="0" role="group" aria-label="`).Text(name).Raw(`"><table class="ledger"><thead><tr>`)
	for i, h := range head {
		w.Raw(`<th scope="col"`)
		if i == len(head)-1 {
			w.Raw(` class="num"`)
		}
		w.Raw(`>`).Add(h).Raw(`</th>`)
	}
	w.Raw(`</tr></thead><tbody>`)
}

const endLedger = `</tbody></table></div>`

// row writes a row of a ledger: its head, cells, and bytes at the end.
func row(w *markup.Writer, bytes int64, head string, cells ...string) {
	w.Raw(`<tr><th scope="row">`).Text(head).Raw(`</th>`)
	for _, c := range cells {
		w.Raw(`<td>`).Text(c).Raw(`</td>`)
	}
	w.Raw(`<td class="num">`).Count(bytes).Raw(`</td></tr>`)
}

// states is the table of weights, gradients and moments in multiples of Φ: 2Φ + 4Φ
// and so on; what isn't a multiple of Φ is given as values times the bytes of each.
func states(w *markup.Writer, m *train.Memory) {
	phi := int64(m.Trained)
	ledger(w, "States", markup.Text("Φ = "+units.Group(phi)), "Multiple", "Bytes a parameter", "Bytes")
	total, sum, even := int64(0), int64(0), true
	for _, host := range [...]bool{false, true} {
		where := ""
		if host {
			where = ", with the host"
		}
		for of := train.Part(0); of < train.NumParts; of++ {
			multiple, names, bytes := "", "", int64(0)
			for i := range m.Terms {
				x := &m.Terms[i]
				if x.Host != host || x.Of != of {
					continue
				}
				switch {
				case x.Formula != "":
					if multiple != "" {
						multiple, names = multiple+" + ", names+" and "
					}
					multiple, names, bytes = multiple+x.Formula, names+x.Title, bytes+int64(x.Bytes)
				case x.Each > 0:
					row(w, int64(x.Bytes), x.Title+where, units.Group(x.Values)+" × "+units.Itoa(x.Each), perPhi(x.Bytes, phi))
				default:
					row(w, int64(x.Bytes), x.Title+where, "", "")
				}
				if !host {
					total, sum, even = total+int64(x.Bytes), sum+x.Each, even && x.Formula != "" && x.Over == 1
				}
			}
			if multiple != "" {
				row(w, bytes, names+where, multiple, perPhi(float64(bytes), phi))
			}
		}
	}
	multiple := ""
	if even {
		multiple = units.Itoa(sum) + "Φ"
	}
	row(w, total, "In all", multiple, perPhi(float64(total), phi))
	w.Raw(endLedger)
}

// perPhi is bytes for each of n parameters.
func perPhi(bytes float64, n int64) string {
	if n <= 0 {
		return ""
	}
	s := units.Fixed(int64(bytes), n, 3)
	for s[len(s)-1] == '0' {
		s = s[:len(s)-1]
	}
	if s[len(s)-1] == '.' {
		s = s[:len(s)-1]
	}
	return s
}

// beyond is the table of what PyTorch takes that is in no sum.
func beyond(w *markup.Writer, r *report.Report) {
	list := r.Beyond()
	if len(list) == 0 {
		return
	}
	ledger(w, "What PyTorch takes beside it", "Beside it, with PyTorch's fully_shard", "Formula and values", "Bytes")
	sum, sources := 0.0, ""
	for i := range list {
		x := &list[i]
		row(w, int64(x.Bytes), x.What, x.Formula+": "+x.Values)
		sum = float64(sum + x.Bytes)
		if i > 0 {
			sources += "; "
		}
		sources += x.Source
	}
	row(w, int64(sum), "In all, in no figure here", "")
	w.Raw(endLedger, `<p class="source">`).Text(sources).Raw(`</p>`)
}

// firstOf reports whether none of a list is kept for that reason.
func firstOf(list []train.Saved, what string) bool {
	for i := range list {
		if list[i].What == what {
			return false
		}
	}
	return true
}

func microBatches(n int64) string {
	if n == 1 {
		return "1 micro-batch"
	}
	return units.Group(n) + " micro-batches"
}

// impossible says why a run cannot be, beside the rest of the answer.
func impossible(w *markup.Writer, f *fault.Error) {
	if f != nil {
		w.Raw(`<p class="fact">`).Text(f.Error()).Raw(`.</p>`)
	}
}

// layoutWords says over how many devices a run is laid out.
func layoutWords(l *train.Layout) string {
	n := l.Devices()
	if n == 1 {
		return "one device"
	}
	return units.Group(n) + " devices"
}
