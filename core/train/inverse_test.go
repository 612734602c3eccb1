package train_test

import (
	"testing"

	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/model"
	"llmsize/core/train"
)

// fits asks Hold, which knows nothing of the inverse.
func fits(t *testing.T, m *model.Model, q train.Question, room int64) bool {
	t.Helper()
	x, err := train.Hold(m, &q)
	return err == nil && x.Bytes <= room
}

// boundary holds every answer of the inverse against Hold: it fits, and one more
// does not; nothing smaller than the least does.
func boundary(t *testing.T, name string, m *model.Model, q *train.Question, room int64) {
	t.Helper()
	x := train.Solve(m, q, room)
	if got := fits(t, m, *q, room); got != x.Fits || x.Bound == "" {
		t.Errorf("%s: fits %v, want %v, bound by %q", name, x.Fits, got, x.Bound)
	}
	try := *q
	for _, n := range []int64{x.Micro.N, x.Micro.N + 1} {
		if try.Saving.Micro = n; n > 0 && !x.Micro.Any && fits(t, m, try, room) != (n == x.Micro.N) {
			t.Errorf("%s: micro-batch %+v is not the boundary at %d", name, x.Micro, n)
		}
	}
	try = *q
	step := max(q.Layout.CP, 1)
	for _, n := range []int64{x.Seq.N, x.Seq.N + step} {
		if try.Saving.Seq = n; n > 0 && !x.Seq.Any && fits(t, m, try, room) != (n == x.Seq.N) {
			t.Errorf("%s: sequence %+v is not the boundary at %d", name, x.Seq, n)
		}
	}
	for _, a := range []train.Most{x.Micro, x.Seq} {
		if !a.Any && a.Binds == "" {
			t.Errorf("%s: %+v does not say what binds", name, a)
		}
	}
	try = *q
	for z := int64(0); z <= 3; z++ {
		if try.Layout.Zero = z; try.Check() != nil {
			continue
		}
		// Stage 3 may hold more than 2: over two ranks half of LUKE's weights is less than the table of words that it gathers whole.
		fit, more := fits(t, m, try, room), false
		if held, err := train.Hold(m, &try); z == 3 && err == nil {
			more = held.Parts[train.Gathered] > held.Parts[train.Weights]
		}
		if fit != (x.Zero.OK && z >= x.Zero.N) && !(more && z > x.Zero.N && x.Zero.OK) {
			t.Errorf("%s: ZeRO %d fits %v, the smallest is %+v", name, z, fit, x.Zero)
		}
	}
	try = *q
	for i, r := range train.Recomputes {
		try.Saving.Recompute = r
		if fit := fits(t, m, try, room); i <= int(x.Recompute.N) && fit != (x.Recompute.OK && i == int(x.Recompute.N)) {
			t.Errorf("%s: recompute %s fits %v, the least is %+v", name, r, fit, x.Recompute)
		}
	}
	if l, ok := train.Fewest(m, q, room, 8); ok {
		try = *q
		try.Layout = l
		try.Saving.Sequence = q.Saving.Split && l.TP > 1
		if err := try.Layout.Check(m, 0); err != nil || !fits(t, m, try, room) {
			t.Errorf("%s: %+v does not fit: %v", name, l, err)
		}
	}
}

// TestInverse asks for the boundary of many models, runs and sizes of devices.
func TestInverse(t *testing.T) {
	lib := families.Library()
	asked := 0
	for i, name := range lib.Types() {
		cfg, err := config.ParseObject(`{"model_type":"` + name + `"}`)
		if err != nil {
			t.Fatal(err)
		}
		m, fail := family.Describe(cfg, lib)
		if fail != nil {
			continue
		}
		layouts := []train.Layout{{}, {DP: 8, Zero: 1}, {TP: 2, PP: 2, DP: 2}, {PP: 2, VP: 2, DP: 4, Zero: 3}, {CP: 4, DP: 2, Zero: 2}}
		q := recipe(t, []string{"adamw", "muon", "adafactor"}[i%3], "bf16-mixed", layouts[i%len(layouts)])
		q.Saving.Seq, q.Saving.Micro, q.Saving.Flash, q.Saving.Split = 512, 2, i%4 != 0, true
		q.Saving.Recompute = train.Recomputes[i%4]
		if q.Layout.Check(m, 0) != nil {
			q.Layout = train.Layout{TP: 1, PP: 1, EP: 1, DP: 4, Zero: 1}
			q.Saving.Sequence = false
		}
		for _, room := range []int64{1 << 30, 24 << 30, 85_520_809_984} {
			boundary(t, name, m, q, room)
			asked++
		}
	}
	q := recipe(t, "adamw", "bf16-mixed", train.Layout{DP: 8, Zero: 3})
	q.Offload = train.OffloadAll // which stages below 3 do not have
	q.Saving.Seq, q.Saving.Recompute = 4096, "full"
	boundary(t, "all with the host", describe(t, llama8b), q, 24<<30)
	if x := train.Solve(describe(t, llama8b), q, 24<<30); !x.Zero.OK || x.Zero.N != 3 {
		t.Errorf("all with the host: the smallest stage is %+v", x.Zero)
	}
	if asked < 600 {
		t.Errorf("%d boundaries", asked)
	}
}

