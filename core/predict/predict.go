// Package predict says how fast a run will really be, and how sure that is: from what a run reads and multiplies
// (core/report), times what engines reach of it in measured runs.
//
// The model is a handful of constants for each engine ([Step], [Fill], [Load]), and a factor for each class of
// devices: a device that was measured, a family of devices, a maker, anything. Constants, factors and bands are data,
// content/engines, which build/accuracy fits to measured runs. A band holds eight of ten runs of devices that the
// fit had not seen. Where nothing is known of a class, nothing is predicted; the bounds of core/serve stand beside it.
//
// It stands apart from core/report, as core/timeline does: a host that shows predictions calls [Add] first.
package predict

import (
	"math"
	"strings"

	"llmsize/core/compute"
	"llmsize/core/device"
	"llmsize/core/jsonout"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
)

// Range is a rate, a time, or a number of tokens: eight of ten runs lie between Low and High.
type Range struct{ Low, Likely, High float64 }

// Answer is what is predicted of a run; a nil part is not known.
type Answer struct {
	Engine    string // whose constants were taken
	Title     string
	Usual     bool // nobody named an engine: it is the one that people use on that device
	Decode    *Range
	Prefill   *Range
	Bounds    Bounds
	Load      *Served  // what users of a server see
	Curve     []Served // the same, from one user on
	Promise   *Promise
	Cost      *Cost
	Energy    float64 // joules a generated token takes, at most: boards draw what they may, and none of their hosts counts
	Step      *Parts  // where a step of decoding goes, in seconds, before Class
	Class     float64 // how many times longer it takes on devices of the class
	Measured  *Measured
	Offloaded *Offloaded
	Training  *Range // tokens a second of each device
	Trainer   string // whose constants that took
	Basis     []Basis
	Sources   []string
	Beyond    []string // what lies beyond the data
	Missing   []string // what is not predicted, and why
}

// Bounds are the passes of a question at best, on the arithmetic of its engine; no prediction passes them.
type Bounds struct {
	Rate    float64 // FLOP/s of one device; 0 where no source gives the rate of that arithmetic
	Format  device.Format
	Decode  compute.Time // of a step
	Prefill compute.Time
}

// Basis is what a part of an answer rests on.
type Basis struct {
	Part string // "decode", "prefill", "serving"
	Class
	Firsts bool // a prefill's runs are first tokens of servers under load
}

// Add predicts, and puts the answer into the report's JSON, under predicted.
func Add(r *report.Report, l *Library) {
	if a, ok := Run(r, l); ok {
		r.Predicted = a.tree(r)
	}
}

// Eager is transformers' own modules, one kernel after the other.
const Eager = "transformers-eager"

// Named returns the engine that a question asks for on a device; usual says that the question names none.
func (l *Library) Named(r *report.Report) (name string, usual bool) {
	f := l.Family(r.Running.Device.Slug)
	name = r.Query.Get(query.Engine)
	if name == "ollama" {
		name = "llama.cpp"
	}
	if name == "llamafile" && f != nil && f.GGUF == "llama.cpp-cpu" {
		name = "llama.cpp" // on a processor both are measured together
	}
	if name == "transformers" && !strings.HasPrefix(r.Weights.Format, "awq") {
		name = Eager // AutoAWQ's layers are fused, transformers' own are not
	}
	switch {
	case name != "" && name != "llama.cpp":
		return name, false
	case f == nil:
		return name, name == ""
	case name == "llama.cpp":
		return f.GGUF, false
	case gguf(r.Weights.Format) && f.GGUF != "":
		return f.GGUF, true
	case len(r.Weights.Format) > 4 && r.Weights.Format[:4] == "mlx-":
		return "mlx", true
	case packed(r.Weights.Format) && r.Running.Device.Maker == "NVIDIA":
		return "vllm", true
	}
	return f.Engine, true
}

