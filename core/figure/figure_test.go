package figure

import (
	"strings"
	"testing"

	"llmsize/core/formula"
	"llmsize/core/units"
)

func TestFind(t *testing.T) {
	for _, c := range []struct{ path, id string }{
		{"running.time.decode.seconds", "running.time.decode.seconds"},
		{"running.time.draft.check.seconds", "running.time.*.seconds"},
		{"running.time.decode.memory_seconds", "running.time.*.memory_seconds"},
		{"memory.kv_cache.terms.0.bytes", "memory.kv_cache.terms.*.bytes"},
		{"memory.kv_cache.policies.llama.cpp", "memory.kv_cache.policies.*"},
		{"layers.0.tensors.self_attn.q_proj.weight", "layers.*"},
		{"layers.decoder.block.0.count", "layers.*.count"},
		{"parameters", ""}, {"parameters.total.x", ""}, {"", ""},
	} {
		id := ""
		if f := Find(c.path); f != nil {
			id = f.ID
		}
		if id != c.id {
			t.Errorf("%s is declared by %q, want %q", c.path, id, c.id)
		}
	}
	if path, ok := Named("running.next-token"); !ok || path != "running.time.decode.seconds" {
		t.Error(path)
	}
}

// TestDeclarations: formulas can be read, names of links stand once, own figures have a formula.
func TestDeclarations(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range append(append([]Figure{}, Live...), Others...) {
		if f.At != "" {
			if seen[f.At] {
				t.Errorf("%s stands twice", f.At)
			}
			seen[f.At] = true
		}
		if f.Formula != "" {
			if _, problem := formula.Parse(f.Formula); problem != "" {
				t.Errorf("%s: %s", f.ID, problem)
			}
		}
		if f.Own && (f.Formula == "" || strings.Contains(f.ID, "*")) || f.Lens != "" && (f.Label == "" || f.At == "" || strings.Contains(f.ID, "*")) {
			t.Errorf("%+v", f)
		}
	}
}

func TestName(t *testing.T) {
	for label, want := range map[string]string{"Next token": "next token, at best", "KV cache": "KV cache, at best", "layers": "layers, at best"} {
		if got := (&Figure{Label: label, About: "at best"}).Name(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestShort(t *testing.T) {
	for _, c := range []struct {
		unit Unit
		v    formula.Value
		want string
	}{
		{Bytes, formula.Whole(1073741824), "1.07 GB"}, {Seconds, formula.Number(0.004801072), "4.80 ms"}, {Joules, formula.Number(3.36075), "3.36 J"},
		{Params, formula.Whole(8030261248), "8.03 B"}, {Rate, formula.Whole(3350000000000), "3.35 TB/s"}, {FLOPRate, formula.Number(989e12), "989 TFLOP/s"},
		{Watts, formula.Whole(700), "700 W"}, {Count, formula.Whole(8192), "8,192"}, {Ratio, formula.Number(0.5), "0.5"}, {Ratio, formula.Number(46.1704), "46.2"}, {Words, formula.Value{Kind: formula.Text, Text: "yes"}, "yes"},
	} {
		if got := c.unit.Short(c.v, "gb"); got != c.want {
			t.Errorf("%v of %+v is %q, want %q", c.unit, c.v, got, c.want)
		}
	}
	for j, want := range map[units.Joules]string{0: "0 J", 0.0000012: "1 µJ", 0.25: "250 mJ", 12345: "12.3 kJ", 2e13: "more than 10^12 J"} {
		if got := j.Short(); got != want {
			t.Errorf("%g J: %q, want %q", float64(j), got, want)
		}
	}
}
