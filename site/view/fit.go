package view

import (
	"llmsize/core/memory"
	"llmsize/core/model"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/serve"
	"llmsize/core/units"
	"llmsize/site/chart"
	"llmsize/site/markup"
)

// Verdicts are the regions that answer what most readers come for: whether it fits, and what one token takes. They need a
// device, so hosts write them that count with report.Answer.
func Verdicts() []Region {
	return []Region{{"fit", fit}, {"brief", brief}, {"slim", slim}, {"opening", opening}, {"outset", outset}}
}

// fit is the verdict, and what the device holds drawn to scale.
func fit(r *report.Report) string {
	var w markup.Writer
	x := &r.Running
	if x.Device == nil {
		w.Raw(`<p class="verdict">`)
		switch {
		case x.Fault != nil:
			w.Text(capital(x.Fault.Error()) + ".")
		case r.Subject.Device == nil:
			w.Raw(`No device of the catalogue is called `).Text(r.Query.Get(query.Device)).Raw(`. Choose one to see whether the model fits.`)
		}
		return w.Raw(`</p>`).String()
	}
	judged(&w, r)
	m := held(r)
	w.Add(markup.Markup(m.SVG(1000, "wide"))).Add(markup.Markup(m.SVG(360, "narrow")))
	return w.String()
}

// slim is the verdict in a line, with the bar in small, for the strip at the foot of a phone.
func slim(r *report.Report) string {
	var w markup.Writer
	x, unit := &r.Running, unitOf(r)
	w.Raw(`<a href="#answer"><b>`)
	if x.Device == nil {
		return w.Text(r.Parameters.Total.Short()).Raw(`</b> parameters</a>`).String()
	}
	room := x.Device.Memory
	f, fits := onDevice(r)
	switch {
	case fits == "yes" && x.Fits != "yes":
		w.Raw(`Fits in part</b>, the rest on the host`)
	case fits == "yes":
		w.Raw(`Fits</b>, `).Text(units.Bytes(room - f.Sum()).In(unit)).Raw(` to spare`)
	case fits == "no":
		w.Raw(`Needs `).Text(units.Bytes(f.Sum() - room).In(unit)).Raw(` more</b>`)
	default:
		w.Raw(`May fit</b>`)
	}
	m := chart.Memory{Room: room, Frames: []chart.Frame{f}, Unit: unit}
	return w.Add(markup.Markup(m.Small())).Raw(`</a>`).String()
}

// judged is the verdict in a sentence, and the changes that make it fit. Of a run that stays on the host in part it is about the
// device's side; what is on the host, and whether the device has room for all of it, comes behind.
func judged(w *markup.Writer, r *report.Report) {
	x, s := &r.Running, r.Sides()
	in := func(n int64) string { return units.Bytes(n).In(unitOf(r)) }
	f, fits := onDevice(r)
	t, room := f.Sum(), x.Device.Memory
	part, each := "", ""
	if x.Accelerators > 1 {
		each = " on the fullest device"
	}
	if s != nil {
		part = " in part"
	}
	switch fits {
	case "yes":
		w.Raw(`<p class="verdict yes"><b>Fits`).Text(part).Raw(`</b>, with <b>`).Text(in(room - t)).Raw(`</b> to spare`)
	case "no":
		w.Raw(`<p class="verdict no"><b>Needs `).Text(in(t - room)).Raw(` more</b>`)
	default:
		w.Raw(`<p class="verdict unclear"><b>May fit`).Text(part).Raw(`</b>: between `).Text(in(f.High - room)).Raw(` short and `).Text(in(room - f.Low)).Raw(` to spare`)
	}
	w.Text(each).Add(stamp("estimate"))
	if s != nil {
		w.Raw(`</p><p class="lead">With `).Text(s.How()).Raw(`, the host holds `).Text(in(int64(s.Host))).Raw(`. All of it on the device <b class="`).Text(x.Fits).Raw(`">`)
		if over := x.Fullest.Total.Bytes - room; x.Fits == "no" {
			w.Raw(`needs `).Text(in(over)).Raw(` more`)
		} else {
			w.Text(report.FitWords(x.Fits))
		}
		w.Raw(`</b>.`)
	}
	if x.Fits == "yes" {
		w.Raw(`</p>`)
		return
	}
	w.Raw(` <span class="fixes">`)
	sep := ""
	offer := func(words string, change ...string) {
		w.Text(sep)
		apply(w, r, words, change...)
		sep = " "
	}
	if x.Format != "" && x.Format != r.Weights.Format {
		offer(formatName(x.Format)+" fits", "weights", x.Format)
	}
	if x.FewestOK && x.Fewest.Devices() > x.Accelerators {
		n := (x.Fewest.Devices() + x.Device.Count - 1) / x.Device.Count
		offer(units.Group(n)+" × "+x.Device.Name+" fit", "devices", units.Itoa(n), "tp", units.Itoa(x.Fewest.TP), "pp", units.Itoa(x.Fewest.PP), "ep", "", "dp", "")
	}
	if x.Context > 0 && !x.AnyContext {
		offer(tokensFit(r), "context", units.Itoa(x.Context))
	}
	if sep == "" {
		w.Raw(`No format of the weights, no shorter context and no number of these devices that is tried makes it fit.`)
	}
	w.Raw(`</span></p>`)
}

