package accuracy

import (
	"bytes"
	"strings"
)

// splits are ways to leave runs out, other than by device, which the form of the model and its choices were made with in view.
var splits = []struct {
	name string
	by   func(*run) string
}{
	{"source", site},
	{"half a year", func(x *run) string {
		if len(x.date) < len("2026-01") {
			return x.date
		}
		if x.date[5:7] > "06" {
			return x.date[:4] + " later"
		}
		return x.date[:4]
	}},
	{"model", func(x *run) string { return x.model }},
	{"family of models", func(x *run) string { return x.model[:strings.IndexAny(x.model+"-", "-0123456789")] }},
	{"width of weights", func(x *run) string { return width(x.weights) }},
	{"family of devices", func(x *run) string { return x.family }},
	{"maker", func(x *run) string { return x.maker }},
}

// site is the repository or thread that a run is from.
func site(x *run) string {
	name, _, _ := strings.Cut(x.source, "@")
	return name
}

// width is the bits of a format, as its name has them.
func width(format string) string {
	if strings.HasPrefix(format, "awq") || strings.HasPrefix(format, "gptq") || strings.HasPrefix(format, "w4") {
		return "4 bits of servers"
	}
	for _, bits := range []string{"16", "8", "4", "6", "5", "3", "2"} {
		if strings.Contains(format, bits) {
			return bits
		}
	}
	return format
}

// split says how far predictions lie from runs of which nothing alike was seen, by what is alike. Whether a run lies in its band is
// asked of the bands that a page shows.
func split() ([]byte, error) {
	runs, _, err := loadRuns()
	if err != nil {
		return nil, err
	}
	// Each engine's bands, as calibrated finds them.
	var parties []party
	var own, near [][kinds][]held
	var pooled, nearby [kinds][]held
	for _, p := range partiesOf(runs) {
		if p.name == everyProgram {
			continue
		}
		e := constantsOf(fits(p.group), fits(p.relatives))
		h, n := leave(p.runs, p.group, p.relatives, onDevice), [kinds][]held{}
		for k := range kinds {
			n[k] = known(of(fits(p.runs), k), of(fits(p.group), k), e)
			pooled[k], nearby[k] = append(pooled[k], h[k]...), append(nearby[k], n[k]...)
		}
		parties, own, near = append(parties, p), append(own, h), append(near, n)
	}
	var b bytes.Buffer
	b.WriteString("# Errors where other things than devices are left out. engine is what is left out. Written by go run ./build calibrate -nested.\n")
	b.WriteString(columns)
	for _, s := range splits {
		var all [kinds][]held
		for i, p := range parties {
			for k, list := range leave(p.runs, p.group, p.relatives, s.by) {
				bands := bandsOf(own[i][k], pooled[k], near[i][k], nearby[k], len(devicesOf(of(fits(p.runs), kind(k)))))
				for j := range list {
					list[j].judge(bands)
				}
				all[k] = append(all[k], list...)
			}
		}
		for k := range kinds {
			line(&b, kindNames[k], s.name, all[k])
		}
	}
	return b.Bytes(), nil
}
