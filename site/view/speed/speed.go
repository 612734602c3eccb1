// Package speed writes what a page shows of predicted speeds (core/predict): rates with their bands beside the bound, where a step's
// time goes, what users of a server see, and where a reader's own rate stands. It follows the rules of package view.
package speed

import (
	"llmsize/core/predict"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/site/chart"
	"llmsize/site/markup"
	"llmsize/site/view"
)

// Widths of the charts' sheets, of which the stylesheet shows one.
const wide, narrow = 600, 328

// HTML is the whole region.
func HTML(r *report.Report, l *predict.Library) string {
	var w markup.Writer
	a, ok := predict.Run(r, l)
	if !ok {
		return `<p class="quiet">There is nothing to predict: no device is known, or the layout is one that the model cannot have.</p>`
	}
	rates(&w, r, &a)
	basis(&w, &a)
	offload(&w, &a)
	w.Add(markup.Markup(Measured(&a)))
	fall(&w, &a)
	users(&w, &a)
	return w.String()
}

// Token is the time of a token as the first screen shows it: predicted, with its band and the bound; empty where nothing is
// predicted, or of a question that no device can answer.
func Token(r *report.Report, l *predict.Library) string {
	if r.Running.Device == nil || r.Running.Speed.Decode.Seconds <= 0 {
		return ""
	}
	a, ok := predict.Run(r, l)
	if !ok || a.Decode == nil || a.Decode.Low <= 0 || a.Bounds.Decode.Seconds <= 0 {
		return ""
	}
	d := a.Decode
	low, high, best := seconds(1/d.High), seconds(1/d.Low), seconds(a.Bounds.Decode.Seconds)
	if n, unit := cut(high); unit == unitOf(best) { // a unit that follows need not be said twice
		high = n
		if n, of := cut(low); of == unit {
			low = n
		}
	}
	return view.Fact(seconds(1/d.Likely), low+" to "+high+", at best "+best, "estimate")
}

// rates is the table of what is predicted.
func rates(w *markup.Writer, r *report.Report, a *predict.Answer) {
	q := &r.Query
	open := false
	row := func(what string, x *predict.Range, bound float64, text func(float64) string) {
		if x == nil {
			return
		}
		if !open {
			open = true
			w.Raw(`<div class="scroll" tabindex="0" role="group" aria-label="Predicted speeds"><table class="ledger"><caption>Predicted: of each sequence, and over all devices where several work; eight of ten runs lie between the ends</caption><thead><tr><th scope="col">What</th><th scope="col" class="num">Likely</th><th scope="col" class="num">Eight of ten</th><th scope="col" class="num">At best</th></tr></thead><tbody>`)
		}
		w.Raw(`<tr><th scope="row">`).Text(what).Raw(`</th><td class="num"><b>`).Text(text(x.Likely)).Raw(`</b></td><td class="num">`)
		if x.Low < x.High { // else nobody knows how far runs scatter
			w.Text(text(x.Low) + " to " + text(x.High))
		}
		w.Raw(`</td><td class="num">`)
		if bound > 0 {
			w.Text(text(bound))
		}
		w.Raw(`</td></tr>`)
	}
	inverse := func(seconds, times float64) float64 {
		if seconds > 0 {
			return times / seconds
		}
		return 0
	}
	row("Decode, tokens/s", a.Decode, inverse(a.Bounds.Decode.Seconds, 1), units.Three)
	row("Prefill, tokens/s", a.Prefill, inverse(a.Bounds.Prefill.Seconds, float64(q.Int(query.Prompt)*q.Int(query.Batch))), units.Three)
	if s := a.Load; s != nil {
		row("First token, "+plural(s.Users, "user"), s.First, 0, seconds)
		later := "Each later token"
		if s.First == nil {
			later += ", " + plural(s.Users, "user")
		}
		row(later, s.Token, 0, seconds)
		row("Output, tokens/s", s.Output, 0, units.Three)
	}
	row("Training, tokens/s a device", a.Training, 0, units.Three)
	if c := a.Cost; c != nil {
		row("A million tokens read", c.Input, 0, units.Three)
		row("A million generated", c.Output, 0, units.Three)
	}
	if open {
		w.Raw(`</tbody></table></div>`)
	}
	if a.Load != nil && a.Load.First != nil {
		w.Raw(`<p class="quiet">The first token is the least sure of these: it waits in a queue that few sources describe.</p>`)
	}
	if p := a.Promise; p != nil {
		w.Raw(`<p>Within the promise`)
		if p.First > 0 {
			w.Raw(`, a first token in `).Text(seconds(p.First))
		}
		if p.Token > 0 {
			w.Raw(`, later ones in `).Text(seconds(p.Token))
		}
		if p.Likely == 0 {
			w.Raw(`: <b>not one user</b>, likely.</p>`)
		} else {
			w.Raw(`: <b>`).Text(plural(float64(p.Likely), "user")).Raw(`</b>, likely; at the slow end of the band `).Count(p.Sure).Raw(`.`)
			if p.Likely == p.Room {
				w.Raw(` Memory has no room for more.`)
			}
			w.Raw(`</p>`)
		}
	}
	if a.Energy > 0 {
		w.Raw(`<p>A generated token takes at most `).Text(units.Three(a.Energy)).Raw(` J, if every board draws all that it may.</p>`)
	}
}

