package report

import (
	"llmsize/core/config"
	"llmsize/core/device"
	"llmsize/core/fault"
	"llmsize/core/figure"
	"llmsize/core/jsonout"
	"llmsize/core/memory"
	"llmsize/core/model"
	"llmsize/core/quant"
	"llmsize/core/query"
	"llmsize/core/serve"
	"llmsize/core/train"
	"llmsize/core/units"
)

// Running is what running the model takes: in all, and on the subject's device,
// where the host has given one.
type Running struct {
	Terms []memory.Term // as if one device held everything
	Total memory.Term

	Multihead int64 // the cache if every head kept keys and values of every token; 0 without attention

	weights *quant.Weights // tensor by tensor

	Fault        *fault.Error   // why the model cannot be laid out so; nil when it can
	Device       *device.Device // nil: what follows is not known
	Accelerators int64
	Layout       train.Layout
	Assumed      bool // the query names no layout; this one is the obvious
	Stages       []serve.Stage
	Fullest      *serve.Stage
	Fits         string // "yes", "no", or "unclear": it depends on where in the bands a run lies

	Context, Batch       int64  // the most that fits; 0 when nothing does
	AnyContext, AnyBatch bool   // nothing bounds it
	ContextBinds         string // the term that leaves no room for more
	BatchBinds           string
	ContextNeed          [3]int64 // bytes of the fullest device at one token, at the most, and at the next step
	BatchNeed            [3]int64
	Fewest               train.Layout
	FewestOK             bool
	Format               string // the largest of formats that fits this layout
	ExpertsOver          int64  // ranks that share experts, where they are not data-parallel only; 0 otherwise
	Draft                serve.Draft
	Speed                serve.Speed
}

// PolicyBytes is what the query's cache takes under a policy; Fault says why it cannot be.
type PolicyBytes struct {
	Name  string
	Bytes int64
	Fault *fault.Error
}

// formats are the formats of weights among which the largest that fits is
// sought, by size, with no more tenths of a bit than their elements take.
var formats = [...]struct {
	name string
	bits int64
}{{"fp32", 320}, {"bf16", 160}, {"q8_0", 85}, {"fp8", 80}, {"q6_k", 65}, {"q5_k_m", 55}, {"q4_k_m", 45}, {"w4a16-g128", 40}, {"q3_k_m", 34}, {"q2_k", 26}, {"iq2_xxs", 20}}

// running works out the footprint, and the answers about a device.
func (r *Report) running() *fault.Error {
	x := &r.Running
	q, err := r.CacheQuestion()
	if err != nil {
		return err
	}
	q = inEngine(q, &r.Config)
	if n, key := r.positions(); n > 0 && q.Context > n && r.Query.Has(query.Context) {
		r.Warnings = append(r.Warnings, fault.Warning{Field: "context", Text: units.Group(q.Context) + " tokens are more than the " + units.Group(n) + " that the model is made for (" + key + "); bytes and FLOPs are counted all the same"})
	}
	plain := q
	plain.Policy = memory.Minimum
	_, x.Multihead, _ = memory.Cache(memory.Multihead(r.Model), plain)
	flash := r.Query.Get(query.Flash) == "on"
	x.Terms, x.Total, err = memory.Footprint(r.Model, memory.Serving{CacheQuestion: q, Prompt: r.Query.Int(query.Prompt), Flash: flash, Weights: int64(r.Weights.Bytes), TP: 1, Devices: 1})
	if err != nil {
		return err
	}
	if x.Device = r.Subject.Device; x.Device == nil {
		return nil
	}
	if x.Fault = r.layout(); x.Fault == nil {
		x.Fault = r.draft()
	}
	if x.Fault != nil {
		x.Device = nil
		return nil
	}
	ask := serve.Ask{Model: r.Model, Weights: x.weights, Layout: x.Layout, Cache: q, Flash: flash, Draft: x.Draft}
	if r.Query.Has(query.Prompt) {
		ask.Prompt = r.Query.Int(query.Prompt)
	}
	plan := serve.Prepare(&ask)
	if x.Stages, err = plan.Stages(); err != nil {
		return err
	}
	x.Fullest = serve.Fullest(x.Stages)
	room := x.Device.Memory
	x.Fits = x.Fullest.Total.Fits(room)
	context, batch := plan.LargestContext(room), plan.LargestBatch(room)
	x.Context, x.AnyContext, x.ContextBinds, x.ContextNeed = context.N, context.Any, context.Binds, context.Need
	x.Batch, x.AnyBatch, x.BatchBinds, x.BatchNeed = batch.N, batch.Any, batch.Binds, batch.Need
	x.Fewest, x.FewestOK = plan.FewestDevices(room)
	if err := r.Model.Work.Err(); err != nil {
		return err
	}
	// What hold the same weights divide nothing.
	free, divided := room-memory.Runtime(x.Layout.Devices()).High, x.Layout.TP*x.Layout.PP*x.Layout.EP
	weigher := quant.Weigher{Model: r.Model, Config: &r.Config}
	for _, c := range formats {
		if int64(r.Parameters.Stored)/80*c.bits/divided > free {
			continue // not even evenly divided
		}
		f, _ := quant.Named(c.name)
		w, err := weigher.Weigh(&f)
		if err != nil {
			return err
		}
		if plan.FitsAs(&w, room) {
			x.Format = c.name
			break
		}
	}
	// A runtime makes logits of a prompt's last token only, where the FLOPs of a prefill have the head at every position.
	fill := float64(r.Compute.Prefill.FLOPs)
	if prompt := r.Query.Int(query.Prompt); r.Compute.Decode.FLOPs > 0 && !hasEncoder(r.Model) {
		for i := range r.Compute.Prefill.Terms {
			if t := &r.Compute.Prefill.Terms[i]; t.Role == model.Head {
				fill = float64(fill - float64(t.Matmul*float64(prompt-1)/float64(prompt)))
			}
		}
	}
	one := 0.0
	for i := range r.Compute.Decode.Terms {
		one = float64(one + r.Compute.Decode.Terms[i].Matmul)
	}
	x.Speed, err = serve.Bounds(&ask, x.Device, r.Weights.Format, serve.Flops{Prefill: fill, Decode: float64(r.Compute.Decode.FLOPs), Weights: float64(one / float64(q.Batch))})
	return err
}

