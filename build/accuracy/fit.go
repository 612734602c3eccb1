package accuracy

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

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
	reading := w.Reading(&e.Step, x.prompt, x.fresh, x.served)
	if x.kind == token {
		return w.Token(&e.Step, &e.Load, x.users, x.output, x.cache, reading, x.served)
	}
	return w.FirstToken(&e.Step, &e.Load, x.users, x.cache, reading, x.served)
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
		{func(e *predict.Engine) *float64 { return &e.Load.Mix }, []float64{0, 0.3, 0.5, 0.7, 0.85, 1, 1.2}},
		{func(e *predict.Engine) *float64 { return &e.Step.Sequence }, micro(0, 5, 10, 20, 40, 60, 80)},
	}
	firstDials = []dial{
		{func(e *predict.Engine) *float64 { return &e.Load.First }, micro(0, 10e3, 20e3, 30e3, 50e3, 80e3)},
		{func(e *predict.Engine) *float64 { return &e.Load.Own }, []float64{0.8, 1, 1.3, 1.6, 2, 2.5, 3}},
		{func(e *predict.Engine) *float64 { return &e.Load.Queue }, []float64{0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7}},
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
			sum += w[i] * math.Abs(off(x, e))
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

// of picks the runs of a kind.
func of(list []*run, kinds ...kind) []*run {
	var out []*run
	for _, x := range list {
		if slices.Contains(kinds, x.kind) {
			out = append(out, x)
		}
	}
	return out
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
	e := &predict.Engine{Step: predict.Step{Share: 0.8, Cache: 0.7, Experts: 1.3, Layer: 80e-6, Busy: 0.5, Narrowed: 0.75, Routed: 0.5},
		Fill:  predict.Fill{Half: 0.5, Narrow: 0.5, Scores: 0.1, Slope: 0.3, Layer: 80e-6, Routed: 0.5},
		Train: predict.Train{Share: 0.7, Narrowed: 0.6, Routed: 0.7, Passes: 60, Picked: 10, Beyond: 0.1, Launch: 100e-6, Routing: 2000e-6, Links: 0.6},
		Load:  predict.Load{Mix: 0.7, First: 0.02, Own: 1.3, Queue: 0.1, Steps: 1}}
	if from != nil {
		e.Step, e.Fill, e.Load, e.Train = from.Step, from.Fill, from.Load, from.Train
	}
	dials := stepDials
	if len(of(list, token)) > 0 {
		dials = append(slices.Clone(stepDials), loadDials...)
	}
	turn(e, of(list, decode, token), dials, by)
	turn(e, of(list, prefill), fillDials, by)
	turn(e, of(list, first), firstDials, by)
	turn(e, of(list, training), trainDials, pull.training)
	return e
}

func median(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	list = slices.Clone(list)
	slices.Sort(list)
	n := len(list)
	return (list[(n-1)/2] + list[n/2]) / 2
}

// quantile is the value below which a share of the list lies.
func quantile(list []float64, p float64) float64 {
	if len(list) == 0 {
		return 0
	}
	list = slices.Clone(list)
	slices.Sort(list)
	at := p * float64(len(list)-1)
	i := int(at)
	if i+1 >= len(list) {
		return list[len(list)-1]
	}
	return list[i] + (at-float64(i))*(list[i+1]-list[i])
}

// slip is how far off a run is taken for a slip of whoever measured it, or of another kind than its row says: four times.
// Slips say nothing about a class; they count among the errors all the same.
var slip = math.Log(4)

// level is a class's logarithm and how many runs and devices it rests on.
type level struct {
	log           float64
	rows, devices int
	makes         map[string]bool
}

// levels are factors of all classes that a kind's runs give: "any", "maker X", "family Y", "device Z".
// Where engines share constants, group is the runs of all: an engine's factor is drawn towards theirs.
func levels(list, group []*run, e *predict.Engine) map[string]*level {
	start := 0.0
	if len(group) > len(list) {
		start = levels(group, nil, e)["any"].log
	}
	type dev struct {
		run  *run
		offs []float64
	}
	devs := map[string]*dev{}
	var order []string
	for _, x := range list {
		o := off(x, e)
		if math.Abs(o) > slip {
			continue
		}
		if devs[x.device] == nil {
			devs[x.device] = &dev{run: x}
			order = append(order, x.device)
		}
		devs[x.device].offs = append(devs[x.device].offs, o)
	}
	slices.Sort(order)
	out := map[string]*level{}
	put := func(key string, base func(*run) float64, k float64, in func(*run) bool) {
		var meds []float64
		rows := 0
		for _, name := range order {
			if d := devs[name]; in(d.run) {
				meds = append(meds, median(d.offs)-base(d.run))
				rows += len(d.offs)
			}
		}
		n := float64(len(meds))
		out[key] = &level{log: median(meds) * n / (n + k), rows: rows, devices: len(meds)}
	}
	put("any", func(*run) float64 { return start }, 2, func(*run) bool { return true })
	out["any"].log += start
	for _, name := range order {
		r := devs[name].run
		if key := "maker " + r.maker; out[key] == nil {
			base := out["any"].log
			put(key, func(*run) float64 { return base }, 1, func(x *run) bool { return x.maker == r.maker })
			out[key].log += base
		}
	}
	for _, name := range order {
		r := devs[name].run
		if key := "family " + r.family; out[key] == nil {
			base := out["maker "+r.maker].log
			put(key, func(*run) float64 { return base }, 0.5, func(x *run) bool { return x.family == r.family })
			out[key].log += base
		}
	}
	for _, name := range order {
		d := devs[name]
		base := out["family "+d.run.family].log
		n := float64(len(d.offs))
		out["device "+name] = &level{log: base + (median(d.offs)-base)*n/(n+2), rows: len(d.offs), devices: 1}
	}
	return out
}

// best is the narrowest class of a run.
func best(all map[string]*level, x *run) (string, *level) {
	for _, key := range [...]string{"device " + x.device, "family " + x.family, "maker " + x.maker, "any"} {
		if l := all[key]; l != nil {
			return key, l
		}
	}
	return "", nil
}

// held is a run with the error of a prediction that had not seen it.
type held struct {
	*run
	key string  // the narrowest class that was left
	log float64 // of predicted over measured

	banded, inside bool // whether a band is shown, and the run lies in it
}

func without(list []*run, drop func(*run) bool) []*run {
	var out []*run
	for _, x := range list {
		if !drop(x) {
			out = append(out, x)
		}
	}
	return out
}

func devicesOf(list []*run) []string {
	var out []string
	for _, x := range list {
		if !slices.Contains(out, x.device) {
			out = append(out, x.device)
		}
	}
	slices.Sort(out)
	return out
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

// leave leaves each device out in turn: an engine's runs with errors of fits that had not seen their device, by kind.
// Group is the runs of all engines that share the constants.
func leave(all, group, relatives []*run) (out [kinds][]held) {
	name := all[0].engine
	train := fits(group)
	kin := fits(relatives)
	for _, d := range devicesOf(all) {
		other := func(x *run) bool { return x.device == d }
		rest := without(train, other)
		e := constantsOf(rest, without(kin, other))
		for k := range kinds {
			others := of(rest, k)
			if len(others) == 0 {
				continue // no device of that kind is left to learn from
			}
			l := levels(without(others, func(x *run) bool { return x.engine != name }), others, e)
			for _, x := range of(all, k) {
				if x.device == d {
					key, at := best(l, x)
					out[k] = append(out[k], held{run: x, key: key, log: off(x, e) - at.log})
				}
			}
		}
	}
	return out
}

// known leaves each model of a device out in turn, and each source: how far runs lie from a factor that their device has.
func known(list, group []*run, e *predict.Engine) (out []held) {
	for _, d := range devicesOf(list) {
		mine := without(list, func(x *run) bool { return x.device != d })
		for _, by := range [...]func(*run) string{func(x *run) string { return x.model }, func(x *run) string { return x.source }} {
			seen := map[string]bool{}
			for _, x := range mine {
				if seen[by(x)] {
					continue
				}
				seen[by(x)] = true
				l := levels(without(list, func(y *run) bool { return y.device == d && by(y) == by(x) }), group, e)
				if l["device "+d] == nil {
					continue
				}
				for _, y := range mine {
					if by(y) == by(x) {
						out = append(out, held{run: y, key: "device " + d, log: off(y, e) - l["device "+d].log})
					}
				}
			}
		}
	}
	return out
}

func logs(list []held) []float64 {
	out := make([]float64, len(list))
	for i := range list {
		out[i] = list[i].log
	}
	return out
}

// widest is the widest band that is shown, high over low: where runs differ more, nothing is predicted.
const widest = 3.0

// band is the part of a rate between which eight of ten runs lie, for errors of times as logarithms: the narrowest such part, with
// the likely rate in it. ok is false where it is wider than is shown.
func band(errors []float64) (low, high float64, ok bool) {
	list := slices.Clone(errors)
	slices.Sort(list)
	n := (len(list)*8 + 9) / 10
	if n == 0 {
		return 0, 0, false
	}
	a, b := math.Inf(-1), math.Inf(1)
	for i := 0; i+n <= len(list); i++ {
		// No measurement is better than a twentieth.
		if l, h := min(list[i], -0.05), max(list[i+n-1], 0.05); h-l < b-a {
			a, b = l, h
		}
	}
	// A rate is measured at predicted time over measured time times the likely one.
	return math.Exp(a), math.Exp(b), b-a <= math.Log(widest)
}

// span is a band; ok is false where none is shown.
type span struct {
	low, high float64
	ok        bool
}

// bandsOf are the bands of a kind's classes by their level. Those of wider classes are by runs of devices left out, own, where eight
// or more of them were predicted from that level; that of a device is by its models and sources left out, near. What a single
// device shows of others is little: then the band holds eight of ten of all engines' runs too.
func bandsOf(own, pooled, near []held, devices int) map[string]span {
	out := map[string]span{}
	for _, level := range [...]string{"any", "maker", "family", "device"} {
		errors := logs(own)
		if mine := at(own, level); len(mine) >= 8 && devices >= 3 {
			errors = logs(mine)
		}
		if level == "device" && len(near) >= 8 {
			errors = logs(near)
		}
		var s span
		if len(errors) < 8 {
			s.low, s.high, s.ok = band(append(logs(pooled), errors...))
			out[level] = s
			continue
		}
		s.low, s.high, s.ok = band(errors)
		if devices < 2 && level != "device" {
			low, high, ok := band(logs(pooled))
			s = span{min(s.low, low), max(s.high, high), s.ok && ok}
			s.ok = s.ok && s.high <= widest*s.low
		}
		out[level] = s
	}
	return out
}

// at are the runs that were predicted from a level.
func at(list []held, level string) (out []held) {
	for i := range list {
		if l, _, _ := strings.Cut(list[i].key, " "); l == level {
			out = append(out, list[i])
		}
	}
	return out
}

// judge says whether a band is shown for a run, and whether the run lies in it.
func (h *held) judge(bands map[string]span) {
	level, _, _ := strings.Cut(h.key, " ")
	if s := bands[level]; s.ok {
		h.banded, h.inside = true, math.Exp(h.log) >= s.low*(1-1e-9) && math.Exp(h.log) <= s.high*(1+1e-9)
	}
}

// engine is what is declared of one: its name, those that it shares constants with, and those that its constants are drawn to.
type engine struct {
	name, title, group, kin string
	chunk                   float64
}

// engines are all, in the order in which they are fitted.
// Engines of a group share their constants, because each was measured on few devices; their factors differ.
//
// chunk is how many tokens of a prompt an engine reads at once unless it is told otherwise, by its own defaults: llama.cpp's n_ubatch,
// mlx_lm's prefill_step_size, ExLlama's max_chunk_size, vLLM's max_num_batched_tokens, SGLang's chunked_prefill_size, TensorRT-LLM's
// max_num_tokens. The others read all of it.
var engines = []engine{
	{"exllama", "ExLlama", "", "", 2048},
	{"llama.cpp-cpu", "llama.cpp and llamafile on the processor", "", "", 512},
	{"llama.cpp-cuda", "llama.cpp, CUDA", "", "llama", 512},
	{"llama.cpp-metal", "llama.cpp, Metal", "", "llama", 512},
	{"llama.cpp-rocm", "llama.cpp, ROCm", "", "llama", 512},
	{"llama.cpp-vulkan", "llama.cpp, Vulkan", "", "llama", 512},
	{"llmq", "llmq", "", "", 0},
	{"megatron", "Megatron", "", "", 0},
	{"torchtitan", "torchtitan", "", "", 0},
	{"llamafile", "llamafile, as LocalScore runs it", "", "llama", 512},
	{"lmdeploy", "LMDeploy", "", "", 0},
	{"mlx", "MLX", "", "", 2048},
	{"neuron", "Neuron", "", "", 0},
	{"sglang", "SGLang", "servers", "", 8192},
	{"tensorrt-llm", "TensorRT-LLM", "servers", "", 8192},
	{"transformers", "transformers", "", "", 0},
	{"vllm", "vLLM", "servers", "", 2048},
	{everyProgram, "programs for training, taken together", "", "", 0},
}

// everyProgram is what all programs for training have in common: for those that nobody measured. It is fitted to runs that others are
// fitted to as well, and its errors count once, in its own line.
const everyProgram = "training"

// engineOf is an engine by its name; empty where there is none.
func engineOf(name string) engine {
	for _, t := range engines {
		if t.name == name {
			return t
		}
	}
	return engine{}
}

// calibrate does all, and returns files by their names.
func calibrate() (map[string][]byte, error) {
	d, err := newFitDesk()
	if err != nil {
		return nil, err
	}
	runs, left, err := d.load()
	if err != nil {
		return nil, err
	}
	return calibrated(runs, left), nil
}

// columns are those of line.
const columns = "kind\tengine\truns\tdevices\tmedian_error\teight_of_ten_within\tmedian_error_shown\tinside_bands\n"

// party is an engine with its runs, those that share its constants, and those of its relatives.
type party struct {
	engine
	runs, group, relatives []*run
}

// partiesOf are the engines of which a run may be fitted to.
func partiesOf(runs []*run) (out []party) {
	for _, t := range engines {
		p := party{engine: t, runs: without(runs, func(x *run) bool { return x.engine != t.name })}
		if t.name == everyProgram {
			p.runs = together(of(runs, training))
		}
		if len(fits(p.runs)) == 0 {
			continue
		}
		p.group = p.runs
		if t.group != "" {
			p.group = without(runs, func(x *run) bool { return engineOf(x.engine).group != t.group })
		}
		p.relatives = p.group
		if t.kin != "" {
			p.relatives = without(runs, func(x *run) bool { return engineOf(x.engine).kin != t.kin })
		}
		out = append(out, p)
	}
	return out
}

// fits are the runs that may decide constants.
func fits(list []*run) []*run { return without(list, func(x *run) bool { return !x.fit }) }

// calibrated fits to runs; left says why others were left out.
func calibrated(runs []*run, left map[string]int) map[string][]byte {
	out := map[string][]byte{}
	var text bytes.Buffer
	fmt.Fprintf(&text, "# How far predictions lie from runs on devices that the fit had not seen. Written by make calibrate.\n")
	text.WriteString(columns)
	type fitted struct {
		e     *predict.Engine
		runs  []*run
		group []*run
		held  [kinds][]held
	}
	var list []fitted
	var pooled [kinds][]held
	for _, p := range partiesOf(runs) {
		e := constantsOf(fits(p.group), fits(p.relatives))
		e.Name, e.Title, e.Fill.Chunk = p.name, p.title, p.chunk
		f := fitted{e, p.runs, fits(p.group), leave(p.runs, p.group, p.relatives)}
		for k := range kinds {
			if p.name != everyProgram {
				pooled[k] = append(pooled[k], f.held[k]...)
			}
		}
		list = append(list, f)
	}
	var errors [kinds][]held
	for _, f := range list {
		train := fits(f.runs)
		var b bytes.Buffer
		fmt.Fprintf(&b, "# Fitted to measured runs by make calibrate, which writes this file; build/accuracy/rates has the runs.\n")
		fmt.Fprintf(&b, "name = %q\ntitle = %q\nsources = [%s]\n", f.e.Name, f.e.Title, sources(train))
		constants(&b, f.e, train)
		for k := range kinds {
			mine := of(train, k)
			if len(mine) == 0 {
				continue
			}
			all := levels(mine, of(f.group, k), f.e)
			bands := bandsOf(f.held[k], pooled[k], known(mine, of(f.group, k), f.e), len(devicesOf(mine)))
			for i := range f.held[k] {
				f.held[k][i].judge(bands)
			}
			keys := make([]string, 0, len(all))
			for key := range all {
				keys = append(keys, key)
			}
			slices.Sort(keys)
			for _, key := range keys {
				level, name, _ := strings.Cut(key, " ")
				to, l := bands[level], all[key]
				if !to.ok {
					continue
				}
				fmt.Fprintf(&b, "\n[[%s]]\nlevel = %q\n", kindNames[k], level)
				if name != "" {
					fmt.Fprintf(&b, "of = %q\n", name)
				}
				fmt.Fprintf(&b, "factor = %s\nlow = %s\nhigh = %s\nrows = %d\ndevices = %d\n", digits(math.Exp(-l.log)), digits(to.low), digits(to.high), l.rows, l.devices)
				if k == decode {
					reached(&b, mine, level, name)
				}
			}
			if h := logs(f.held[k]); len(h) > 0 {
				line(&text, kindNames[k], f.e.Name, f.held[k])
				if f.e.Name != everyProgram {
					errors[k] = append(errors[k], f.held[k]...)
				}
			}
		}
		out["content/engines/"+f.e.Name+".toml"] = b.Bytes()
	}
	for k := range kinds {
		line(&text, kindNames[k], "all", errors[k])
	}
	for k := range kinds {
		if n, spread := floor(errors[k]); n > 0 {
			fmt.Fprintf(&text, "# spread: %s, %d runs of questions that several runs answer: half lie within %.1f%% of each other's middle\n", kindNames[k], n, 100*spread)
		}
	}
	whys := make([]string, 0, len(left))
	for why := range left {
		whys = append(whys, why)
	}
	slices.Sort(whys)
	for _, why := range whys {
		fmt.Fprintf(&text, "# left out: %s, %d runs\n", why, left[why])
	}
	out["build/accuracy/errors.txt"] = text.Bytes()
	out["build/accuracy/points.txt"] = points(errors)
	return out
}

// floor is how far runs of the very same question lie from their middle, in the median: no prediction does better.
func floor(list []held) (runs int, spread float64) {
	by := map[string][]float64{}
	for i := range list {
		key := list[i].engine + list[i].question
		by[key] = append(by[key], math.Log(list[i].seconds))
	}
	var off []float64
	for i := range list {
		if same := by[list[i].engine+list[i].question]; len(same) > 1 {
			off = append(off, math.Expm1(math.Abs(math.Log(list[i].seconds)-median(same))))
		}
	}
	return len(off), median(off)
}

// points writes each run with what was predicted of it by a fit that had not seen its device: rates in tokens a second, times under
// load in milliseconds.
func points(errors [kinds][]held) []byte {
	var b bytes.Buffer
	b.WriteString("# Each measured run with its prediction by a fit that had not seen its device: tokens a second, under load milliseconds. Written by make calibrate.\n")
	b.WriteString("kind\tengine\tdevice\tmeasured\tpredicted\tquestion\n")
	for k := range kinds {
		for i := range errors[k] {
			h := &errors[k][i]
			m, p := h.seconds*1e3, h.seconds*1e3*math.Exp(h.log)
			if h.amount > 0 {
				m, p = h.amount/h.seconds, h.amount/h.seconds/math.Exp(h.log)
			}
			fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%s\t%s\n", kindNames[k], h.engine, h.device, digits(m), digits(p), h.question)
		}
	}
	return b.Bytes()
}

// together are the runs of several programs as one's.
func together(list []*run) []*run {
	out := make([]*run, len(list))
	for i, x := range list {
		y := *x
		y.engine = everyProgram
		out[i] = &y
	}
	return out
}

// reached writes which shares of their bound a class's runs reach, by tenths of the runs, where there are eight.
func reached(b *bytes.Buffer, list []*run, level, name string) {
	var shares []float64
	for _, x := range list {
		of := map[string]string{"device": x.device, "family": x.family, "maker": x.maker}
		if level == "any" || of[level] == name {
			shares = append(shares, least(x)/x.seconds)
		}
	}
	if len(shares) < 8 {
		return
	}
	b.WriteString("reached = [")
	for i := range 11 {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.FormatFloat(quantile(shares, float64(i)/10), 'f', 2, 64))
	}
	b.WriteString("]\n")
}

// least is the least seconds that a run of one sequence or prompt can take; 0 for other kinds.
func least(x *run) float64 {
	switch x.kind {
	case decode:
		return x.bound.Decode(x.work, x.batch, x.cache).Seconds
	case prefill:
		return x.bound.Prefill(x.work, x.prompt, x.batch, x.scores).Seconds
	}
	return 0
}

// line is one line of the table of errors.
func line(b *bytes.Buffer, kind, engine string, list []held) {
	if len(list) == 0 {
		return
	}
	var abs, shown []float64
	devices := map[string]bool{}
	banded, inside := 0, 0
	for i := range list {
		abs = append(abs, math.Expm1(math.Abs(list[i].log)))
		devices[list[i].device] = true
		if list[i].banded {
			shown = append(shown, abs[i])
			if banded++; list[i].inside {
				inside++
			}
		}
	}
	share := "\t"
	if banded > 0 {
		share = fmt.Sprintf("%.1f%%\t%.0f%% of %d", 100*median(shown), 100*float64(inside)/float64(banded), banded)
	}
	fmt.Fprintf(b, "%s\t%s\t%d\t%d\t%.1f%%\t%.1f%%\t%s\n", kind, engine, len(list), len(devices), 100*median(abs), 100*quantile(abs, 0.8), share)
}

// sources names the repositories that an engine's runs are from.
func sources(list []*run) string {
	var out []string
	for _, x := range list {
		name, _, _ := strings.Cut(x.source, "@")
		if q := strconv.Quote(name); !slices.Contains(out, q) {
			out = append(out, q)
		}
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// constants writes an engine's constants, those that its runs say something about.
func constants(b *bytes.Buffer, e *predict.Engine, list []*run) {
	put := func(key string, x float64) { fmt.Fprintf(b, "%s = %s\n", key, digits(x)) }
	us := func(key string, x float64) { put(key+"_us", x*1e6) }
	if s := &e.Step; len(of(list, decode, token)) > 0 {
		fmt.Fprintf(b, "\n[step]\n")
		put("share", s.Share)
		put("cache", s.Cache)
		put("experts", s.Experts)
		us("layer", s.Layer)
		us("tensor", s.Tensor)
		put("busy", s.Busy)
		us("sequence", s.Sequence)
		put("narrowed", s.Narrowed)
		put("routed", s.Routed)
	}
	if f := &e.Fill; len(of(list, prefill)) > 0 {
		fmt.Fprintf(b, "\n[fill]\n")
		put("half", f.Half)
		put("narrow", f.Narrow)
		put("scores", f.Scores)
		put("slope", f.Slope)
		us("layer", f.Layer)
		put("routed", f.Routed)
		put("chunk", f.Chunk)
	}
	if l := &e.Load; len(of(list, token)) > 0 {
		fmt.Fprintf(b, "\n[load]\n")
		put("mix", l.Mix)
		us("first", l.First)
		put("own", l.Own)
		put("queue", l.Queue)
		put("steps", l.Steps)
	}
	if t := &e.Train; len(of(list, training)) > 0 {
		fmt.Fprintf(b, "\n[train]\n")
		put("share", t.Share)
		put("narrowed", t.Narrowed)
		put("routed", t.Routed)
		put("passes", t.Passes)
		put("picked", t.Picked)
		put("beyond", t.Beyond)
		us("launch", t.Launch)
		us("routing", t.Routing)
		put("links", t.Links)
		return
	}
	var context, prompt, users, bytes float64
	for _, x := range list {
		context, prompt, users, bytes = max(context, x.context), max(prompt, x.prompt), max(users, x.users, x.batch), max(bytes, x.bytes)
	}
	fmt.Fprintf(b, "\n[reach]\n")
	put("context", context)
	put("prompt", prompt)
	put("users", users)
	put("bytes", math.Round(bytes))
}

// digits writes four digits of a number.
func digits(x float64) string {
	if x == math.Trunc(x) {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	decimals := 3 - int(math.Floor(math.Log10(math.Abs(x))))
	s := strconv.FormatFloat(x, 'f', max(decimals, 0), 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}
