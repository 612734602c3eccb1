package accuracy

import (
	"math"
	"slices"
	"strings"
)

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
// device shows of others is little, and what one source's runs of a device show of another's too: then the band holds eight of ten
// of all engines' runs as well, pooled and nearby.
func bandsOf(own, pooled, near, nearby []held, devices int) map[string]span {
	out := map[string]span{}
	for _, level := range [...]string{"any", "maker", "family"} {
		errors := logs(own)
		if mine := at(own, level); len(mine) >= 8 && devices >= 3 {
			errors = logs(mine)
		}
		switch {
		case len(errors) < 8:
			out[level] = spanOf(append(logs(pooled), errors...))
		case devices < 2:
			out[level] = spanOf(errors).and(spanOf(logs(pooled)))
		default:
			out[level] = spanOf(errors)
		}
	}
	out["device"] = spanOf(logs(nearby))
	if len(near) >= 8 {
		mine := spanOf(logs(near))
		if out["device"] = mine.and(out["device"]); !out["device"].ok {
			out["device"] = mine
		}
	}
	return out
}

// spanOf is the band of errors.
func spanOf(errors []float64) (s span) {
	s.low, s.high, s.ok = band(errors)
	return s
}

// and holds both bands.
func (s span) and(x span) span {
	s.low, s.high, s.ok = min(s.low, x.low), max(s.high, x.high), s.ok && x.ok
	s.ok = s.ok && s.high <= widest*s.low
	return s
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

// levelNames are the levels of classes, the narrowest first.
var levelNames = [...]string{"device", "family", "maker", "any"}

// coverage says of each level, in the order of levelNames, how many runs left out had a band, how many lay in it, and how wide it was.
type coverage [len(levelNames)]struct {
	runs, inside int
	wide         float64
}

// add counts runs that were left out. Those of a level are judged by its band.
func (c *coverage) add(bands map[string]span, list []held) {
	for _, h := range list {
		h.judge(bands)
		level, _, _ := strings.Cut(h.key, " ")
		for l, name := range levelNames {
			if name == level && h.banded {
				c[l].runs++
				if h.inside {
					c[l].inside++
				}
				c[l].wide = max(c[l].wide, bands[level].high/bands[level].low)
			}
		}
	}
}