// TestFewest holds the fewest devices against trying every layout: tp up to eight
// that divides the heads, any number of stages, any data parallelism, and experts
// over as many of its ranks as divide them.
func TestFewest(t *testing.T) {
	const room = 85_520_809_984
	for _, c := range []struct {
		name, config string
		l            train.Layout
		want         int64
	}{
		// 128.5 GB of states on two devices, and 28 GB of activations
		{"llama-3.1-8b", llama8b, train.Layout{}, 2},
		{"llama-3.1-8b, ZeRO-3", llama8b, train.Layout{Zero: 3}, 2},
		{"mixtral", `{"model_type":"mixtral","architectures":["MixtralForCausalLM"]}`, train.Layout{Zero: 1}, 12},
		{"mixtral, no ZeRO", `{"model_type":"mixtral","architectures":["MixtralForCausalLM"]}`, train.Layout{}, 12},
		{"llama-70b", `{"model_type":"llama","architectures":["LlamaForCausalLM"],"vocab_size":128256,"hidden_size":8192,"intermediate_size":28672,"num_hidden_layers":80,"num_attention_heads":64,"num_key_value_heads":8}`, train.Layout{}, 24},
		{"t5", `{"model_type":"t5"}`, train.Layout{}, 1},
		{"gpt2", `{"model_type":"gpt2"}`, train.Layout{}, 1},
	} {
		m := describe(t, c.config)
		q := recipe(t, "adamw", "bf16-mixed", c.l)
		q.Saving.Seq, q.Saving.Split = 4096, true
		x, ok := train.Fewest(m, q, room, 8)
		if !ok || x.Devices() != c.want {
			t.Errorf("%s: %+v, want %d devices", c.name, x, c.want)
			continue
		}
		for n := int64(1); n < x.Devices(); n++ {
			for tp := int64(1); tp <= 8; tp++ {
				for d := int64(1); n%tp == 0 && d <= n/tp; d++ {
					for ep := int64(1); ep <= 8; ep++ {
						try := *q
						try.Layout = train.Layout{TP: tp, PP: n / tp / d, EP: ep, DP: d, Zero: c.l.Zero}
						try.Saving.Sequence = tp > 1
						if try.Layout.Devices() == n && try.Layout.Check(m, n) == nil && fits(t, m, try, room) {
							t.Fatalf("%s: %+v fits on %d devices, the fewest are said to be %d", c.name, try.Layout, n, x.Devices())
						}
					}
				}
			}
		}
	}
}

// BenchmarkSolve is what the report adds for a device.
func BenchmarkSolve(b *testing.B) {
	for name, c := range map[string]string{
		"llama-8b":    llama8b,
		"llama-405b":  `{"model_type":"llama","architectures":["LlamaForCausalLM"],"vocab_size":128256,"hidden_size":16384,"intermediate_size":53248,"num_hidden_layers":126,"num_attention_heads":128,"num_key_value_heads":8}`,
		"deepseek-v3": `{"model_type":"deepseek_v3","architectures":["DeepseekV3ForCausalLM"]}`,
		"qwen3-next":  `{"model_type":"qwen3_next"}`,
	} {
		m := describe(b, c)
		q := question(train.Saving{Seq: 4096, Flash: true, Split: true, Recompute: "none"})
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				train.Solve(m, q, 85_520_809_984)
			}
		})
	}
}

// BenchmarkFewest is the search for the fewest devices.
func BenchmarkFewest(b *testing.B) {
	for name, c := range map[string]string{"llama-8b": llama8b, "deepseek-v3": v3} {
		m := describe(b, c)
		q := question(train.Saving{Seq: 4096, Flash: true, Split: true, Recompute: "none"})
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				train.Fewest(m, q, 85_520_809_984, 8)
			}
		})
	}
}
