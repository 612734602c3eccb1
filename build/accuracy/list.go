package accuracy

import (
	"slices"
)

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

func without(list []*run, drop func(*run) bool) []*run {
	var out []*run
	for _, x := range list {
		if !drop(x) {
			out = append(out, x)
		}
	}
	return out
}

// fits are the runs that may decide constants.
func fits(list []*run) []*run { return without(list, func(x *run) bool { return !x.fit }) }

func devicesOf(list []*run) []string { return distinct(list, onDevice) }

// distinct are the values that runs have.
func distinct(list []*run, by func(*run) string) []string {
	var out []string
	for _, x := range list {
		if v := by(x); !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return out
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

func logs(list []held) []float64 {
	out := make([]float64, len(list))
	for i := range list {
		out[i] = list[i].log
	}
	return out
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
