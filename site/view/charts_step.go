package view

import (
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/step"
	"llmsize/core/timeline"
	"llmsize/core/units"
	"llmsize/site/chart"
	"llmsize/site/markup"
)

// band is what some categories of a step's bytes are drawn as.
type band struct {
	name  string
	of    []step.Category
	class string // its colour, in the picture and in a bar of memory
	short string // what it is called in the bar, and on a card
}

// stepBands are what a step's bytes are for, and the letters of the picture; categories that share a band add up.
var stepBands = []band{
	{"weights", []step.Category{step.Weights, step.Inputs}, "m-weights", "weights"},
	{"optimizer states", []step.Category{step.States}, "m-cache", "optimizer states"},
	{"gradients", []step.Category{step.Gradients}, "m-cache tint", "gradients"},
	{"activations", []step.Category{step.Activations}, "m-working tint", "activations"},
	{"copies of weights, gathered shards", []step.Category{step.Copies, step.Gathered}, "m-weights tint", "gathered, copies"},
	{"temporaries", []step.Category{step.Temporaries}, "m-working", "temporaries"},
	{"KV cache", []step.Category{step.Cache}, "m-cache kv", "KV cache"},
}

// Band is what some categories of a step's bytes are shown as.
type Band struct {
	Name string // short
	Held func(*step.Split) int64
}

// StepBands are the areas of a step's picture, from below.
func StepBands() (out []Band) {
	for i := range stepBands {
		b := &stepBands[i]
		out = append(out, Band{b.short, b.held})
	}
	return out
}

// PeakWords names a moment in few words: "backward, loss".
func PeakWords(m *step.Moment) string {
	if m.Phase == step.Optimize {
		return "the optimizer's step"
	}
	return m.Phase.String() + ", " + peakWords(m)
}

// servedBands are the same of inference.
var servedBands = []band{
	stepBands[0],
	{"KV cache", []step.Category{step.Cache}, "m-cache", "KV cache"},
	{"temporaries", []step.Category{step.Temporaries, step.Activations, step.Copies, step.Gathered}, "m-working", "temporaries"},
}

// held is what a moment holds of a band.
func (b *band) held(live *step.Split) (n int64) {
	for _, c := range b.of {
		n += live[c]
	}
	return n
}

// momentName says when a moment is and what is at work: "backward, layer 3, feed-forward: product".
func momentName(m *step.Moment) string {
	s := m.Phase.String()
	if m.Phase == step.Optimize {
		return "optimizer's step"
	}
	if m.Layer >= 0 {
		s += ", layer " + units.Group(int64(m.Layer))
	}
	if m.Part != "" {
		s += ", " + m.Part
	}
	if m.Op != "" && m.Op != m.Part {
		s += ": " + m.Op
	}
	return s
}

// mountain draws what is live over some moments, one after another, and lists them. Peak is the place of the highest.
func mountain(r *report.Report, curve []step.Moment, bands []band) (c chart.Stack, g *graph, peak int) {
	unit := unitOf(r)
	var m moments
	last := int64(len(curve))
	put := func(at int64, live *step.Split) {
		high := make([]int64, len(bands))
		for i := range bands {
			high[i] = bands[i].held(live)
		}
		m.put(at, high...)
	}
	for i := range curve {
		x := &curve[i]
		if i == 0 {
			put(0, &x.Live)
		}
		end := int64(i+1) * 1000 / last
		put(end, &x.Live)
		if n := len(c.Phases); n > 0 && c.Phases[n-1].Title == x.Phase.String() {
			c.Phases[n-1].Until = end
		} else if n == 0 || n < 9 { // a pipeline's passes take turns
			c.Phases = append(c.Phases, chart.Phase{Title: x.Phase.String(), Until: end})
		}
		if x.Live.Total() > curve[peak].Live.Total() {
			peak = i
		}
	}
	if len(c.Phases) >= 9 {
		c.Phases = []chart.Phase{{Title: "passes in the order of the schedule", Until: 1000}}
	}
	c.At = m.at
	c.Cursor = true
	g = &graph{fill: true, moments: true, at: peak, head: []string{"Moment"}}
	var shown []*band
	for i := range bands {
		b := &bands[i]
		most := int64(0)
		for _, n := range m.bands[i] {
			most = max(most, n)
		}
		if most == 0 {
			continue
		}
		c.Bands = append(c.Bands, chart.Band{Name: b.name, Class: b.class, High: m.bands[i]})
		g.keys, g.classes = append(g.keys, b.name), append(g.classes, b.class)
		g.head = append(g.head, b.name)
		shown = append(shown, b)
	}
	g.head = append(g.head, "in all")
	for i := range curve {
		x := &curve[i]
		name := momentName(x)
		if x.Batch > 0 || x.Piece > 0 {
			name += ", micro-batch " + units.Group(int64(x.Batch))
			if x.Piece > 0 {
				name += ", piece " + units.Group(int64(x.Piece))
			}
		}
		row := []string{name}
		for _, b := range shown {
			row = append(row, units.Bytes(b.held(&x.Live)).In(unit))
		}
		g.rows = append(g.rows, append(row, units.Bytes(x.Live.Total()).In(unit)))
	}
	x := &curve[peak]
	total := x.Live.Total()
	c.Spots = []chart.Spot{{Point: chart.Point{X: int64(peak+1) * 1000 / last, Y: total}, Text: peakWords(x) + ", " + units.Bytes(total).In(unit)}}
	top := roomLevel(&c, r, total)
	c.Y = chart.Axis{Title: "live tensors of the fullest device", Linear: true, To: top + top/12, Ticks: byteSteps(top+top/12, unit)}
	return c, g, peak
}