// gguf reports whether a recipe is one of llama.cpp's.
func gguf(format string) bool {
	switch format {
	case "f16", "gguf-bf16", "mxfp4_moe":
		return true
	}
	if len(format) > 2 && format[:2] == "iq" || len(format) > 2 && format[:2] == "tq" {
		return true
	}
	return len(format) > 3 && format[0] == 'q' && format[2] == '_'
}

// packed reports whether a recipe is one of the servers': 4 or 8 bits as the hub's checkpoints store them.
func packed(format string) bool {
	for _, p := range [...]string{"awq", "gptq", "w4a", "w8a", "fp8", "nvfp4", "mxfp"} {
		if len(format) >= len(p) && format[:len(p)] == p && format != "mxfp4_moe" {
			return true
		}
	}
	return false
}

// Arithmetic is the FLOP/s at which a server's devices multiply weights of a format, where nothing slows them.
func Arithmetic(d *device.Device, format string) float64 {
	switch format {
	case "fp8", "fp8-block", "mxfp8":
		if p := d.Peak[device.FP8]; p > 0 {
			return float64(p)
		}
	case "w8a8", "int8":
		if p := d.Peak[device.INT8]; p > 0 {
			return float64(p)
		}
	case "nvfp4", "mxfp4":
		for _, f := range [...]device.Format{device.FP4, device.FP8} {
			if p := d.Peak[f]; p > 0 {
				return float64(p)
			}
		}
	}
	return Rate(d)
}

// Run predicts. ok is false where a report has no run of which anything could be said.
func Run(r *report.Report, l *Library) (a Answer, ok bool) {
	if r.Running.Device == nil {
		return a, false
	}
	a.train(r, l)
	name, usual := l.Named(r)
	a.Engine, a.Title, a.Usual = name, name, usual
	a.bound(r)
	parted := r.Query.Has(query.OnDevice) || r.Query.Has(query.ExpertsOnHost)
	switch fit := fits(r); {
	case parted:
	case fit == "perhaps":
		a.Beyond = append(a.Beyond, "the model fits only if the device's "+units.Bytes(r.Running.Device.Memory).GB()+" by its label are GiB")
	case fit == "no":
		a.Missing = append(a.Missing, "the model does not fit on "+plural(r.Running.Accelerators)+" of this kind: it does not run")
		if e := l.Engine(name); e != nil {
			a.Title = e.Title
		}
		return a, true
	}
	e, d := l.Engine(name), r.Running.Device
	f := l.Family(d.Slug)
	switch {
	case e != nil:
		a.Title = e.Title
	case name == "" && f != nil:
		a.Title = "llama.cpp" // the only one that has a name for each device
	case name == "":
		a.Missing = append(a.Missing, "no engine is known for this device: name one with engine=")
		return a, true
	default:
		a.Missing = append(a.Missing, "no runs of "+name+" that may decide constants are in the data")
		return a, true
	}
	if e == nil || !e.runs(d, f) {
		text := a.Title + " does not run on " + d.Name
		if f != nil {
			near := f.Engine
			if gguf(r.Weights.Format) && f.GGUF != "" {
				near = f.GGUF
			}
			text += ": name " + near + ", which people use there"
		}
		a.Missing = append(a.Missing, text)
		return a, true
	}
	a.Sources = append(a.Sources, e.Sources...)
	w, fine := Of(r)
	if !fine {
		a.Missing = append(a.Missing, "nobody's runs of such models are in the data")
		return a, true
	}
	x := &asked{r: r, e: e, w: &w, a: &a, rate: Arithmetic(r.Running.Device, r.Weights.Format)}
	if f != nil {
		x.family = f.Name
	}
	if parted {
		x.offload(l)
		return a, true
	}
	x.decode()
	x.prefill()
	if r.Query.Has(query.Users) || r.Query.Has(query.Output) {
		x.serving()
	} else if r.Query.Has(query.FirstWithin) || r.Query.Has(query.EachWithin) {
		a.Missing = append(a.Missing, "users within the promise: it needs the users or the tokens of an answer")
	}
	x.cost()
	x.measured()
	x.reach()
	return a, true
}