// Policies is the cache under every policy, in the order of memory.Policies: who lays it out decides what is held beside
// what the next token needs. Empty where the model is not run. It is worked out at each call, as [Report.Inverse] is: reports are shared, so they keep nothing of it.
func (r *Report) Policies() []PolicyBytes {
	if len(r.Running.Terms) == 0 {
		return nil
	}
	q, _ := r.CacheQuestion()
	all := make([]PolicyBytes, len(memory.Policies))
	for i := range all {
		p := &all[i]
		p.Name = memory.Policies[i]
		q.Policy = memory.Policy(i)
		if at := inEngine(q, &r.Config); at.Policy.String() == r.Cache.Policy {
			p.Bytes = int64(r.Cache.Bytes)
		} else {
			_, p.Bytes, p.Fault = memory.Cache(r.Model, at)
		}
	}
	return all
}

// inEngine is a question about the cache as vLLM understands it: recurrent state
// is kept in the format that the config names, else in the model's 16 bits
// (model_executor/models/config.py).
func inEngine(q memory.CacheQuestion, cfg *config.Value) memory.CacheQuestion {
	if q.Policy != memory.Paged {
		return q
	}
	q.State = 16
	for _, c := range [...]*config.Value{cfg, cfg.Get("text_config")} {
		for _, key := range [...]string{"mamba_ssm_cache_dtype", "mamba_ssm_dtype"} {
			if c.Get(key).Text == "float32" {
				q.State = 32
			}
		}
	}
	return q
}

