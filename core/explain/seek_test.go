package explain_test

import (
	"strconv"
	"testing"

	"llmsize/core/explain"
	"llmsize/core/figure"
	"llmsize/core/query"
)

// TestMoves: twice the context is twice the cache, and fp8 half of it; the hidden size doubles every matrix of a layer
// on one side, and head_dim, which follows from it, on the other.
func TestMoves(t *testing.T) {
	w := load(t)
	r := w.ask(t, "v=1")
	list := explain.Moves(r, w.host, "memory.kv_cache.bytes")
	found := map[string]explain.Move{}
	for i, m := range list {
		found[m.Key.Key()] = m
		if i > 0 && max(m.Times, 1/m.Times) > max(list[i-1].Times, 1/list[i-1].Times)+1e-9 {
			t.Errorf("%s moves it by %g, and stands behind %s with %g", m.Key.Name, m.Times, list[i-1].Key.Name, list[i-1].Times)
		}
		if x := w.ask(t, m.Link); x == nil || x.Numbers().Value("memory.kv_cache.bytes") != m.Value {
			t.Errorf("%s does not lead to %+v", m.Link, m.Value)
		}
	}
	for key, times := range map[string]float64{"context": 2, "batch": 2, "kv": 0.5, "set.num_hidden_layers": 2, "set.num_key_value_heads": 2, "set.hidden_size": 2} {
		if m, ok := found[key]; !ok || m.Times != times {
			t.Errorf("%s: %v, %g times, want %g", key, ok, m.Times, times)
		}
	}
	if m := found["kv"]; m.To != "fp8" || m.Link != "v=1&kv=fp8" {
		t.Errorf("%+v", m)
	}
	if _, ok := found["weights"]; ok {
		t.Error("the format of the weights moves the cache")
	}
	if m := explain.Moves(r, w.host, "memory.weights.bytes"); m[len(m)-1].Times == 1 {
		t.Errorf("%+v", m)
	}
}

// TestSeek holds goals against the inverses that serve works out by itself: the longest context and the largest batch
// of which the upper end fits the device.
func TestSeek(t *testing.T) {
	w := load(t)
	for _, link := range []string{"v=1", "v=1&model=gpt-oss-20b&device=rtx-4090-24gb", "v=1&model=llama-3.1-70b&device=hgx-h100-8&context=4096", "v=1&model=gemma-3-27b&weights=q4_k_m&device=rtx-4090-24gb&kv-policy=llama.cpp"} {
		r := w.ask(t, link)
		x := &r.Running
		for key, want := range map[string]int64{"context": x.Context, "batch": x.Batch} {
			got, fail := explain.Seek(r, w.host, "running.per_device.high", key, float64(x.Device.Memory))
			if fail != nil {
				t.Fatal(fail)
			}
			if want == 0 {
				if got.To != "" || got.Why == "" {
					t.Errorf("%s %s: %+v", link, key, got)
				}
				continue
			}
			if got.To != strconv.FormatInt(want, 10) || got.Value.N > x.Device.Memory || got.Then.OK() && got.Then.N <= x.Device.Memory {
				t.Errorf("%s %s: %+v, want %d", link, key, got, want)
			}
			if y := w.ask(t, got.Link); y == nil || y.Numbers().Value("running.per_device.high") != got.Value {
				t.Errorf("%s does not lead there", got.Link)
			}
		}
	}
	r := w.ask(t, "v=1&model=llama-3.1-70b&device=hgx-h100-8")
	// 70.6 B parameters: 16 bits are 141 GB, 8 bits 70.6 GB.
	if got, _ := explain.Seek(r, w.host, "memory.weights.bytes", "weights", 80e9); got.To != "fp8" || got.Next != "bf16" {
		t.Errorf("%+v", got)
	}
	if got, _ := explain.Seek(r, w.host, "memory.weights.bytes", "context", 80e9); got.To != "" || got.Why == "" {
		t.Errorf("%+v", got)
	}
	// A layer's matrices need widths that the heads divide: the search goes by steps that can be asked.
	if got, fail := explain.Seek(r, w.host, "parameters.total", "set.num_hidden_layers", 36e9); fail != nil || got.To != "39" {
		t.Errorf("%+v %v: (36e9 − 2·8192·128256 − 8192) / 855,654,400 layers", got, fail)
	}
	// More devices take less time each.
	if got, _ := explain.Seek(r, w.host, "compute.train.time.seconds", "devices", 3600*24*30); !got.AtLeast || got.To == "" {
		t.Errorf("%+v", got)
	}
	if _, fail := explain.Seek(r, w.host, "memory.weights.bytes", "contxt", 1); fail == nil || fail.Hint == "" {
		t.Error(fail)
	}
	if _, fail := explain.Seek(r, w.host, "running.fits", "context", 1); fail == nil {
		t.Error("a goal for a word")
	}
	if p, _ := query.ParamNamed("context"); r.Query.Has(p) {
		t.Error("the question was changed")
	}
}

func TestGoal(t *testing.T) {
	for text, want := range map[string]float64{"24 GB": 24e9, "24GiB": 24 << 30, "10 ms": 0.01, "1.5B": 1.5e9, "8,192": 8192, "3 J": 3} {
		if got, ok := explain.Goal(text, figure.Params); !ok || got != want {
			t.Errorf("%s is %g, want %g", text, got, want)
		}
	}
	if got, _ := explain.Goal("5 B", figure.Bytes); got != 5 {
		t.Errorf("five bytes are %g", got)
	}
	for _, text := range []string{"", "GB", "1 parsec", "1.2.3"} {
		if got, ok := explain.Goal(text, figure.Params); ok {
			t.Errorf("%q is %g", text, got)
		}
	}
}