// tokensFit is the longest context that fits, with what the model was trained for where that is less.
func tokensFit(r *report.Report) string {
	said := units.Group(r.Running.Context) + " tokens fit"
	if p := r.Positions(); p > 0 && r.Running.Context > p {
		said += " (trained for " + units.Group(p) + ")"
	}
	return said
}

// apply offers a change of the question: keys with their values, of which an empty one is the default. The link is the
// changed question's.
func apply(w *markup.Writer, r *report.Report, words string, change ...string) {
	q, list := r.Query, ""
	for i := 0; i+1 < len(change); i += 2 {
		if p, ok := query.ParamNamed(change[i]); ok {
			if change[i+1] == "" {
				q.Clear(p)
			} else if err := q.Put(p, change[i+1]); err != nil {
				return
			}
		}
		if i > 0 {
			list += "&"
		}
		list += change[i] + "=" + change[i+1]
	}
	if words != "" {
		words += " "
	}
	w.Raw(`<span class="fix">`).Text(words).Raw(`<a class="apply"`).Attr("href", "/?"+q.String()).Attr("data-apply", list).Raw(`>Apply</a></span>`)
}

// stamp says how sure a number is, as a stamp on a plan does.
func stamp(status string) markup.Markup {
	return new(markup.Writer).Raw(` <span class="status `).Text(status).Raw(`">`).Text(status).Raw(`</span>`).Markup()
}

// formatName is a format as people write it: GGUF's recipes in capitals.
func formatName(format string) string {
	for i := 1; i < len(format); i++ {
		if format[i] == '_' && (format[0] == 'q' || format[0] == 'i') {
			out := []byte(format)
			for j, c := range out {
				if 'a' <= c && c <= 'z' {
					out[j] = c - 'a' + 'A'
				}
			}
			return string(out)
		}
	}
	return format
}

// mostFrames are the devices that are drawn.
const mostFrames = 8

// held is the fullest device with what it holds, and the others beside it; of a run that stays on the host in part also what is there.
func held(r *report.Report) *chart.Memory {
	x, unit := &r.Running, unitOf(r)
	room := x.Device.Memory
	m := &chart.Memory{Device: x.Device.Name, Capacity: units.Bytes(room).In(unit), Unit: unit, Room: room}
	first, _ := onDevice(r)
	m.Frames = append(m.Frames, first)
	drawn := int64(1)
	for i := int64(0); i < x.Accelerators && drawn < mostFrames; i++ {
		s := &x.Stages[i%int64(len(x.Stages))]
		if s == x.Fullest && i < int64(len(x.Stages)) {
			continue // it stands first
		}
		m.Frames = append(m.Frames, frameOf(s))
		drawn++
	}
	if left := x.Accelerators - drawn; left > 0 {
		m.Left = "and " + plural(left, "device") + " more"
	}
	if x.Accelerators > 1 {
		m.Device = units.Group(x.Accelerators) + " × " + m.Device
	}
	s, weights, cache := r.Sides(), first.Held[0].Bytes, first.Held[1].Bytes
	if s != nil {
		m.Left = "on the host: weights " + units.Bytes(int64(s.Host)-int64(s.HostCache)).In(unit) + ", KV cache " + units.Bytes(s.HostCache).In(unit)
	}
	if whole := int64(r.Cache.Bytes); cache > 0 && whole > 0 {
		per := float64(int64(r.Cache.PerToken)) * float64(r.Query.Int(query.Batch)) * (float64(cache) / float64(whole))
		if m.Grip = (chart.MemoryOf{Per: int64(per), Tokens: r.Query.Int(query.Context)}); per >= 1 {
			m.Grip.From = weights + cache - int64(per*float64(m.Grip.Tokens))
		} else {
			m.Grip = chart.MemoryOf{}
		}
		if s == nil && x.Context > 0 && !x.AnyContext {
			if at := r.CacheCurve([]int64{x.Context}); len(at) == 1 {
				m.Most, m.MostSay = weights+int64(float64(cache)*(float64(at[0].Bytes)/float64(whole))), tokensFit(r)
			}
		}
	}
	m.Label = "Memory of " + m.Name() + ": "
	sep := ""
	for _, h := range m.Frames[0].Held {
		m.Label += sep + h.Name + " " + units.Bytes(h.Bytes).In(unit)
		sep = ", "
	}
	if t := first.Sum(); t <= room {
		m.Label += sep + "free " + units.Bytes(room-t).In(unit) + "."
	} else {
		m.Label += sep + "too much by " + units.Bytes(t-room).In(unit) + "."
	}
	if s != nil {
		m.Label += " " + capital(m.Left) + "."
	}
	if m.MostSay != "" {
		m.Label += " " + m.MostSay + "."
	}
	return m
}