// basis says on what it rests, and what is missing.
func basis(w *markup.Writer, a *predict.Answer) {
	w.Raw(`<p class="source">`)
	if a.Engine != "" {
		w.Text(a.Title)
		if a.Usual {
			w.Raw(`, which people use on this device`)
		}
		w.Raw(`. `)
	}
	for i := range a.Basis {
		b := &a.Basis[i]
		runs := "run"
		if b.Firsts {
			runs = "first token"
		}
		w.Text(capital(b.Part)).Raw(`: `).Text(plural(float64(b.Rows), runs)).Raw(` `)
		switch {
		case b.Level == "device":
			w.Raw(`of this device`)
		case b.Level == "family":
			w.Raw(`of `).Text(others(b.Devices)).Raw(` of its kind`)
		case b.Level == "maker":
			w.Raw(`of `).Text(others(b.Devices)).Raw(` of its maker`)
		default:
			w.Raw(`of `).Text(plural(float64(b.Devices), "device"))
		}
		if b.Firsts {
			w.Raw(` under load`)
		}
		if b.Part == "training" && a.Trainer == "training" {
			w.Raw(` by several programs`)
		} else if b.Part == "training" {
			w.Raw(` by `).Text(a.Trainer)
		}
		w.Raw(`. `)
	}
	if a.Bounds.Rate > 0 {
		w.Raw(`At best: `).Text(units.FLOPs(a.Bounds.Rate).Short()).Raw(`/s in `).Text(words(a.Bounds.Format.String())).Raw(`, which this engine may multiply in. `)
	} else {
		w.Raw(`At best: bandwidth alone; no source gives this device's rate in the arithmetic of this engine. `)
	}
	w.Raw(`<a href="/accuracy/">How far predictions lie from runs</a>.</p>`)
	for _, s := range a.Beyond {
		w.Raw(`<p class="note"><b>Extrapolated:</b> `).Text(s).Raw(`.</p>`)
	}
	for _, s := range a.Missing {
		w.Raw(`<p class="note">Not predicted: `).Text(s).Raw(`.</p>`)
	}
}

