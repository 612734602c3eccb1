package family_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
)

// TestVariants: configs of which several keys are changed, or one that only the class's own rules know, are counted as
// transformers builds them; what it refuses is an error that names a key.
func TestVariants(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/variants.txt")
	if err != nil {
		t.Fatal(err)
	}
	lib, built, refused := families.Library(), 0, 0
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) < 2 {
			continue
		}
		cfg, fail := config.ParseObject(f[1])
		if fail != nil {
			t.Fatal(fail)
		}
		m, fail := family.Describe(cfg, lib)
		if f[0] == "refused" {
			refused++
			if fail == nil || fail.Field == "" || fail.File != "" {
				t.Errorf("%s: the class refuses it: %v", f[1], fail)
			}
			continue
		}
		built++
		if fail != nil {
			t.Errorf("%s: %v", f[1], fail)
			continue
		}
		p, b := sums(m)
		if want := f[2] + "+" + f[3]; strconv.FormatInt(p, 10)+"+"+strconv.FormatInt(b, 10) != want {
			t.Errorf("%s: %d parameters and %d buffers, want %s", f[1], p, b, want)
		}
	}
	if built < 20 || refused < 200 {
		t.Errorf("%d built and %d refused", built, refused)
	}
}

// TestInert: Step-3.7's published config has its language model's sizes beside text_config, which alone the class reads: what it
// builds is known exactly.
func TestInert(t *testing.T) {
	const size = `,"num_hidden_layers":48,"hidden_size":4096,"num_experts":288,"first_k_dense_replace":3`
	var sum [2]int64
	for i, keys := range []string{"", size} {
		m, err := describe(t, families.Library(), `{"architectures":["Step3p7FlashForCausalLM"],"model_type":"step3p7"`+keys+"}")
		if err != nil {
			t.Fatal(err)
		}
		if sum[i], _ = sums(m); !m.Exact() {
			t.Errorf("%s: %v", keys, m.Warnings)
		}
	}
	if sum[0] != sum[1] {
		t.Errorf("%d and %d parameters", sum[0], sum[1])
	}
}