// layout is the query's layout, or the obvious one for its devices: tensor
// parallelism over up to eight that divide the model, the rest in stages.
func (r *Report) layout() *fault.Error {
	q, x := &r.Query, &r.Running
	n, ok := units.Mul(q.Int(query.Devices), x.Device.Count)
	if !ok {
		return &fault.Error{Field: "devices", Given: q.Get(query.Devices), Problem: "that many systems hold more accelerators than we can count"}
	}
	l := train.Layout{TP: q.Int(query.TP), PP: q.Int(query.PP), EP: q.Int(query.EP), DP: q.Int(query.DP)}
	if cp := q.Int(query.CP); l.DP <= 1<<20/cp {
		l.DP *= cp // ranks of context parallelism serve as replicas
	}
	set := q.Has(query.TP) || q.Has(query.PP) || q.Has(query.EP) || q.Has(query.DP)
	stages := min(l.TP, 1<<20) * min(l.PP, 1<<20)
	switch {
	case !set:
		l, x.Assumed = serve.Obvious(r.Model, n), n > 1
	case !q.Has(query.Devices) && x.Device.Count == 1:
		if !q.Has(query.DP) {
			l.DP = l.EP
		}
		n = l.TP * l.PP * l.DP
	case !q.Has(query.DP) && n%stages == 0:
		l.DP = n / stages
	}
	if l.EP > 1 && l.DP > 0 && l.DP%l.EP != 0 && (l.TP*l.DP)%l.EP == 0 {
		x.ExpertsOver = l.EP // tensor-parallel ranks hold whole experts instead of slices of all: as many bytes
		for l.EP > 1 && l.DP%l.EP != 0 {
			l.EP = gcd(l.EP, l.DP)
		}
	}
	if err := l.Check(r.Model, n); err != nil {
		return err
	}
	if err := l.Even(r.Model, x.ExpertsOver > 0); err != nil {
		return err
	}
	x.Layout, x.Accelerators = l, n
	return nil
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// draft reads what is asked about guesses.
func (r *Report) draft() *fault.Error {
	q, d := &r.Query, &r.Running.Draft
	const most = 64
	tokens, accept := q.Int(query.Draft), q.Int(query.Accept)
	switch {
	case tokens > most:
		return &fault.Error{Field: "draft", Given: q.Get(query.Draft), Problem: "that is more tokens than one step can guess", Allowed: "0 to 64"}
	case accept > 100:
		return &fault.Error{Field: "accept", Given: q.Get(query.Accept), Problem: "it can't keep more guesses than it makes", Allowed: "0 to 100"}
	}
	*d = serve.Draft{Tokens: tokens, Accept: float64(accept) / 100}
	return nil
}

// totalTree is memory.total: the footprint with its terms.
func (r *Report) totalTree() jsonout.Value {
	x := &r.Running
	return total(&x.Total).Set("terms", termsTree(x.Terms))
}

func total(t *memory.Term) jsonout.Value {
	return object("bytes", number(t.Bytes), "low", number(t.Low), "high", number(t.High), "status", text(t.Status.String()))
}

func termsTree(terms []memory.Term) jsonout.Value {
	l := jsonout.List()
	for i := range terms {
		t := &terms[i]
		o := object("what", text(t.What), "status", text(t.Status.String()), "bytes", number(t.Bytes), "low", number(t.Low), "high", number(t.High))
		if t.Source != "" {
			o = o.Set("source", text(t.Source))
		}
		l = l.Append(o)
	}
	return l
}

// runningTree is the answers about the device; ok is false where there is none.
func (r *Report) runningTree() (jsonout.Value, bool) {
	x := &r.Running
	d := x.Device
	if d == nil {
		return jsonout.Value{}, false
	}
	stages := jsonout.List()
	for i := range x.Stages {
		s := &x.Stages[i]
		stages = stages.Append(total(&s.Total).Set("layers", number(s.Layers)).Set("terms", termsTree(s.Terms)))
	}
	about := object("slug", text(d.Slug), "name", text(d.Name), "memory", number(d.Memory), "memory_known", text(d.Known), "bandwidth", number(d.Bandwidth), "accelerators", number(d.Count))
	if x.Speed.Peak > 0 {
		about = about.Set("peak", number(x.Speed.Peak)).Set("peak_format", text(x.Speed.Rate.String()))
	}
	if d.LinkRate > 0 {
		about = about.Set("link_rate", number(d.LinkRate))
	}
	if d.Power > 0 {
		about = about.Set("board_watts", number(d.Power))
	}
	layout := layoutTree(&x.Layout)
	if x.ExpertsOver > 0 {
		layout = layout.Set("ep", number(x.ExpertsOver))
	}
	o := object("device", about, "accelerators", number(x.Accelerators), "layout", layout.Set("assumed", boolean(x.Assumed)),
		"per_device", total(&x.Fullest.Total), "stages", stages, "fits", text(x.Fits))
	if !x.AnyContext {
		o = o.Set("largest_context", number(x.Context)).Set("largest_context_binds", text(x.ContextBinds))
	}
	if !x.AnyBatch {
		o = o.Set("largest_batch", number(x.Batch)).Set("largest_batch_binds", text(x.BatchBinds))
	}
	if x.FewestOK {
		o = o.Set("fewest_devices", layoutTree(&x.Fewest))
	}
	if x.Format != "" {
		o = o.Set("largest_format", text(x.Format))
	}
	t := jsonout.Object()
	for i, p := range x.passes() {
		if p.Seconds > 0 || i == 0 {
			t = t.Set(p.name, passTree(p.Pass, p.e))
		}
	}
	if d := &x.Speed.Drafting; d.Seconds > 0 {
		o := object("tokens", number(x.Draft.Tokens), "accept", millionths(x.Draft.Accept), "expected", millionths(d.Expected),
			"seconds", seconds(d.Seconds), "seconds_per_token", seconds(d.Token), "check", passTree(&d.Check, serve.DecodeEfficiency))
		if d.Guess.Seconds > 0 {
			o = o.Set("guess", passTree(&d.Guess, serve.DecodeEfficiency)).Set("prediction_layers", number(serve.PredictionLayers(r.Model)))
		}
		t = t.Set("draft", o)
	}
	if x.Speed.Critical > 0 {
		t = t.Set("critical_batch", number(x.Speed.Critical))
	}
	if x.Speed.Covered > 0 {
		t = t.Set("experts_read", millionths(x.Speed.Covered))
	}
	return o.Set("time", t), true
}

func layoutTree(l *train.Layout) jsonout.Value {
	return object("devices", number(l.Devices()), "tp", number(l.TP), "pp", number(l.PP), "ep", number(l.EP), "dp", number(l.DP))
}

// passTree is a pass as JSON.
func passTree(p *serve.Pass, e serve.Efficiency) jsonout.Value {
	o := jsonout.Object()
	for i := range passFields {
		f := &passFields[i]
		v := f.of(p)
		switch {
		case v <= 0 && !f.always:
		case f.unit == figure.Seconds:
			o = o.Set(f.name, seconds(v))
		default:
			o = o.Set(f.name, flops(units.FLOPs(v)))
		}
		if i == 0 {
			o = o.Set("binds", text(p.Binds))
		}
	}
	return o.Set("efficiency", object("low", millionths(e.Low), "high", millionths(e.High)))
}
