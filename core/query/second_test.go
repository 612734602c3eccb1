package query_test

import (
	"testing"

	"llmsize/core/config"
	"llmsize/core/query"
)

// TestSecond: what a comparison asks of its second side, and the same comparison
// the other way round.
func TestSecond(t *testing.T) {
	base, _ := config.Parse(`{"hidden_size":4096,"text_config":{"layers":2}}`)
	for _, c := range []struct{ in, second, swapped string }{
		{"vs=gpt2", "v=1&model=gpt2", "v=1&model=gpt2&vs=llama-3.1-8b"},
		{"model=gpt2&vs=llama-3.1-8b&context=1024", "v=1&context=1024", "v=1&context=1024&vs=gpt2"},
		// What was changed in the first model's config is not about the second.
		{"set.hidden_size=8192&vs=gpt2", "v=1&model=gpt2", "v=1&model=gpt2&vs=llama-3.1-8b&vs.set.hidden_size=8192"},
		{"set.hidden_size=8192&vs=llama-3.1-8b", "v=1", "v=1&vs=llama-3.1-8b&vs.set.hidden_size=8192"},
		{"vs=gpt2&vs.set.n_layer=24&vs.context=1024", "v=1&model=gpt2&set.n_layer=24&context=1024", "v=1&model=gpt2&set.n_layer=24&context=1024&vs=llama-3.1-8b&vs.context=8192"},
		// One model under two queries.
		{"vs.context=32k", "v=1&context=32000", "v=1&context=32000&vs.context=8192"},
		{"context=32k&vs.context=8192", "v=1", "v=1&vs.context=32000"},
		{"batch=4&context=32k&vs.context=8192", "v=1&batch=4", "v=1&batch=4&vs.context=32000"},
		{"set.hidden_size=8192&vs.set.hidden_size=4096", "v=1&set.hidden_size=4096", "v=1&vs.set.hidden_size=8192"},
		{"set.x=1&vs.set.x=null", "v=1&set.x=null", "v=1&vs.set.x=1"},
		{"vs.set.text_config.layers=3", "v=1&set.text_config.layers=3", "v=1&set.text_config.layers=3&vs.set.text_config.layers=2"},
		{"prompt=100&vs.prompt=8192", "v=1", "v=1&vs.prompt=100"},
		{"mine=16gb&units=gib&vs=gpt2", "v=1&model=gpt2&units=gib", "v=1&model=gpt2&units=gib&vs=llama-3.1-8b&mine=16gb"},
	} {
		q, issues, err := query.Parse(c.in)
		if err != nil || len(issues) > 0 {
			t.Errorf("%q: %v %v", c.in, issues, err)
			continue
		}
		second, ok := q.Second()
		if got := second.String(); !ok || got != c.second {
			t.Errorf("%q: the second side asks %q, want %q", c.in, got, c.second)
		}
		swapped, ok := q.Swapped(base, false)
		if got := swapped.String(); !ok || got != c.swapped {
			t.Errorf("%q: swapped it is %q, want %q", c.in, got, c.swapped)
			continue
		}
		again, _ := swapped.Second()
		first := q
		first.Vs, first.Set = nil, nil
		back, ok := swapped.Swapped(base, false)
		if a, _ := back.Second(); !ok || a.String() != second.String() {
			t.Errorf("%q: swapped twice, the second side asks %q", c.in, a.String())
		}
		if x, _ := query.ParamNamed("context"); again.Get(x) != q.Get(x) {
			t.Errorf("%q: swapped, the second side has context %s", c.in, again.Get(x))
		}
	}
	var q query.Query
	if _, ok := q.Second(); ok {
		t.Error("a plain query has a second side")
	}
	if _, ok := q.Swapped(base, false); ok {
		t.Error("a plain query has sides to swap")
	}
}

// TestSecondPasted: a side's config may stand beside the query, which then says no
// model of that side; what was changed in a config stays with it.
func TestSecondPasted(t *testing.T) {
	base, _ := config.Parse(`{"hidden_size":4096}`)
	for _, c := range []struct {
		in            string
		first, second bool // the config is pasted
		asks, swapped string
		swappedFirst  bool
		swappedSecond bool
	}{
		{"model=gpt2", false, true, "v=1", "v=1&vs=gpt2", true, false},
		{"", false, true, "v=1", "v=1&vs=llama-3.1-8b", true, false},
		{"set.hidden_size=8192&context=1024", false, true, "v=1&context=1024", "v=1&context=1024&vs=llama-3.1-8b&vs.set.hidden_size=8192", true, false},
		{"vs=gpt2", true, false, "v=1&model=gpt2", "v=1&model=gpt2", false, true},
		{"set.hidden_size=8192&vs=gpt2&vs.set.n_layer=24", true, false, "v=1&model=gpt2&set.n_layer=24", "v=1&model=gpt2&set.n_layer=24&vs.set.hidden_size=8192", false, true},
		{"set.hidden_size=8192&vs.set.hidden_size=2048&vs.kv=fp8", true, true, "v=1&set.hidden_size=2048&kv=fp8", "v=1&set.hidden_size=2048&kv=fp8&vs.kv=bf16&vs.set.hidden_size=8192", true, true},
		{"vs.context=1024", true, false, "v=1&context=1024", "v=1&context=1024&vs.context=8192", true, false},
		// A link with both, which no page writes: the config counts, as it does on the first side.
		{"vs=gpt2", false, true, "v=1", "v=1&vs=llama-3.1-8b", true, false},
	} {
		q, issues, err := query.Parse(c.in)
		if err != nil || len(issues) > 0 {
			t.Errorf("%q: %v %v", c.in, issues, err)
			continue
		}
		q.VsPasted = c.second
		second, ok := q.Second()
		if got := second.String(); !ok || got != c.asks || second.VsPasted {
			t.Errorf("%q: the second side asks %q, want %q", c.in, got, c.asks)
		}
		swapped, ok := q.Swapped(base, c.first)
		if got := swapped.String(); !ok || got != c.swapped || swapped.VsPasted != c.swappedSecond {
			t.Errorf("%q: swapped it is %q (pasted %v), want %q (%v)", c.in, got, swapped.VsPasted, c.swapped, c.swappedSecond)
		}
		if back, _ := swapped.Swapped(base, c.swappedFirst); back.VsPasted != c.second {
			t.Errorf("%q: swapped twice, the second side is pasted: %v", c.in, back.VsPasted)
		}
		alone := q.Alone()
		if _, ok := alone.Second(); ok {
			t.Errorf("%q: alone it has a second side", c.in)
		}
	}
}
