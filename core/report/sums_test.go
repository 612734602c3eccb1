package report_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestSumsWithExtremes asks with counts at the ends of what a query takes, and adds
// up again, in big integers, every sum that a report has. A figure is right or
// refused: no amount is negative, and no sum is another than that of its terms.
func TestSumsWithExtremes(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 2))
	fixed := [][]string{
		{"model=llama-3.1-8b", "lora-rank=1099511627776"}, {"model=llama-3.1-8b", "lora-rank=1099511627"}, {"model=llama-3.1-8b", "lora-rank=4294967296"},
		{"model=deepseek-v3", "lora-rank=1048576", "lora-targets=all-linear"}, {"model=llama-3.1-8b", "days=8"}, {"model=llama-3.1-8b", "days=8", "devices=1125899906842624"},
		{"model=llama-3.1-8b", "prompt=1099511627776"}, {"model=llama-3.1-8b", "prompt=1125899906842624", "batch=1125899906842624"},
		{"model=llama-3.1-8b", "context=1125899906842624", "batch=1048576"}, {"model=llama-3.1-8b", "micro-batch=1125899906842624", "seq=1125899906842624"},
		{"model=llama-3.1-8b", "served=1125899906842624", "tokens=1125899906842624"}, {"model=llama-3.1-8b", "set.vocab_size=1099511627776"},
		{"model=llama-3.1-8b", "set.vocab_size=1099511627776", "weights=q4_k_m"}, {"model=llama-3.1-8b", "set.vocab_size=109951162777", "optimizer=adamw", "zero=3", "dp=8"},
		{"model=mixtral-8x7b", "set.num_local_experts=1073741824"}, {"model=mamba-2.8b", "batch=1125899906842624"}, {"model=t5-v1.1-base", "prompt=1125899906842624", "batch=1024"},
	}
	for i := range 600 {
		var kv []string
		if i < len(fixed) {
			kv = fixed[i]
		} else {
			kv = draw(rng)
			if rng.IntN(3) == 0 {
				kv = append(kv, "lora-rank="+extremes[rng.IntN(len(extremes))])
			}
			if rng.IntN(4) == 0 {
				kv = append(kv, fmt.Sprintf("set.vocab_size=%d", int64(1)<<rng.IntN(41)))
			}
		}
		r, err := asked(t, kv)
		if err != nil {
			if err.Field == "" && !strings.Contains(err.Problem, "total passes") {
				t.Errorf("%q: the fault names no field: %v", kv, err)
			}
			continue
		}
		d := json.NewDecoder(strings.NewReader(r.JSON()))
		d.UseNumber()
		var tree map[string]any
		if err := d.Decode(&tree); err != nil {
			t.Fatalf("%q: %v", kv, err)
		}
		negative(t, kv, "", tree)
		sums := func(total any, parts any, of string, where string) {
			want, got := integer(total), new(big.Int)
			switch parts := parts.(type) {
			case []any:
				for _, x := range parts {
					if n := integer(x.(map[string]any)[of]); n != nil && x.(map[string]any)["host"] == nil {
						got.Add(got, n)
					}
				}
			case map[string]any:
				for _, x := range parts {
					got.Add(got, integer(x))
				}
			}
			if want == nil || want.Cmp(got) != 0 {
				t.Errorf("%q: %s is %v, its terms come to %v", kv, where, want, got)
			}
		}
		at := func(path ...string) any {
			var v any = tree
			for _, k := range path {
				m, _ := v.(map[string]any)
				v = m[k]
			}
			return v
		}
		sums(at("parameters", "total"), at("parameters", "by_role"), "", "parameters.total")
		sums(at("parameters", "stored"), at("parameters", "components"), "total", "parameters.stored")
		sums(at("memory", "weights", "bytes"), at("memory", "weights", "types"), "bytes", "memory.weights.bytes")
		if at("compute", "prefill") != nil {
			sums(at("memory", "kv_cache", "bytes"), at("memory", "kv_cache", "terms"), "bytes", "memory.kv_cache.bytes")
			sums(at("memory", "total", "bytes"), at("memory", "total", "terms"), "bytes", "memory.total.bytes")
		} else if at("memory", "kv_cache") != nil || at("memory", "total") != nil {
			t.Errorf("%q: a model that reads no tokens has a cache of them", kv)
		}
		if m := r.Training.Memory; m != nil {
			parts := map[string]any{}
			for _, p := range []string{"weights", "gathered", "gradients", "optimizer", "activations", "working"} {
				if n := at("memory", "training", p); n != nil {
					parts[p] = n
				}
			}
			sums(at("memory", "training", "bytes"), parts, "", "memory.training.bytes")
			for _, p := range []string{"weights", "gradients", "optimizer"} {
				var of []any
				for _, x := range at("memory", "training", "terms").([]any) {
					if x.(map[string]any)["part"] == p {
						of = append(of, x)
					}
				}
				sums(at("memory", "training", p), of, "bytes", "memory.training."+p)
			}
		}
		if stages, ok := at("running", "stages").([]any); ok {
			for _, s := range stages {
				sums(s.(map[string]any)["bytes"], s.(map[string]any)["terms"], "bytes", "running.stages.bytes")
			}
		}
	}
}

// integer is a number of the tree as a big integer, nil where it is none.
func integer(v any) *big.Int {
	n, ok := v.(json.Number)
	if !ok {
		return nil
	}
	i, ok := new(big.Int).SetString(n.String(), 10)
	if !ok {
		return nil
	}
	return i
}

// negative looks for amounts below nothing: only what a comparison or a rule is off
// by may be. What a config says is its own.
func negative(t *testing.T, kv []string, path string, v any) {
	t.Helper()
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			if k != "config" && k != "missing" && k != "compare" {
				negative(t, kv, path+"."+k, x)
			}
		}
	case []any:
		for _, x := range v {
			negative(t, kv, path+".*", x)
		}
	case json.Number:
		if strings.HasPrefix(v.String(), "-") {
			t.Errorf("%q: %s is %s", kv, path, v)
		}
	}
}
