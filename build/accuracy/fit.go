package accuracy

import (
	"math"
	"slices"

	"llmsize/core/predict"
)

// predicted is what an engine's constants say of a run, before any class's factor, in seconds.
func predicted(x *run, e *predict.Engine) float64 {
	w := x.work
	switch x.kind {
	case decode:
		return w.Decode(&e.Step, x.batch, x.cache, x.served)
	case prefill:
		return w.Prefill(&e.Fill, x.prompt, x.batch, x.chunk, x.scores, x.rate)
	}
	if x.kind == training {
		return w.Training(&e.Train, &x.training)
	}
	if x.kind == token && x.undisturbed {
		return w.Decode(&e.Step, x.users, x.cache, x.served)
	}
	reading := w.Reading(&e.Step, x.prompt, x.fresh, x.served)
	if x.kind == token {
		return w.Token(&e.Step, &e.Load, x.users, x.output, x.cache, reading, x.served)
	}
	return w.FirstToken(&e.Step, &e.Load, x.users, x.output, x.cache, reading, x.served)
}

// off is by how much a run's prediction is too long, as a logarithm.
func off(x *run, e *predict.Engine) float64 { return math.Log(predicted(x, e) / x.seconds) }

// dial is a constant that is sought, and the values it may have.
type dial struct {
	at   func(*predict.Engine) *float64
	grid []float64
}

func micro(list ...float64) []float64 {
	for i := range list {
		list[i] /= 1e6
	}
	return list
}

var (
	shares    = []float64{0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95}
	stepDials = []dial{
		{func(e *predict.Engine) *float64 { return &e.Step.Share }, shares},
		{func(e *predict.Engine) *float64 { return &e.Step.Cache }, []float64{0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95}},
		{func(e *predict.Engine) *float64 { return &e.Step.Layer }, micro(0, 10, 20, 30, 40, 50, 60, 65, 70, 75, 80, 90, 100, 110, 120, 140, 160, 200, 250, 300)},
		{func(e *predict.Engine) *float64 { return &e.Step.Experts }, []float64{1, 1.15, 1.3, 1.5, 1.75, 2, 2.5, 3}},
	}
	loadDials = []dial{
		{func(e *predict.Engine) *float64 { return &e.Step.Tensor }, micro(0, 5, 10, 15, 20, 25, 30, 40)},
		// Products alone reach half of the peak from some 200 to 400 tokens on, and 0.7 to 0.85 of it with thousands: below half
		// the fit would explain something else.
		{func(e *predict.Engine) *float64 { return &e.Step.Busy }, []float64{0.5, 0.55, 0.6, 0.7, 0.8}},
		{func(e *predict.Engine) *float64 { return &e.Step.Narrowed }, []float64{0, 0.25, 0.5, 0.75, 1}},
		{func(e *predict.Engine) *float64 { return &e.Step.Routed }, []float64{0.15, 0.25, 0.35, 0.5, 0.7, 1}},
		// Kernels alone reach 0.6 to 0.85 of a link's rate with large messages.
		{func(e *predict.Engine) *float64 { return &e.Step.Links }, []float64{0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1}},
		{func(e *predict.Engine) *float64 { return &e.Load.Mix }, []float64{0, 0.3, 0.5, 0.7, 0.85, 1, 1.2}},
		{func(e *predict.Engine) *float64 { return &e.Step.Sequence }, micro(0, 5, 10, 20, 40, 60, 80)},
	}
	firstDials = []dial{
		{func(e *predict.Engine) *float64 { return &e.Load.First }, micro(0, 5e3, 10e3, 20e3, 30e3, 50e3, 80e3, 110e3, 150e3)},
		{func(e *predict.Engine) *float64 { return &e.Load.Own }, []float64{0.8, 1, 1.3, 1.6, 2, 2.5, 3}},
		{func(e *predict.Engine) *float64 { return &e.Load.Queue }, []float64{0, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5}},
		{func(e *predict.Engine) *float64 { return &e.Load.Clash }, []float64{0, 0.25, 0.5, 0.75, 1, 1.5, 2}},
		{func(e *predict.Engine) *float64 { return &e.Load.Steps }, []float64{0, 1, 2, 3}},
	}
	fillDials = []dial{
		{func(e *predict.Engine) *float64 { return &e.Fill.Half }, []float64{0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.4}},
		{func(e *predict.Engine) *float64 { return &e.Fill.Narrow }, []float64{0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.4, 1.8}},
		{func(e *predict.Engine) *float64 { return &e.Fill.Scores }, []float64{0.03, 0.05, 0.1, 0.2, 0.3, 0.5}},
		{func(e *predict.Engine) *float64 { return &e.Fill.Layer }, micro(0, 20, 40, 80, 120, 200, 300, 500)},
		{func(e *predict.Engine) *float64 { return &e.Fill.Routed }, []float64{0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 1}},
		{func(e *predict.Engine) *float64 { return &e.Fill.Slope }, []float64{0, 0.15, 0.3, 0.45, 0.6}},
	}
)

// eagerDials are those of an engine whose cache is copied to grow by a token, and whose keys and values are copied for each head: both
// cost a cache's bytes many times over.
var eagerDials = []dial{
	stepDials[0],
	{stepDials[1].at, []float64{0.02, 0.025, 0.03, 0.035, 0.04, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7}},
	{stepDials[2].at, micro(100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1200)},
}