// peakWords names what is at work at a moment, in few words.
func peakWords(m *step.Moment) string {
	if m.Part != "" && m.Op != "" && m.Part != m.Op {
		return m.Part + ": " + m.Op
	}
	if m.Part != "" {
		return m.Part
	}
	return m.Op
}

// stepChart is memory over one step of training, layer by layer: the fullest moment of each, forward, backward and in
// the optimizer's step. A run that no timeline follows has none.
func stepChart(r *report.Report) *graph {
	x := fullest(r, true)
	if x == nil {
		return nil
	}
	unit := unitOf(r)
	c, g, _ := mountain(r, x.Curve, stepBands)
	peak := units.Bytes(x.Peak).In(unit)
	where := peakPlace(&x.At)
	c.Label = "Memory over one step of training. It peaks at " + peak + " " + where + "; after the forward pass " + units.Bytes(x.AfterForward).In(unit) + " are live, between steps " + units.Bytes(x.Steady).In(unit) + "."
	low, likely, high := timeline.Device(r, x)
	g.note = "The peak is " + where + ". Each layer shows its fullest moment; the width of a layer is not its time. A device shows " + units.Bytes(low).In(unit) + " to " + units.Bytes(high).In(unit) + ", likely " + units.Bytes(likely).In(unit) + ": the allocator's slack, the CUDA context and the kernels' own buffers come on top."
	if s := timeline.Unsure(r); s != "" {
		g.note += " " + s + "."
	}
	g.svg = c.SVG
	g.more = func(w *markup.Writer) {
		stepChanges(w, r, x)
		programs(w, r)
	}
	return g
}

// fullest is the step's timeline, of a pipeline that of its fullest rank; nil where none is known.
func fullest(r *report.Report, curve bool) *step.Timeline {
	if r.Training.Memory == nil {
		return nil
	}
	x, err := timeline.Training(r, curve)
	if err != nil {
		return nil
	}
	return fullerThan(r, x, curve)
}

// fullerThan is the step of the device that holds most, from that of the first; the first's where the work is spent, nil
// where none is followed.
func fullerThan(r *report.Report, x *step.Timeline, curve bool) *step.Timeline {
	if x == nil {
		return nil
	}
	if rank, _ := x.Fullest(); rank > 0 {
		if y, err := timeline.TrainingOf(r, rank, curve); err == nil {
			return y
		}
	}
	return x
}

// prefillChart is memory while the prompt is read and one token follows, layer by layer.
func prefillChart(r *report.Report) *graph {
	x, err := timeline.Inference(r, true)
	if err != nil || len(x.Curve) == 0 {
		return nil
	}
	unit := unitOf(r)
	c, g, _ := mountain(r, x.Curve, servedBands)
	at := x.High[step.Prefill]
	c.Label = "Memory while a prompt is read. It peaks at " + units.Bytes(x.PeakPrefill).In(unit) + ", " + momentName(&at) + "; after it " + units.Bytes(x.AfterPrefill).In(unit) + " are live."
	g.note = "One pass over the whole prompt and one token more, as PyTorch runs transformers' class. Each layer shows its fullest moment. A server that reads the prompt in pieces peaks lower."
	if s := timeline.ServedUnsure(r); s != "" {
		g.note += " " + s + "."
	}
	g.svg = c.SVG
	return g
}

