package timeline

import (
	"slices"

	"llmsize/core/config"
	"llmsize/core/device"
	"llmsize/core/fault"
	"llmsize/core/jsonout"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/step"
	"llmsize/core/train"
	"llmsize/core/units"
)

// Most is the largest number whose peak fits.
type Most struct {
	N    int64  // 0 when not even one does
	Any  bool   // nothing bounds it, as far as it was looked for
	Then string // the phase in which the next one's peak is: "backward"; empty where the next one cannot be laid out
}

// Inverse is what fits a device by the peak of a step, each choice with all others as they are asked. A run fits where
// the likely share of the runtime fits on top.
type Inverse struct {
	Fits      bool
	Micro     Most // sequences of a micro-batch
	Seq       Most // tokens of a sequence
	Rank      Most // of LoRA's adapters, on the targets that the question names
	Zero      int64
	ZeroOK    bool // false when no stage fits
	Recompute string
}

// Bounds of what is looked for: a peak past them is more than any device has.
const (
	mostMicro = 1 << 20
	mostSeq   = 1 << 30
	mostRank  = 1 << 13
)

// Solve turns a step's peak round: the largest micro-batch, the longest sequence, the highest rank of adapters, the
// smallest ZeRO stage and the least recomputation whose peak fits a device. It lays some hundred steps out; ok is false
// where one answer's work isn't enough for one of these searches.
func Solve(r *report.Report, room int64) (x Inverse, ok bool) {
	r = apart(r)
	run := r.Training.Question
	o, err := options(r, &run)
	if err != nil {
		return x, false
	}
	phase := ""
	if x.Fits, phase = fits(r, o, room); phase == "" {
		return x, false
	}
	each := run.Saving.Micro / r.Query.Int(query.MicroBatch) // sequences of what a micro-batch counts
	x.Micro = largest(mostMicro, 1, o.Batch/each, func(n int64) (bool, string) {
		one := *o
		one.Batch = n * each
		return fits(r, &one, room)
	})
	if r.Model.Work.Err() != nil {
		return x, false
	}
	r = apart(r)
	x.Seq = largest(mostSeq, o.CP, o.Seq/max(o.CP, 1), func(n int64) (bool, string) {
		one := *o
		one.Seq = n
		return fits(r, &one, room)
	})
	if r.Model.Work.Err() != nil {
		return x, false
	}
	r = apart(r)
	x.Rank = largest(mostRank, 1, max(r.Query.Int(query.LoRARank), 16), func(n int64) (bool, string) {
		list, _, err := train.Adapters(r.Model, n, r.Query.Get(query.LoRATargets))
		if err != nil {
			return false, ""
		}
		again := run
		again.Adapters = list
		one, err := options(r, &again)
		if err != nil {
			return false, ""
		}
		return fits(r, one, room)
	})
	if r.Model.Work.Err() != nil {
		return x, false
	}
	r = apart(r)
	for x.Zero = 0; x.Zero <= 3 && !x.ZeroOK; x.Zero++ {
		again := run
		again.Layout.Zero = x.Zero
		if one, err := options(r, &again); err == nil {
			x.ZeroOK, _ = fits(r, one, room)
		}
	}
	x.Zero--
	for _, name := range train.Recomputes {
		again := run
		again.Saving.Recompute = name
		if one, err := options(r, &again); err == nil {
			if ok, _ := fits(r, one, room); ok {
				x.Recompute = name
				break
			}
		}
	}
	return x, r.Model.Work.Err() == nil
}

// fits reports whether a step's peak, with the likely share of the runtime, fits a device, and the phase of the peak.
func fits(r *report.Report, o *step.Options, room int64) (bool, string) {
	x, err := step.Train(r.Model, o, false)
	if err != nil {
		return false, ""
	}
	at, peak := x.Fullest()
	phase := x.At.Phase
	if len(x.Ranks) > 0 {
		phase = x.Ranks[at].At.Phase
	}
	_, likely, _ := shown(peak, r.Training.Question.Layout.Devices() > 1)
	return likely+x.Apart <= room, phase.String()
}

