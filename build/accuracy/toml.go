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

// sources names the repositories that an engine's runs are from.
func sources(list []*run) string {
	var out []string
	for _, x := range list {
		if q := strconv.Quote(site(x)); !slices.Contains(out, q) {
			out = append(out, q)
		}
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// constants writes an engine's constants, those that its runs say something about, and how far these reach.
func constants(b *bytes.Buffer, e *predict.Engine, list []*run) {
	for _, x := range list {
		if x.kind != training {
			e.Context, e.Prompt, e.Users, e.Bytes = max(e.Context, x.context), max(e.Prompt, x.prompt), max(e.Users, x.users, x.batch), max(e.Bytes, math.Round(x.bytes))
		}
	}
	said := map[string][]kind{"step": {decode, token}, "fill": {prefill}, "load": {token}, "train": {training}, "reach": {decode, prefill, token}}
	last := ""
	for _, c := range e.Constants() {
		section, key, _ := strings.Cut(c.Name, ".")
		if len(of(list, said[section]...)) == 0 || c.Name == "step.hides" && *c.At == 0 {
			continue
		}
		if section != last {
			fmt.Fprintf(b, "\n[%s]\n", section)
			last = section
		}
		v := *c.At
		if strings.HasSuffix(key, "_us") {
			v *= 1e6
		}
		fmt.Fprintf(b, "%s = %s\n", key, digits(v))
	}
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