var trainDials = []dial{
	{func(e *predict.Engine) *float64 { return &e.Train.Share }, []float64{0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9}},
	{func(e *predict.Engine) *float64 { return &e.Train.Narrowed }, []float64{0, 0.25, 0.4, 0.5, 0.6, 0.75, 1}},
	{func(e *predict.Engine) *float64 { return &e.Train.Routed }, []float64{0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 1}},
	{func(e *predict.Engine) *float64 { return &e.Train.Passes }, []float64{0, 10, 20, 30, 40, 60, 80, 100, 130, 160, 200}},
	{func(e *predict.Engine) *float64 { return &e.Train.Picked }, []float64{0, 5, 10, 15, 20, 30, 40, 60, 80}},
	{func(e *predict.Engine) *float64 { return &e.Train.Launch }, micro(0, 50, 100, 200, 300, 500, 800, 1200)},
	{func(e *predict.Engine) *float64 { return &e.Train.Routing }, micro(0, 500, 1000, 2000, 3000, 4000, 5000, 6000, 8000)},
	{func(e *predict.Engine) *float64 { return &e.Train.Links }, []float64{0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1}},
	{func(e *predict.Engine) *float64 { return &e.Train.Beyond }, []float64{0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4}},
}

// weights counts a model in a format on a device as the square root of its runs.
func weights(list []*run) []float64 {
	count := map[string]int{}
	for _, x := range list {
		count[x.device+" "+x.model+" "+x.weights]++
	}
	out := make([]float64, len(list))
	for i, x := range list {
		out[i] = 1 / math.Sqrt(float64(count[x.device+" "+x.model+" "+x.weights]))
	}
	return out
}

// turn seeks each dial's best value in turn, until none gets better. Where a dial begins is where it is drawn to, as strongly as
// by runs: few runs leave a constant where wider experience has it.
func turn(e *predict.Engine, list []*run, dials []dial, by float64) {
	if len(list) == 0 {
		return
	}
	w := weights(list)
	prior := make([]float64, len(dials))
	for i, d := range dials {
		prior[i] = *d.at(e)
	}
	cost := func() float64 {
		sum := 0.0
		for i, x := range list {
			sum += w[i] * math.Min(math.Abs(off(x, e)), slip)
		}
		for i, d := range dials {
			g := d.grid[len(d.grid)-1] / 20 // a dial may be nought
			sum += by * math.Abs(math.Log((*d.at(e)+g)/(prior[i]+g)))
		}
		return sum
	}
	best := cost()
	for range 8 {
		before := best
		for _, d := range dials {
			at := d.at(e)
			keep := *at
			for _, v := range d.grid {
				*at = v
				if c := cost(); c < best-1e-9 {
					best, keep = c, v
				}
			}
			*at = keep
		}
		if best > before-1e-9 {
			return
		}
	}
}

// pulls are how many runs' errors it is worth to leave a constant where it began, e times away from where it would go: to the usual place, to
// what fits an engine's relatives, and of training, whose devices are few. These three were chosen while the errors on devices
// left out were watched; nested.txt has the errors where each device's are chosen without it.
type pulls struct{ usual, kin, training float64 }

var pull = pulls{usual: 1, kin: 0.5, training: 0.2}

// fit seeks an engine's constants. from is where it begins and what it is drawn to; nil is the usual place.
func fit(list []*run, from *predict.Engine) *predict.Engine {
	by := pull.kin
	if from == nil {
		by = pull.usual
	}
	e := &predict.Engine{Step: predict.Step{Share: 0.8, Cache: 0.7, Experts: 1.3, Layer: 80e-6, Busy: 0.5, Narrowed: 0.75, Routed: 0.5, Links: 0.6},
		Fill:  predict.Fill{Half: 0.5, Narrow: 0.5, Scores: 0.1, Slope: 0.3, Layer: 80e-6, Routed: 0.5},
		Train: predict.Train{Share: 0.7, Narrowed: 0.6, Routed: 0.7, Passes: 60, Picked: 10, Beyond: 0.1, Launch: 100e-6, Routing: 2000e-6, Links: 0.6},
		Load:  predict.Load{Mix: 0.7, First: 0.02, Own: 1.3, Queue: 0.1, Clash: 0.5, Steps: 1}}
	if from != nil {
		e.Step, e.Fill, e.Load, e.Train = from.Step, from.Fill, from.Load, from.Train
	}
	dials := stepDials
	if len(list) > 0 && list[0].engine == predict.Eager { // its host launches kernels while the ones before read
		e.Step.Hides = 1
		dials = eagerDials
	}
	if len(of(list, token)) > 0 {
		dials = append(slices.Clone(stepDials), loadDials...)
	}
	turn(e, of(list, decode, token), dials, by)
	turn(e, of(list, prefill), fillDials, by)
	turn(e, of(list, first), firstDials, by)
	turn(e, of(list, training), trainDials, pull.training)
	return e
}

// constantsOf fits an engine's constants, drawn to those that fit all of its relatives.
func constantsOf(list, relatives []*run) *predict.Engine {
	if len(relatives) <= len(list) {
		return fit(list, nil)
	}
	// Prefills on NVIDIA's cards are measured against other arithmetic than elsewhere (predict.Scale).
	own := of(list, prefill)
	theirs := len(without(own, func(x *run) bool { return x.maker != "NVIDIA" }))*2 > len(own)
	return fit(list, fit(without(relatives, func(x *run) bool { return x.kind == prefill && (x.maker == "NVIDIA") != theirs }), nil))
}