// offload is both sides of a run that stays on the host in part.
func offload(w *markup.Writer, a *predict.Answer) {
	f := a.Offloaded
	if f == nil {
		return
	}
	w.Raw(`<div class="scroll" tabindex="0" role="group" aria-label="Device and host"><table class="ledger"><caption>Device and host, estimated: layers are taken to be alike</caption><thead><tr><th scope="col">Side</th><th scope="col" class="num">Layers</th><th scope="col" class="num">Weights, cache</th><th scope="col" class="num">In all</th><th scope="col" class="num">Of a step</th></tr></thead><tbody><tr><th scope="row">Device, `)
	free, short := f.Free(f.Room)
	w.Raw(`<b class="`).Text(f.Fits).Raw(`">`).Text(report.FitWords(f.Fits)).Raw(`</b>, `)
	if short > 0 {
		w.Text(units.Bytes(short).GB()).Raw(` too much`)
	} else {
		w.Text(units.Bytes(free).GB()).Raw(` free`)
	}
	w.Raw(`</th><td class="num">`).Count(f.OnDevice).Raw(`</td><td class="num">`).Text(units.Bytes(f.Device).GB()).Raw(`</td><td class="num">`).Text(units.Bytes(f.Holds.Bytes).GB()).Raw(`</td><td class="num">`).Text(seconds(f.Computed)).Raw(`</td></tr><tr><th scope="row">Host</th><td class="num">`).Count(f.Layers - f.OnDevice).Raw(`</td><td class="num">`).Text(units.Bytes(f.Host).GB()).Raw(`</td><td></td><td class="num">`).Text(seconds(f.Reading)).Raw(`</td></tr></tbody></table></div><p>Of the host's bytes `).Text(units.Bytes(f.Embedding).GB()).Raw(` are the embedding, which is looked up there. All of it on the device takes `).Text(units.Bytes(f.Whole).GB())
	w.Raw(` and `).Text(report.FitWords(f.WholeFits)).Raw(`. With `).Text(f.How()).Raw(`, decoding reaches about <b>`).Text(units.Three(f.Likely)).Raw(`</b> tokens/s, at best `).Text(units.Three(f.Bound)).Raw(`.</p>`)
}

// Measured is where a reader's own rate stands: first beside what is predicted of this very question, which knows its model, format
// and context, and then among public runs, which were of others. The two may disagree, and then it says why.
func Measured(a *predict.Answer) string {
	m := a.Measured
	if m == nil {
		return ""
	}
	var w markup.Writer
	w.Raw(`<p>Your `).Text(units.Three(m.Rate)).Raw(` tokens/s are <b>`).Text(percent(m.Share)).Raw(`</b> of the bound`)
	if m.MFU > 0 {
		w.Raw(`, at an MFU of `).Text(percent(m.MFU))
	}
	w.Raw(`. `)
	place := func(where, meaning string) {
		w.Raw(`That is <b>`).Text(where + " the predicted " + units.Three(a.Decode.Low) + " to " + units.Three(a.Decode.High)).Raw(`</b>`).Text(meaning)
	}
	causes := ""
	switch m.Place {
	case predict.Impossible:
		w.Raw(`Memory and arithmetic don't allow that, so the run wasn't this question.`)
		causes = "It may have been"
	case predict.Above:
		place("above", ": faster than at least eight of ten such runs should be.")
		causes = "What may make it so fast"
	case predict.Inside:
		place("inside", ", as eight of ten such runs should be. Nothing looks wrong.")
	case predict.Below:
		place("below", ": slower than at least eight of ten such runs should be.")
		causes = "What may make it so slow"
	}
	w.Raw(`</p>`)
	if m.Faster >= 0 && m.Place != predict.Impossible {
		rank(&w, m)
	}
	if len(m.Causes) > 0 {
		w.Raw(`<p>`).Text(causes).Raw(`:</p><ul>`)
		for _, s := range m.Causes {
			w.Raw(`<li>`).Text(capital(s)).Raw(`.</li>`)
		}
		w.Raw(`</ul>`)
	}
	return w.String()
}

// rank is where a rate stands among public runs by the share of the bound, and what that means beside the prediction.
func rank(w *markup.Writer, m *predict.Measured) {
	w.Raw(`<p>Among `).Text(plural(float64(m.Among.Rows), "public run"))
	switch m.Among.Level {
	case "device":
		w.Raw(` on this device`)
	case "family":
		w.Raw(` on `).Text(others(m.Among.Devices)).Raw(` of its kind`)
	case "maker":
		w.Raw(` on `).Text(others(m.Among.Devices)).Raw(` of its maker`)
	}
	switch {
	case m.Faster == 0:
		w.Raw(`, each comes closer to its own bound than yours.`)
	case m.Faster == 1:
		w.Raw(`, none comes as close to its own bound as yours.`)
	default:
		w.Raw(`, yours comes closer to its bound than `).Text(percent(m.Faster)).Raw(` do to theirs.`)
	}
	others := "other models and contexts"
	if m.Among.Level != "device" {
		others = "other models, contexts and devices"
	}
	switch {
	case m.Place == predict.Below && m.Faster >= 0.5:
		w.Raw(` That doesn't make it fast: those runs were of `).Text(others).Raw(`, of which the engine reaches less. The prediction knows yours.`)
	case m.Place == predict.Above && m.Faster < 0.5:
		w.Raw(` That doesn't make it slow: those runs were of `).Text(others).Raw(`, of which the engine reaches more. The prediction knows yours.`)
	case m.Place == predict.Inside && (m.Faster < 0.25 || m.Faster > 0.75):
		w.Raw(` That says more about those runs than about yours: they were of `).Text(others).Raw(`. The prediction knows yours.`)
	}
	w.Raw(`</p>`)
}

