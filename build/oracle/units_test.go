package oracle

import (
	"strings"
	"testing"

	"llmsize/core/family/families"
)

// TestUnits: lines of another kind are passed over, broken ones are errors, and what has no number says why.
func TestUnits(t *testing.T) {
	t.Parallel()
	if _, ok, err := ParseUnit("tokens\t{}\t640\t480\t391"); ok || err != nil {
		t.Errorf("a line of tokens: %v, %v", ok, err)
	}
	for _, broken := range []string{"flops\t{}\t640x480", "flops\t{}\t640x480\tmany"} {
		if _, ok, err := ParseUnit(broken); ok || err == nil {
			t.Errorf("%q is taken", broken)
		}
	}
	lib := families.Library()
	for _, c := range []struct{ config, of, problem string }{
		{`{"model_type": "gpt2"}`, "640x480", "no such unit"},
		{`{"model_type": "vit"}`, "640x", "invalid syntax"},
		{`{"model_type": "vit"}`, "long", "invalid syntax"},
		{`{"model_type": "vits"}`, "1", "no such unit"},
		{`{"model_type": "vit", "hidden_size": 7}`, "224x224", "hidden_size"},
	} {
		u := Unit{Config: c.config, Of: c.of, FLOPs: 1}
		if got, _, problem := u.Counted(lib); got != 0 || !strings.Contains(problem, c.problem) {
			t.Errorf("%s, %s: %.0f, %q", c.config, c.of, got, problem)
		}
	}
	// 196 patches of 3 · 16² numbers to 12; of these and a mark 197 go through four matrices of 12 · 12 and two of 12 · 24, and each sees
	// all, twice by 12 numbers; one is pooled.
	one := Unit{Config: `{"model_type": "vit", "architectures": ["ViTModel"], "hidden_size": 12, "num_attention_heads": 1, "intermediate_size": 24, "num_hidden_layers": 1}`, Of: "224x224"}
	one.FLOPs = 2 * (196*3*16*16*12 + 197*(4*12*12+2*12*24) + 197*197*2*12 + 12*12)
	if what, detail := one.held(lib); what != "a unit: equal" {
		t.Error(what, detail)
	}
	one.FLOPs *= 2
	if what, detail := one.held(lib); what != "a unit: off" || detail != "-50.0000%" {
		t.Error(what, detail)
	}
}
