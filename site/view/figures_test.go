package view_test

import (
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"llmsize/content/catalogue"
	"llmsize/core/config"
	"llmsize/core/family/families"
	"llmsize/core/figure"
	"llmsize/core/formula"
	"llmsize/core/query"
	"llmsize/core/report"
)

// holds are formulas that need not come to the figure's value, with the reason: where they do not, no formula is shown.
var holds = map[string]string{
	"memory.kv_cache.terms.*.bytes":   "programs round up to blocks and padding, and formats to blocks of a row",
	"memory.weights.bytes":            "a plain format of 4 bits rounds up in each tensor",
	"memory.training.terms.*.bytes":   "ranks round up",
	"running.fewest_devices.devices":  "a layout counts its devices itself",
	"running.time.draft.seconds":      "times are written to the nanosecond",
	"compute.train.time.seconds":      "the utilisation is written to a thousandth",
	"compute.train.time.device_hours": "times are written to a thousandth",
	"compute.train.time.watt_hours":   "times are written to a thousandth",
}

// frozenQuestions are the questions whose answers are kept.
func frozenQuestions(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("testdata/frozen.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, line := range strings.Split(string(text), "\n") {
		if q, ok := strings.CutPrefix(line, "? "); ok {
			out = append(out, q)
		}
	}
	return out
}

// TestEveryNumberIsDeclared: every number of the JSON has a label and a unit, and its formula comes to it.
func TestEveryNumberIsDeclared(t *testing.T) {
	models, err := catalogue.AllModels()
	if err != nil {
		t.Fatal(err)
	}
	devices, err := catalogue.AllDevices()
	if err != nil {
		t.Fatal(err)
	}
	lib := families.Library()
	type count struct{ right, wrong int }
	counts, first := map[string]*count{}, map[string]string{}
	bare := map[string]bool{}
	for _, link := range frozenQuestions(t) {
		q, _, _ := query.Parse(link)
		m, _ := models.Find(q.Get(query.Model))
		s, err := m.Subject()
		if err != nil {
			t.Fatal(err)
		}
		d, _ := devices.Find(q.Get(query.Device))
		s.Device = d.Spec()
		r, fail := report.Answer(q, s, lib)
		if fail != nil {
			t.Fatal(fail)
		}
		r.Rank()
		n := r.Numbers()
		numbersOf(r.Tree().Read(), "", func(path string) {
			f := figure.Find(path)
			if f == nil || f.Label == "" {
				bare[path] = true
				return
			}
			if f.Formula == "" {
				return
			}
			e, _ := formula.Parse(f.Formula)
			c := counts[f.ID]
			if c == nil {
				c = &count{}
				counts[f.ID] = c
			}
			if got, want := e.Eval(n.At(path)), n.Value(path); same(got, want, f.Unit) {
				c.right++
			} else if c.wrong++; first[f.ID] == "" {
				first[f.ID] = link + " " + path + ": " + f.Formula + " is " + f.Unit.Exact(got, "gb") + ", not " + f.Unit.Exact(want, "gb")
			}
		})
	}
	for path := range bare {
		t.Errorf("%s is not declared", path)
	}
	for _, id := range slices.Sorted(maps.Keys(counts)) {
		switch c := counts[id]; {
		case c.wrong > 0 && holds[id] == "":
			t.Errorf("%s: %d right, %d wrong: %s", id, c.right, c.wrong, first[id])
		case c.right < c.wrong:
			t.Errorf("%s is mostly wrong: %d right, %d wrong: %s", id, c.right, c.wrong, first[id])
		case c.wrong > 0:
			t.Logf("%s: %d right, %d not", id, c.right, c.wrong)
		}
	}
	if len(counts) < 30 {
		t.Errorf("only %d formulas were looked at", len(counts))
	}
}

// same holds two numbers against each other, to the digits that the JSON has of them.
func same(a, b formula.Value, u figure.Unit) bool {
	if a.Kind == formula.Int && b.Kind == formula.Int {
		return a.N == b.N
	}
	x, y := a.Float(), b.Float()
	if !a.OK() || !b.OK() {
		return false
	}
	off := 1e-6 * math.Abs(y)
	switch u {
	case figure.Bytes, figure.FLOPs:
		off += 1
	case figure.Seconds:
		off += 2e-9
	default:
		off += 2e-3
	}
	return math.Abs(x-y) <= off
}

// numbersOf calls f for the path of every number, but of those of the config itself and of a comparison.
func numbersOf(v config.Value, path string, f func(path string)) {
	switch {
	case path == "config" || path == "compare":
	case v.Kind == config.Number:
		f(path)
	case v.Kind == config.Object:
		for i, key := range v.Keys {
			numbersOf(v.Vals[i], strings.TrimPrefix(path+"."+key, "."), f)
		}
	case v.Kind == config.List:
		for i, x := range v.Items {
			numbersOf(x, path+"."+strconv.Itoa(i), f)
		}
	}
}