// train predicts training of all parameters, by a program whose runs are in the data, else by what all programs have in common.
func (a *Answer) train(r *report.Report, l *Library) {
	w, ok := Of(r)
	e := l.Engine(r.Query.Get(query.Program))
	if e == nil || len(e.Training) == 0 {
		e = l.Engine("training")
	}
	if e == nil || !ok || r.Training.Fault != nil || len(r.Training.Question.Adapters) > 0 {
		return
	}
	// Weights and gradients in 16 bits, divided over all devices: less no recipe holds.
	if q := &r.Query; float64(4*float64(r.Parameters.Total)) > float64(float64(r.Running.Device.Memory)*float64(max(r.Running.Accelerators, q.Int(query.Devices), q.Int(query.TP)*q.Int(query.PP)*q.Int(query.CP)*q.Int(query.DP)))) {
		return
	}
	d, family := r.Running.Device, ""
	if f := l.Family(d.Slug); f != nil {
		family = f.Name
	}
	c := holds(e.Training, d, family)
	rate := Rate(d)
	if f := r.Weights.Format; r.Query.Has(query.Weights) && f != "w8a8" && f != "int8" { // no program trains in integers
		rate = Arithmetic(d, r.Weights.Format)
	}
	if c == nil || rate == 0 || r.Query.Get(query.Precision) == "fp32" {
		return
	}
	q := &r.Query
	count := func(p query.Param) float64 { return float64(q.Int(p)) }
	x := Layout{FLOPs: w.Learning(q.Int(query.Seq)), Rate: rate, Beyond: l.Beyond(d.Slug, float64(count(query.TP)*count(query.EP))),
		Tokens: float64(count(query.MicroBatch) * count(query.Seq)), TP: count(query.TP), CP: count(query.CP), PP: count(query.PP), VP: count(query.VP), Link: float64(d.LinkRate)}
	if q.Has(query.GlobalBatch) {
		x.Micro = math.Max(float64(count(query.GlobalBatch)/float64(r.Training.Question.Layout.DP*q.Int(query.MicroBatch))), 1)
	}
	seconds := float64(w.Training(&e.Train, &x) * c.Factor)
	a.Training, a.Trainer = within(1/seconds, c, 1/x.Bound()), e.Name
	a.Basis = append(a.Basis, Basis{Part: "training", Class: *c})
	a.Sources = append(a.Sources, e.Sources...)
}

// fits says whether a run can be: "no" where a device's memory does not hold what it must, "perhaps" where it does if the
// gigabytes of a label are GiB, as those of most cards turn out to be.
func fits(r *report.Report) string {
	x := &r.Running
	if x.Fits == "no" && x.Device.Known == "label" && float64(x.Fullest.Total.Low) <= float64(float64(x.Device.Memory)*(1<<30)/1e9) {
		return "perhaps"
	}
	return x.Fits
}

// bound works out what no run passes.
func (a *Answer) bound(r *report.Report) {
	x := &r.Running
	b := &a.Bounds
	b.Rate, b.Format = Ceiling(x.Device, a.Engine, r.Weights.Format)
	tp := float64(x.Layout.TP)
	m := compute.Machine{Peak: float64(b.Rate * tp), Bandwidth: float64(float64(x.Device.Bandwidth) * tp), Link: float64(x.Device.LinkRate)}
	b.Prefill = compute.Roofline(m, x.Speed.Prefill.Load)
	if x.Speed.Decode.Seconds > 0 {
		b.Decode = compute.Roofline(m, x.Speed.Decode.Load)
	}
}

// plural is a number of devices in words.
func plural(n int64) string {
	if n == 1 {
		return "one device"
	}
	return units.Group(n) + " devices"
}

// asked is a question on its way to an answer.
type asked struct {
	r      *report.Report
	e      *Engine
	w      *Work
	a      *Answer
	family string
	rate   float64
}

