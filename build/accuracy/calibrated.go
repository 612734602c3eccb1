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

// calibrate does all, and returns files by their names.
func calibrate() (map[string][]byte, error) {
	runs, left, err := loadRuns()
	if err != nil {
		return nil, err
	}
	return calibrated(runs, left), nil
}

// columns are those of line.
const columns = "kind\tengine\truns\tdevices\tmedian_error\teight_of_ten_within\tmedian_error_shown\tinside_bands\n"

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
		held  [kinds][]held // each device left out
		near  [kinds][]held // each model and source of a device left out
	}
	var list []fitted
	var pooled, nearby [kinds][]held
	for _, p := range partiesOf(runs) {
		e := constantsOf(fits(p.group), fits(p.relatives))
		e.Name, e.Title, e.Fill.Chunk = p.name, p.title, p.chunk
		f := fitted{e: e, runs: p.runs, group: fits(p.group), held: leave(p.runs, p.group, p.relatives, onDevice)}
		for k := range kinds {
			f.near[k] = known(of(fits(p.runs), k), of(f.group, k), e)
			if p.name != everyProgram && p.name != predict.Eager { // whose time is the host's: it says nothing of the others' kernels
				pooled[k] = append(pooled[k], f.held[k]...)
				nearby[k] = append(nearby[k], f.near[k]...)
			}
		}
		list = append(list, f)
	}
	var errors [kinds][]held
	var judged [kinds]coverage
	for _, f := range list {
		train := fits(f.runs)
		var b bytes.Buffer
		fmt.Fprintf(&b, "# Fitted to measured runs by make calibrate, which writes this file; build/accuracy/rates has the runs.\n")
		fmt.Fprintf(&b, "name = %q\ntitle = %q\nsources = [%s]\n", f.e.Name, f.e.Title, sources(train))
		if on := engineOf(f.e.Name).on; on != "" {
			fmt.Fprintf(&b, "on = [\"%s\"]\n", strings.ReplaceAll(on, " ", "\", \""))
		}
		constants(&b, f.e, train)
		for k := range kinds {
			mine := of(train, k)
			if len(mine) == 0 {
				continue
			}
			all := levels(mine, of(f.group, k), f.e)
			bands := bandsOf(f.held[k], pooled[k], f.near[k], nearby[k], len(devicesOf(mine)))
			for i := range f.held[k] {
				f.held[k][i].judge(bands)
			}
			if f.e.Name != everyProgram {
				judged[k].add(bands, f.held[k])
				judged[k].add(bands, f.near[k])
			}
			keys := make([]string, 0, len(all))
			for key := range all {
				keys = append(keys, key)
			}
			slices.Sort(keys)
			for _, key := range keys {
				level, name, _ := strings.Cut(key, " ")
				to, l := bands[level], all[key]
				if !to.ok || level != "device" && engineOf(f.e.Name).alone {
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
		for l, c := range judged[k] {
			if c.runs > 0 {
				fmt.Fprintf(&text, "# class: %s, %s, %.0f%% of %d runs, at most %.1f times wide\n", kindNames[k], levelNames[l], 100*float64(c.inside)/float64(c.runs), c.runs, c.wide)
			}
		}
	}
	for k := range kinds {
		if n, spread := floor(errors[k]); n > 0 {
			fmt.Fprintf(&text, "# spread: %s, %d runs of questions that several runs answer: half lie within %.1f%% of each other's middle\n", kindNames[k], n, 100*spread)
		}
	}
	judges := without(runs, func(x *run) bool { return x.fit })
	for _, name := range distinct(judges, site) {
		fmt.Fprintf(&text, "# judges only: %s, %d runs\n", name, len(without(judges, func(x *run) bool { return site(x) != name })))
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

// least is the least seconds that a run can take.
func least(x *run) float64 {
	switch x.kind {
	case decode:
		return x.bound.Decode(x.work, x.batch, x.cache).Seconds
	case prefill:
		return x.bound.Prefill(x.work, x.prompt, x.batch, x.scores).Seconds
	case token:
		return x.bound.Token(x.work, x.cache)
	case first:
		return x.bound.First(x.work, x.prompt, x.fresh)
	}
	return x.training.Bound()
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