// fall leads from a step at best to the predicted one.
func fall(w *markup.Writer, a *predict.Answer) {
	p := a.Step
	if p == nil || a.Decode == nil || a.Bounds.Decode.Seconds <= 0 {
		return
	}
	nano := func(s float64) int64 { return int64(float64(s*1e9) + 0.5) }
	first, last := nano(a.Bounds.Decode.Seconds), nano(1/a.Decode.Likely)
	f := chart.Fall{From: "At best", To: "Predicted step", First: first, Last: last,
		Figure: func(n int64) string { return seconds(float64(n) / 1e9) },
		Signed: func(n int64) string {
			if n < 0 {
				return "−" + seconds(float64(-n)/1e9)
			}
			return "+" + seconds(float64(n)/1e9)
		}}
	at := first
	for _, s := range [...]struct {
		name, note string
		seconds    float64
	}{
		{"Kernels", "the part of the bandwidth that they don't reach", float64(p.Kernels + p.Read - a.Bounds.Decode.Seconds)},
		{"Products", "of more sequences than one", p.Products},
		{"Layers", "launches, norms, the least time of an attention", p.Layers},
		{"Links", "what tensor ranks exchange, and wait for", p.Links},
		{"Host", "sampling", p.Host},
	} {
		if n := nano(s.seconds); n > first/500 || -n > first/500 {
			f.Steps = append(f.Steps, chart.FallStep{Name: s.name, Note: s.note, Amount: n})
			at += n
		}
	}
	if n := last - at; n != 0 {
		f.Steps = append(f.Steps, chart.FallStep{Name: "Such devices", Note: "against the engine's others", Amount: n})
	}
	w.Raw(`<h3>From the bound to the prediction</h3>`).Add(markup.Markup(chart.Waterfall(&f)))
}

// users draws what users see against how many they are, with the promise as a box.
func users(w *markup.Writer, a *predict.Answer) {
	if len(a.Curve) < 2 {
		return
	}
	p := a.Promise
	w.Raw(`<h3>Users against latency</h3>`)
	first, token := 0.0, 0.0
	if p != nil {
		first, token = p.First, p.Token
	}
	curve(w, a, "Time per output token", token, func(s *predict.Served) *predict.Range { return s.Token })
	if a.Curve[0].First != nil {
		curve(w, a, "Time to first token", first, func(s *predict.Served) *predict.Range { return s.First })
	}
	w.Raw(`<details class="numbers"><summary>The numbers</summary><div class="scroll" tabindex="0" role="group" aria-label="What users see"><table class="ledger"><thead><tr><th scope="col" class="num">Users</th><th scope="col" class="num">First token</th><th scope="col" class="num">Each later one</th><th scope="col" class="num">Output, tokens/s</th></tr></thead><tbody>`)
	for i := range a.Curve {
		s := &a.Curve[i]
		w.Raw(`<tr><th scope="row" class="num">`).Count(int64(s.Users))
		if s.Queued {
			w.Raw(` <span class="quiet">some wait</span>`)
		}
		w.Raw(`</th><td class="num">`)
		if s.First != nil {
			w.Text(seconds(s.First.Likely))
		}
		w.Raw(`</td><td class="num">`).Text(seconds(s.Token.Likely)).Raw(`</td><td class="num">`)
		if s.Output != nil {
			w.Text(units.Three(s.Output.Likely))
		}
		w.Raw(`</td></tr>`)
	}
	w.Raw(`</tbody></table></div></details>`)
}

