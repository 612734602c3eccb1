package serve_test

import (
	"testing"

	"llmsize/content/catalogue"
	"llmsize/core/compute"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/model"
	"llmsize/core/serve"
	"llmsize/core/train"
)

func described(t *testing.T, slug string) *model.Model {
	t.Helper()
	c, err := catalogue.AllModels()
	if err != nil {
		t.Fatal(err)
	}
	m, ok := c.Find(slug)
	if !ok {
		t.Fatalf("no model %s", slug)
	}
	s, err := m.Subject()
	if err != nil {
		t.Fatal(err)
	}
	d, fail := family.Describe(s.Config, families.Library())
	if fail != nil {
		t.Fatal(fail)
	}
	return d
}

func TestObvious(t *testing.T) {
	for _, c := range []struct {
		slug string
		n    int64
		want train.Layout
	}{
		{"llama-3.1-70b", 8, train.Layout{TP: 8, PP: 1, EP: 1, DP: 1}},
		{"llama-3.1-70b", 72, train.Layout{TP: 8, PP: 9, EP: 1, DP: 1}},
		{"qwen2.5-0.5b", 8, train.Layout{TP: 2, PP: 4, EP: 1, DP: 1}}, // 14 heads
		{"gpt2-xl", 8, train.Layout{TP: 1, PP: 8, EP: 1, DP: 1}},      // 25 heads
		{"gpt2", 256, train.Layout{TP: 4, PP: 1, EP: 1, DP: 64}},      // 12 heads, 12 layers
		{"llama-3.1-8b", 1, train.Layout{TP: 1, PP: 1, EP: 1, DP: 1}},
	} {
		if got := serve.Obvious(described(t, c.slug), c.n); got != c.want {
			t.Errorf("%s on %d: %+v, want %+v", c.slug, c.n, got, c.want)
		}
	}
}

// TestSend: Llama-3.1-70B on 8 devices reduces twice a layer, 80 layers, hidden
// states of 8,192 in 16 bits; a ring sends 2 · 7/8 of each.
func TestSend(t *testing.T) {
	got := compute.Send(described(t, "llama-3.1-70b"), 8192, 1, 2, 8, 1, 1)
	if want := 2.0 * 7 / 8 * 8192 * 2 * 160; got.AllReduce != want || got.Stages != 0 || got.Experts != 0 {
		t.Errorf("%+v, want %.0f", got, want)
	}
	got = compute.Send(described(t, "mixtral-8x7b"), 4096, 10, 2, 1, 4, 8)
	if stages, experts := 10.0*4096*2*3, 2.0*7/8*10*4096*2*32*2; got.Stages != stages || got.Experts != experts || got.AllReduce != 0 {
		t.Errorf("%+v, want %.0f and %.0f", got, stages, experts)
	}
}