func (x *asked) pick(list []Class) *Class { return holds(list, x.r.Running.Device, x.family) }

// holds is the narrowest class that holds for a device. What accelerators of a maker do, or any, says nothing of processors.
func holds(list []Class, d *device.Device, family string) *Class {
	c := Pick(list, d.Slug, family, d.Maker)
	if c != nil && d.Kind == "cpu" && (c.Level == "maker" || c.Level == "any") {
		return nil
	}
	return c
}

func (x *asked) missing(what string) {
	x.a.Missing = append(x.a.Missing, what+": no runs of "+x.e.Title+" on such devices are in the data, or they differ too much")
}

// decode predicts the tokens a second of each sequence.
func (x *asked) decode() {
	q := &x.r.Query
	each := float64(q.Int(query.Batch)) / x.w.DP
	c, loaded := x.pick(x.e.Decode), x.pick(x.e.Token)
	if c == nil || loaded != nil && (each > lone || loaded.rank() > c.rank()) {
		c = loaded // servers are measured under load more often
	}
	if c == nil {
		x.missing("decode")
		return
	}
	p := x.w.Step(&x.e.Step, max(each, 1), x.w.Cache(q.Int(query.Context)), x.rate)
	seconds := float64(p.Sum() * c.Factor)
	x.a.Step, x.a.Class = &p, c.Factor
	x.a.Decode = within(1/seconds, c, float64(1/x.a.Bounds.Decode.Seconds))
	x.a.Basis = append(x.a.Basis, Basis{Part: "decode", Class: *c})
}

// within is a rate with its band, no part of which passes what the bound allows.
func within(rate float64, c *Class, most float64) *Range {
	return (&Range{float64(rate * c.Low), rate, float64(rate * c.High)}).most(most)
}

// most cuts a rate to what a bound allows; 0 allows everything.
func (r *Range) most(rate float64) *Range {
	if rate > 0 {
		r.Low, r.Likely, r.High = min(r.Low, rate), min(r.Likely, rate), min(r.High, rate)
	}
	return r
}

// prefill predicts the prompt tokens a second. Servers' prompts are measured by the first tokens of users under load; where nothing
// else is, a prefill is what the first token of a lone user takes.
func (x *asked) prefill() {
	tokens, past := x.w.Prompt()
	q := &x.r.Query
	each := max(float64(q.Int(query.Batch))/x.w.DP, 1)
	c, seconds, firsts := x.pick(x.e.Prefill), 0.0, false
	switch scores := x.w.Scores(tokens, past); {
	case x.w.Rate == 0:
	case c != nil && x.e.Fill.Scores > 0:
		chunk := 0.0
		if q.Has(query.Chunk) {
			chunk = float64(q.Int(query.Chunk))
		}
		seconds = x.w.Prefill(&x.e.Fill, float64(tokens), each, chunk, scores, Scale(x.r.Running.Device, x.a.Engine, x.r.Weights.Format))
	default:
		if c = x.pick(x.e.First); c != nil {
			firsts = true
			reading := float64(each * x.w.Reading(&x.e.Step, float64(tokens), scores, x.rate))
			seconds = x.w.FirstToken(&x.e.Step, &x.e.Load, 1, 1, x.w.Cache(tokens+past), reading, x.rate)
		}
	}
	if seconds == 0 {
		x.missing("prefill")
		return
	}
	all := float64(tokens * q.Int(query.Batch)) // replicas without a sequence read nothing
	x.a.Prefill = within(float64(all/float64(seconds*c.Factor)), c, float64(float64(tokens*q.Int(query.Batch))/x.a.Bounds.Prefill.Seconds))
	x.a.Basis = append(x.a.Basis, Basis{Part: "prefill", Class: *c, Firsts: firsts})
}

