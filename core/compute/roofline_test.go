package compute_test

import (
	"testing"

	"llmsize/core/compute"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
)

func TestRoofline(t *testing.T) {
	m := compute.Machine{Peak: 100, Bandwidth: 10, Link: 5}
	for _, c := range []struct {
		load    compute.Load
		seconds float64
		binds   string
	}{
		{compute.Load{FLOPs: 1000, Bytes: 50, Sent: 5}, 10, "compute"},
		{compute.Load{FLOPs: 100, Bytes: 50, Sent: 5}, 5, "memory"},
		{compute.Load{FLOPs: 100, Bytes: 50, Sent: 50}, 10, "link"},
	} {
		if got := compute.Roofline(m, c.load); got.Seconds != c.seconds || got.Binds != c.binds {
			t.Errorf("%+v: %+v", c.load, got)
		}
	}
	// What is not known does not bind.
	if got := compute.Roofline(compute.Machine{Bandwidth: 10}, compute.Load{FLOPs: 1e9, Bytes: 50, Sent: 1e9}); got.Seconds != 5 || got.Binds != "memory" {
		t.Errorf("%+v", got)
	}
}

// TestCoverage: of 256 experts with 8 picked, one token reads 8, 64 tokens read
// 256 (1 − (248/256)^64) = 222.4: not 8, and not 512.
func TestCoverage(t *testing.T) {
	for _, c := range []struct {
		experts, picked, n int64
		read               float64
	}{{256, 8, 1, 8}, {256, 8, 2, 15.75}, {256, 8, 64, 222.4}, {8, 2, 8, 7.199}, {8, 8, 1, 8}, {256, 8, 1 << 40, 256}} {
		if got := float64(c.experts) * compute.Coverage(c.experts, c.picked, c.n); got < c.read-0.05 || got > c.read+0.05 {
			t.Errorf("%d of %d, %d tokens: %.3f experts, want %.3f", c.picked, c.experts, c.n, got, c.read)
		}
	}
}

// TestSend: Llama-3.1-8B has 32 mixers and 32 feed-forwards, Mixtral as many, whose tokens go to two
// experts and back. Rows of 1,000 tokens of 4,096 values in 16 bits.
func TestSend(t *testing.T) {
	const row = 1000 * 4096 * 2
	for _, c := range []struct {
		config     string
		tp, pp, ep int64
		want       compute.Traffic
	}{
		{llama8B, 1, 1, 1, compute.Traffic{}},
		{llama8B, 4, 2, 1, compute.Traffic{AllReduce: 2 * 3 * row / 4 * 64, Stages: row}},
		{llama8B, 2, 4, 1, compute.Traffic{AllReduce: row * 64, Stages: 3 * row}},
		{`{"model_type":"mixtral","architectures":["MixtralForCausalLM"]}`, 2, 1, 8, compute.Traffic{AllReduce: row * 64, Experts: 2 * 7 * row / 8 * 32 * 2}},
	} {
		cfg, err := config.ParseObject(c.config)
		if err != nil {
			t.Fatal(err)
		}
		m, err := family.Describe(cfg, families.Library())
		if err != nil {
			t.Fatal(err)
		}
		got := compute.Send(m, 4096, 1000, 2, c.tp, c.pp, c.ep)
		if got != c.want || got.Sum() != c.want.AllReduce+c.want.Stages+c.want.Experts {
			t.Errorf("tp %d, pp %d, ep %d: %+v, want %+v", c.tp, c.pp, c.ep, got, c.want)
		}
	}
}