// Shares are a device's weights, its cache, and all else, which is estimated.
func Shares(terms []memory.Term) (weights, cache, working int64) {
	for i := range terms {
		switch t := &terms[i]; t.What {
		case "weights":
			weights += t.Bytes
		case "cache":
			cache += t.Bytes
		default:
			working += t.Bytes
		}
	}
	return weights, cache, working
}

// OnDevice are the [Shares] of the device that the verdict is about: the fullest, or the only one with its side of a run that stays
// on the host in part.
func OnDevice(r *report.Report) (weights, cache, working int64) {
	if s := r.Sides(); s != nil {
		all, cache := int64(s.Device), int64(s.DeviceCache)
		return all - cache, cache, s.Holds.Bytes - all
	}
	return Shares(r.Running.Fullest.Terms)
}

// onDevice draws them, and says whether the device has room.
func onDevice(r *report.Report) (f chart.Frame, fits string) {
	x := &r.Running
	f, fits = frameOf(x.Fullest), x.Fits
	if s := r.Sides(); s != nil {
		f.Low, f.High, fits = s.Holds.Low, s.Holds.High, s.Fits
	}
	f.Held[0].Bytes, f.Held[1].Bytes, f.Held[2].Bytes = OnDevice(r)
	return f, fits
}

func frameOf(s *serve.Stage) chart.Frame {
	weights, cache, working := Shares(s.Terms)
	return chart.Frame{Low: s.Total.Low, High: s.Total.High, Held: []chart.Held{
		{Class: "m-weights", Name: "weights", Bytes: weights},
		{Class: "m-cache", Name: "KV cache", Bytes: cache},
		{Class: "m-working", Name: "working", Bytes: working, Estimate: true},
	}}
}

// brief is what one token takes, and what other tools make of the cache.
func brief(r *report.Report) string { return briefWith(r, "") }

// briefWith is brief with what is predicted of a token's time (package speed) in place of its bound, where that is known.
func briefWith(r *report.Report, predicted string) string {
	var w markup.Writer
	x, unit := &r.Running, unitOf(r)
	w.Raw(`<dl class="facts-row">`)
	if d := &x.Speed.Decode; x.Device != nil && d.Seconds > 0 {
		if predicted == "" {
			predicted = Fact("at best "+units.Seconds(d.Seconds).Short(), "the device can’t be faster", "")
		}
		w.Raw(`<div data-token><dt>Time per token</dt><dd>`).Add(markup.Markup(predicted)).Raw(`</dd></div>`)
	}
	if n := r.Cache.PerToken; n > 0 {
		w.Raw(`<div><dt>Cache per token</dt><dd>`).Add(markup.Markup(Fact(n.In(unit), units.Group(int64(n))+" bytes", r.Status()))).Raw(`</dd></div>`)
	}
	if n, why := othersSay(r); n > 0 {
		w.Raw(`<div><dt>Others say</dt><dd><b>`).Text(units.Bytes(n).In(unit)).Raw(`</b> <span class="quiet">of cache, `).Text(why).Raw(`</span> <a href="/why-is-my-number-different/" data-more="mine">Why?</a></dd></div>`)
	}
	repository(&w, r)
	return w.Raw(`</dl>`).String()
}

// Fact is a number of the first screen: its reading, how sure it is (empty for one that says so itself), and what goes with it.
func Fact(reading, about, status string) string {
	var w markup.Writer
	w.Raw(`<b>`).Text(reading).Raw(`</b>`)
	if status != "" {
		w.Add(stamp(status))
	}
	return w.Raw(` <span class="quiet">`).Text(about).Raw(`</span>`).String()
}

// othersSay is what the most common rule of thumb that errs makes of the cache, with how; 0 where those here agree.
func othersSay(r *report.Report) (bytes int64, why string) {
	whole := int64(r.Cache.Bytes)
	if n, ok := dividedHeads(r); ok && n != whole {
		return n, "with heads of h/a"
	}
	if n := r.Running.Multihead; n > 0 && n != whole && whole > 0 {
		return n, "as if every head kept its own"
	}
	return 0, ""
}

// dividedHeads is the cache with heads of h/a, where all that is cached are keys and values of one width.
func dividedHeads(r *report.Report) (int64, bool) {
	_, h := memory.HeadSize(r.Model)
	var a, d int64
	for bi := range r.Model.Blocks {
		b := &r.Model.Blocks[bi]
		for ki := range b.Kinds {
			for pi := range b.Kinds[ki].Parts {
				p := &b.Kinds[ki].Parts[pi]
				if p.Get(model.KVHeads) == 0 {
					continue
				}
				if p.Get(model.Latent) > 0 || a > 0 && (p.Get(model.Heads) != a || p.Get(model.HeadDim) != d) {
					return 0, false
				}
				a, d = p.Get(model.Heads), p.Get(model.HeadDim)
			}
		}
	}
	for i := range r.Cache.Terms {
		if t := &r.Cache.Terms[i]; t.What != "keys and values" || t.Window > 0 {
			return 0, false
		}
	}
	if a == 0 || d == 0 || h%a != 0 || h/a == d {
		return 0, false
	}
	n, ok := units.Mul(int64(r.Cache.Bytes)/d, h/a)
	return n, ok
}