// largest finds the largest multiple of unit up to most that fits, where all below do: doubling from a guess, then
// halving the gap.
func largest(most, unit, guess int64, ask func(n int64) (bool, string)) (x Most) {
	unit = max(unit, 1)
	bound := most / unit
	low, high := int64(0), bound+1
	try := func(n int64) {
		ok, phase := ask(n * unit)
		if ok {
			low = n
			return
		}
		high, x.Then = n, phase
	}
	for n := min(max(guess, 1), bound); low+1 < high; {
		try(n)
		switch {
		case high > bound && low == bound:
			x.N, x.Any = low*unit, true
			return x
		case high > bound:
			n = min(low*2, bound)
		case low == 0:
			n = max(high/2, 1)
		default:
			n = low + (high-low)/2
		}
	}
	x.N = low * unit
	return x
}

// Need is what decides whether a run fits a device.
type Need struct {
	Step  *step.Timeline // of rank 0; nil where no step is followed
	Why   *fault.Error   // why none is
	Bytes int64          // what a device likely shows at the peak; the sum of the parts where no step is followed
}

// Needs is what a report's run needs of a device. The run has a sum of parts.
func Needs(r *report.Report) Need {
	x, err := Training(r, false)
	if err != nil {
		return Need{Why: err, Bytes: r.Training.Memory.Bytes}
	}
	_, likely, _ := Device(r, x)
	return Need{Step: x, Bytes: likely}
}

// Placed is a layout that fits: by the peak of its fullest rank, or by the sum of its parts where no step is followed.
type Placed struct {
	train.Placed
	Peak   int64 // 0 where no step is followed
	Likely int64 // what a device likely shows; the sum where no step is followed
}

// Ranking is the layouts that fit, the cheapest first by the rule that [train.Rank] goes by: of each division of the
// devices the cheapest way that fits.
type Ranking struct {
	List    []Placed
	Devices int64 // that it is for: more than the query's where nothing fits these
	Tried   int64 // divisions
	Cut     bool  // not all of them were looked at to their end: enough fit, or the work was spent
}

// How many layouts are listed, how many steps are laid out for them, and how far the sum of a layout's parts may be above
// a device's memory where its peak may yet fit.
const (
	listed  = 20
	looked  = 160
	slackOf = 2 // half as much again
)

// mostDevices bounds the search for devices that hold a run.
const mostDevices = 1 << 14

// Layouts lists the ways to divide a run over the query's devices that fit; where none does, over twice as many, and so on.
// ok is false where the device's memory is not known, or the run cannot be.
func Layouts(r *report.Report) (x Ranking, ok bool) {
	d := r.Subject.Device
	if d == nil || d.Memory <= 0 || r.Training.Question.Optimizer == nil || r.Training.Question.Check() != nil {
		return x, false
	}
	q, w, on := r.Placing()
	asked := layouts(r, &q, w, on)
	for x = asked; len(x.List) == 0; {
		if on.Devices *= 2; on.Devices > mostDevices {
			return asked, true
		}
		x = layouts(r, &q, w, on)
	}
	return x, true
}