// curve draws one time against users: likely, and both ends of its band.
func curve(w *markup.Writer, a *predict.Answer, title string, promise float64, of func(*predict.Served) *predict.Range) {
	micro := func(s float64) int64 { return max(int64(float64(s*1e6)+0.5), 1) }
	last := &a.Curve[len(a.Curve)-1]
	low, high := micro(of(&a.Curve[0]).Low), micro(of(last).High)
	if promise > 0 {
		low, high = min(low, micro(promise)), max(high, micro(promise))
	}
	c := chart.Lines{Label: title + " against users, from " + seconds(of(&a.Curve[0]).Likely) + " for one user to " + seconds(of(last).Likely) + " for " + units.Group(int64(last.Users)) + "."}
	names := [...]string{"likely", "slow end of the band", "fast end of the band"}
	for i, pick := range [...]func(*predict.Range) float64{
		func(x *predict.Range) float64 { return x.Likely }, func(x *predict.Range) float64 { return x.High }, func(x *predict.Range) float64 { return x.Low },
	} {
		s := chart.Series{Name: names[i]}
		for j := range a.Curve {
			s.Points = append(s.Points, chart.Point{X: int64(a.Curve[j].Users), Y: micro(pick(of(&a.Curve[j])))})
		}
		c.Series = append(c.Series, s)
	}
	keys := names[:]
	if p := a.Promise; promise > 0 && p != nil && p.Likely > 0 {
		most := min(p.Likely, int64(last.Users))
		c.Series = append(c.Series, chart.Series{Name: "the promise", Points: []chart.Point{{X: 1, Y: micro(promise)}, {X: most, Y: micro(promise)}, {X: most, Y: low}}})
		c.Label += " The promise of " + seconds(promise) + " holds for " + units.Group(p.Likely) + "."
		keys = append(append([]string{}, keys...), "the promise: "+seconds(promise)+", "+plural(float64(p.Likely), "user"))
	}
	c.X = chart.Axis{Title: "Users", From: 1, To: max(int64(last.Users), 2)}
	for _, n := range chart.Powers(1, c.X.To, 2, 7) {
		c.X.Ticks = append(c.X.Ticks, chart.Tick{At: n, Text: units.Group(n)})
	}
	c.Y = chart.Axis{Title: title, From: max(low*3/4, 1), To: high * 5 / 4}
	steps := []int64{1, 2, 5}
	if c.Y.To/c.Y.From >= 100 {
		steps = steps[:1]
	}
	for ten := int64(1); ten <= c.Y.To && ten < 1e15; ten *= 10 {
		for _, n := range steps {
			if n *= ten; n >= c.Y.From && n <= c.Y.To {
				c.Y.Ticks = append(c.Y.Ticks, chart.Tick{At: n, Text: seconds(float64(n) / 1e6)})
			}
		}
	}
	w.Raw(`<div class="graph"><div class="wide">`).Add(markup.Markup(c.SVG(wide))).Raw(`</div><div class="narrow">`).Add(markup.Markup(c.SVG(narrow))).Raw(`</div><ul class="key">`)
	for i, name := range keys {
		w.Raw(`<li><svg class="sample" viewBox="0 0 28 14" width="28" height="14" aria-hidden="true"><path class="line l-`).Text(chart.Letter(i)).Raw(`" d="M0 7h28"/></svg> <b>`).Text(chart.Letter(i)).Raw(`</b> `).Text(name).Raw(`</li>`)
	}
	w.Raw(`</ul></div>`)
}

// cut parts a reading from its unit: "6.24 ms".
func cut(reading string) (number, unit string) {
	for i := range len(reading) {
		if reading[i] == ' ' {
			return reading[:i], reading[i+1:]
		}
	}
	return reading, ""
}

func unitOf(reading string) string {
	_, unit := cut(reading)
	return unit
}

func seconds(x float64) string { return units.Seconds(x).Short() }

// percent has a decimal where a whole number would say little.
func percent(x float64) string {
	if x > 0 && x < 0.1 {
		return units.Three(float64(int64(float64(x*1000)+0.5))/10) + "%"
	}
	return units.Itoa(int64(float64(x*100)+0.5)) + "%"
}

// others names devices like the asked one. A single one is another: runs of the asked device alone would be a class of its own.
func others(n int64) string {
	if n == 1 {
		return "another device"
	}
	return plural(float64(n), "device")
}

func plural(n float64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return units.Group(int64(n)) + " " + what + "s"
}

func capital(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}

// words is a format of the data in words.
func words(format string) string {
	if format == "fp16-fp16" {
		return "fp16 with fp16 sums"
	}
	return format
}