// unread says why no timeline follows a prefill.
func unread(r *report.Report) string {
	if _, err := timeline.Inference(r, false); err != nil {
		return err.Error()
	}
	return ""
}

// table begins a table of several columns of words and one or more of numbers, whose heads begin with "#".
func table(w *markup.Writer, caption string, head ...string) {
	w.Raw(`<div class="scroll" tabindex="0" role="group"`).Attr("aria-label", caption).Raw(`><table class="ledger"><caption>`).Text(caption).Raw(`</caption><thead><tr>`)
	for _, h := range head {
		w.Raw(`<th scope="col"`)
		if h[0] == '#' {
			w.Raw(` class="num"`)
			h = h[1:]
		}
		w.Raw(`>`).Text(h).Raw(`</th>`)
	}
	w.Raw(`</tr></thead><tbody>`)
}

// stepChanges lists what would lower a step's peak, each a link to that question.
func stepChanges(w *markup.Writer, r *report.Report, now *step.Timeline) {
	room, caption, fits := int64(0), "What lowers the peak, the least cost first", false
	if d := r.Subject.Device; d != nil {
		room = d.Memory
		caption = "What would make it fit " + d.Name + ", the least cost first"
		if _, likely, _ := timeline.Device(r, now); likely <= room {
			fits = true
			caption = "It fits " + d.Name + ". What lowers the peak further, the least cost first"
		}
	}
	list := timeline.Changes(r, room)
	if len(list) == 0 {
		return
	}
	unit := unitOf(r)
	_, peak := now.Fullest()
	table(w, caption, "Change", "#Peak", "#Saved", "Costs")
	for i := range list {
		c := &list[i]
		w.Raw(`<tr><th scope="row"><a`).Attr("href", "/?"+c.Query.String()).Attr("data-apply", c.Apply()).Raw(`><code>`).Text(c.Set()).Raw(`</code></a>`)
		if c.Fits && !fits { // else all of them do
			w.Raw(` fits`)
		}
		w.Raw(`</th><td class="num">`).Text(units.Bytes(c.Peak).In(unit)).Raw(`</td><td class="num">`).Text(units.Bytes(peak - c.Peak).In(unit)).Raw(`</td><td>`).Text(c.Costs).Raw(`</td></tr>`)
	}
	w.Raw(endLedger)
}

// programs lists what training programs set, with what each then peaks at, and its source.
func programs(w *markup.Writer, r *report.Report) {
	unit := unitOf(r)
	table(w, "What training programs set, and the peak with each", "Program", "What it sets", "#Peak")
	for i := range query.Programs {
		p := &query.Programs[i]
		q := r.Query
		if q.Put(query.Program, p.Name) != nil {
			continue
		}
		title, source := p.About()
		w.Raw(`<tr><th scope="row"><a`).Attr("href", "/?"+q.String()).Raw(`>`).Text(title).Raw(`</a>`)
		if r.Query.Get(query.Program) == p.Name {
			w.Raw(` <span class="quiet">asked</span>`)
		}
		w.Raw(`</th><td>`)
		for j, k := range p.For(&r.Query) {
			if j > 0 {
				w.Raw(` `)
			}
			w.Raw(`<code>`).Text(query.About(k.Param).Name).Raw(`=`).Text(k.Value).Raw(`</code>`)
		}
		w.Raw(` <span class="quiet">`).Text(source).Raw(`</span></td><td class="num">`)
		if again, err := r.AgainWithin(q, r.Subject.Device); err == nil && again.Training.Fault == nil {
			if x, err := timeline.Training(again, false); err == nil {
				_, peak := x.Fullest()
				w.Text(units.Bytes(peak).In(unit))
			} else {
				w.Text(err.Problem)
			}
		}
		w.Raw(`</td></tr>`)
	}
	w.Raw(endLedger, `<p class="source">A key that the question sets itself stays as it is.</p>`)
}

// peakPlace says where in a step a moment is.
func peakPlace(m *step.Moment) string {
	switch m.Phase {
	case step.Optimize:
		return "in the optimizer's step"
	case step.Reference:
		return "while the reference model reads"
	case step.Rollout:
		return "while answers are written"
	case step.Forward, step.Backward:
		where := "in the " + m.Phase.String() + " pass"
		if m.Layer >= 0 {
			where += " of layer " + units.Group(int64(m.Layer))
		}
		if m.Part != "" {
			where += ", at the " + m.Part
		}
		return where
	}
	return "in the " + m.Phase.String()
}