// layouts are those of a number of devices.
func layouts(r *report.Report, q *train.Question, w train.Work, on train.Machine) Ranking {
	r = apart(r)
	x := Ranking{Devices: on.Devices}
	var ways []train.Placed
	x.Tried, x.Cut = train.Ways(r.Model, q, w, on, on.Memory+on.Memory/slackOf, func(p *train.Placed) { ways = append(ways, *p) })
	slices.SortFunc(ways, func(a, b train.Placed) int {
		switch {
		case a.Cheaper(&b):
			return -1
		case b.Cheaper(&a):
			return 1
		}
		return 0
	})
	var failed []*train.Placed // larger micro-batches of the same need not be tried
	for i, laid := 0, 0; i < len(ways); i++ {
		y := &ways[i]
		if len(x.List) == listed || laid == looked || r.Model.Work.Err() != nil {
			x.Cut = true
			break
		}
		if has(x.List, &y.Layout) || slices.ContainsFunc(failed, func(z *train.Placed) bool {
			return z.Layout == y.Layout && z.Recompute == y.Recompute && z.Micro < y.Micro
		}) {
			continue
		}
		again := *q
		again.Layout, again.Saving.Micro, again.Saving.Recompute = y.Layout, y.Micro, y.Recompute
		again.Layout.Batches = y.Batches
		again.Saving.Sequence = y.Layout.TP > 1 && r.Query.Get(query.SP) == "on"
		p := Placed{Placed: *y, Likely: y.Bytes}
		if o, err := options(r, &again); err == nil {
			if t, err := step.Train(r.Model, o, false); err == nil {
				_, p.Peak = t.Fullest()
				_, p.Likely, _ = shown(p.Peak, y.Layout.Devices() > 1)
				p.Likely += t.Apart
				laid++
			}
		}
		if p.Likely > on.Memory {
			failed = append(failed, y)
			continue
		}
		p.Describe(r.Model, q, &on)
		x.List = append(x.List, p)
	}
	return x
}

// has reports whether a division of the devices is listed.
func has(list []Placed, l *train.Layout) bool {
	for i := range list {
		x := list[i].Layout
		x.Zero = l.Zero
		if x == *l {
			return true
		}
	}
	return false
}

// AddInverse puts what fits the question's device by the step's peak into the JSON of a report whose timelines are there, under
// training.inverse_by_peak.
func AddInverse(r *report.Report) {
	d := r.Subject.Device
	if d == nil || d.Memory <= 0 || r.Timelines.Training.Get("peak").Read().Kind == config.Absent {
		return
	}
	if x, ok := Solve(r, d.Memory); ok {
		r.Timelines.Inverse = inverseTree(&x, d)
	}
}

func inverseTree(x *Inverse, d *device.Device) jsonout.Value {
	most := func(m Most) jsonout.Value {
		if m.Any {
			return object().Set("any", jsonout.Bool(true))
		}
		o := object().Set("most", number(m.N))
		if m.Then != "" {
			o = o.Set("then", jsonout.Text(m.Then))
		}
		return o
	}
	o := object().Set("device", jsonout.Text(d.Slug)).Set("memory", number(d.Memory)).Set("fits", jsonout.Bool(x.Fits)).
		Set("micro_batch", most(x.Micro)).Set("seq", most(x.Seq)).Set("lora_rank", most(x.Rank))
	if x.ZeroOK {
		o = o.Set("zero", object().Set("least", number(x.Zero)))
	}
	if x.Recompute != "" {
		o = o.Set("recompute", object().Set("least", jsonout.Text(x.Recompute)))
	}
	return o.Set("with", jsonout.Text("the likely share of the runtime on top of the peak"))
}

// layoutsTree is layouts as JSON.
func layoutsTree(list []Placed) jsonout.Value {
	out := jsonout.List()
	for i := range list {
		x := &list[i]
		o := object()
		for _, f := range []struct {
			name string
			n    int64
		}{
			{"devices", x.Layout.Devices()}, {"tp", x.Layout.TP}, {"pp", x.Layout.PP}, {"dp", x.Layout.DP}, {"ep", x.Layout.EP}, {"cp", max(x.Layout.CP, 1)}, {"vp", max(x.Layout.VP, 1)},
			{"zero", x.Layout.Zero}, {"micro_batch", x.Micro}, {"micro_batches", x.Batches}, {"peak", x.Peak}, {"likely", x.Likely}, {"bytes", x.Bytes},
		} {
			if f.name != "peak" || f.n > 0 { // no step of some is followed
				o = o.Set(f.name, number(f.n))
			}
		}
		out = out.Append(o.Set("recompute", jsonout.Text(x.Recompute)).Set("cost", jsonout.Text(thousandths(x.Cost))))
	}
	return out
}

// thousandths writes a part to three digits.
func thousandths(x float64) string { return units.Fixed(int64(float64(x*1000)+0.5), 1000, 3) }
