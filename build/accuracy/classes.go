package accuracy

import (
	"math"
	"slices"

	"llmsize/core/predict"
)

// slip is how far off a run is taken for a slip of whoever measured it, or of another kind than its row says: four times.
// Slips say nothing about a class; they count among the errors all the same.
var slip = math.Log(4)

// level is a class's logarithm and how many runs and devices it rests on.
type level struct {
	log           float64
	rows, devices int
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

// onDevice is what is left out to judge a prediction for a device that nobody measured.
func onDevice(x *run) string { return x.device }

// leave leaves runs out in turn that have something in common, which by says: an engine's runs with errors of fits that had not seen
// them, by kind. Group is the runs of all engines that share the constants.
func leave(all, group, relatives []*run, by func(*run) string) (out [kinds][]held) {
	name := all[0].engine
	train := fits(group)
	kin := fits(relatives)
	for _, d := range distinct(all, by) {
		other := func(x *run) bool { return by(x) == d }
		rest := without(train, other)
		e := constantsOf(rest, without(kin, other))
		for k := range kinds {
			others := of(rest, k)
			if len(others) == 0 {
				continue // no device of that kind is left to learn from
			}
			l := levels(without(others, func(x *run) bool { return x.engine != name }), others, e)
			for _, x := range of(all, k) {
				if other(x) {
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