// reach says what lies beyond the data.
func (x *asked) reach() {
	if x.a.Decode == nil && x.a.Prefill == nil && x.a.Load == nil {
		return
	}
	q, e := &x.r.Query, x.e
	far := func(what string, have, most float64) {
		if most > 0 && have > float64(1.5*most) {
			x.a.Beyond = append(x.a.Beyond, what+" of "+units.Group(int64(have))+"; runs went to "+units.Group(int64(most)))
		}
	}
	far("a context", float64(q.Int(query.Context)), e.Context)
	far("a prompt", float64(q.Int(query.Prompt)), e.Prompt)
	users := q.Int(query.Batch)
	if q.Has(query.Users) {
		users = q.Int(query.Users)
	}
	far("sequences at once", float64(users)/x.w.DP, e.Users)
	far("bytes of weights on a device", float64(x.r.Weights.Bytes)/float64(x.w.TP*x.w.PP), e.Bytes)
}

// tree is the answer as JSON.
func (a *Answer) tree(r *report.Report) jsonout.Value {
	o := jsonout.Object()
	rate := func(x *Range) jsonout.Value {
		return jsonout.Object("low", digits(x.Low), "likely", digits(x.Likely), "high", digits(x.High))
	}
	if a.Decode != nil {
		o = o.Set("decode", jsonout.Object("tokens_per_second", rate(a.Decode)))
	}
	if a.Prefill != nil {
		o = o.Set("prefill", jsonout.Object("tokens_per_second", rate(a.Prefill)))
	}
	if a.Load != nil {
		o = o.Set("serving", a.Load.tree())
	}
	o = a.more(o)
	if a.Training != nil {
		o = o.Set("training", jsonout.Object("tokens_per_second_per_device", rate(a.Training)))
	}
	if d, p := a.Bounds.Decode.Seconds, a.Bounds.Prefill.Seconds; p > 0 {
		q := &r.Query
		t := jsonout.Object()
		if a.Bounds.Rate > 0 {
			t = t.Set("flops_per_second", jsonout.Int(int64(a.Bounds.Rate))).Set("format", jsonout.Text(a.Bounds.Format.String()))
		}
		if d > 0 {
			t = t.Set("decode", jsonout.Object("tokens_per_second", digits(1/d), "binds", jsonout.Text(a.Bounds.Decode.Binds)))
		}
		o = o.Set("bound", t.Set("prefill", jsonout.Object("tokens_per_second", digits(float64(q.Int(query.Prompt)*q.Int(query.Batch))/p), "binds", jsonout.Text(a.Bounds.Prefill.Binds))))
	}
	b := jsonout.Object("engine", jsonout.Text(a.Engine), "title", jsonout.Text(a.Title), "usual", jsonout.Bool(a.Usual))
	for i := range a.Basis {
		c := &a.Basis[i]
		p := jsonout.Object("class", jsonout.Text(c.Level))
		if c.Of != "" {
			p = p.Set("of", jsonout.Text(c.Of))
		}
		if c.Part == "training" {
			p = p.Set("program", jsonout.Text(a.Trainer))
		}
		if c.Firsts {
			p = p.Set("from", jsonout.Text("first tokens under load"))
		}
		b = b.Set(c.Part, p.Set("rows", jsonout.Int(c.Rows)).Set("devices", jsonout.Int(c.Devices)))
	}
	b = b.Set("extrapolated", jsonout.Bool(len(a.Beyond) > 0))
	for _, s := range [...]struct {
		name  string
		texts []string
	}{{"beyond", a.Beyond}, {"missing", a.Missing}, {"sources", a.Sources}} {
		if len(s.texts) > 0 {
			l := jsonout.List()
			for _, t := range s.texts {
				l = l.Append(jsonout.Text(t))
			}
			b = b.Set(s.name, l)
		}
	}
	return o.Set("basis", b)
}

// digits writes four digits of a number that is not zero, in decimal: no prediction has more.
func digits(x float64) jsonout.Value {
	decimals := 0
	for y := x; y > 0 && y < 1000 && decimals < 9; y = float64(y * 10) {
		decimals++
	}
	return jsonout.Float(x, decimals)
}
