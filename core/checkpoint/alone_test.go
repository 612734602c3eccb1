package checkpoint_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"llmsize/core/checkpoint"
	"llmsize/core/config"
	"llmsize/core/family/families"
	"llmsize/core/model"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/site/view"
)

// TestAloneIsMarked: of a checkpoint that nobody knows the count and the weights are exact, and the rest says that it is an estimate, in the JSON too.
func TestAloneIsMarked(t *testing.T) {
	l := &checkpoint.List{}
	for _, c := range readWritten(t, "testdata/written.txt") {
		if c.name != "nobody's" {
			continue
		}
		for _, f := range c.files {
			if err := read(l, f.name, f.head, f.size, 1000); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := l.Finish(); err != nil {
		t.Fatal(err)
	}
	q, _, fail := query.Parse("v=1")
	if fail != nil {
		t.Fatal(fail)
	}
	cfg, fail := config.ParseObject(`{"model_type":"nobodys","hidden_size":64,"num_attention_heads":4}`)
	if fail != nil {
		t.Fatal(fail)
	}
	r, fail := report.Answer(q, report.Subject{Config: cfg, Model: checkpoint.Model(l, cfg)}, families.Library())
	if fail != nil {
		t.Fatal(fail)
	}
	tree := r.Tree()
	at := func(path ...string) string {
		v := tree
		for _, key := range path {
			v = v.Get(key)
		}
		return strings.Trim(v.String(), `"`)
	}
	for _, c := range []struct{ path, want string }{
		{"parameters", "exact"}, {"model", "estimate"}, {"memory kv_cache", "estimate"}, {"memory training", "estimate"}, {"memory total", "estimate"}, {"compute", "estimate"}, {"training", "estimate"},
	} {
		if got := at(append(strings.Fields(c.path), "status")...); got != c.want {
			t.Errorf("%s: status %q, want %q", c.path, got, c.want)
		}
	}
	for i, x := range r.Running.Terms {
		want := "estimate"
		switch {
		case i == 0:
			want = "exact" // the weights
		case x.What == "runtime":
			want = "band"
		}
		if x.Status.String() != want {
			t.Errorf("%s: %s, want %s", x.What, x.Status, want)
		}
	}
	// What is assumed is named: 64 of hidden_size over 4 heads.
	for _, want := range []string{"headers alone", "a head is taken to be 16 wide, hidden_size ÷ num_attention_heads"} {
		if !strings.Contains(at("model", "warnings"), want) || !strings.Contains(view.Unsure(r), want) {
			t.Errorf("it does not say %q: %s %s", want, at("model", "warnings"), view.Unsure(r))
		}
	}
	if a, err := report.Answer(q, report.Subject{Config: known(t)}, families.Library()); err != nil || view.Unsure(a) != "" || strings.Contains(a.JSON(), `"estimate"`) {
		t.Errorf("a model that is known: %v %q", err, view.Unsure(a))
	}
}

func known(t *testing.T) config.Value {
	t.Helper()
	v, err := config.ParseObject(`{"model_type":"llama"}`)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestAloneAddsUp: what is too much to be told apart is added up, and said; nothing is lost.
func TestAloneAddsUp(t *testing.T) {
	for _, c := range []struct {
		what string
		n    int
		name func(i int) string
		said bool
	}{
		{"layers without the first", 6000, func(i int) string { return fmt.Sprintf("model.layers.%d.w", i+1) }, true},
		{"one layer with many tensors", 20000, func(i int) string { return fmt.Sprintf("model.layers.0.experts.%d.w", i) }, true},
		{"layers that all differ", 6000, func(i int) string { return fmt.Sprintf("model.layers.%d.experts.%d.w", i%100, 3*i) }, true},
		{"names without a layer", 6000, func(i int) string { return fmt.Sprintf("model.heads.%d.w", 7*i+1) }, true},
		{"layers that are alike", 20000, func(i int) string { return fmt.Sprintf("model.layers.%d.experts.%d.w", i/200, i%200) }, false},
	} {
		l, err := many(t, c.n, c.name)
		if err != nil {
			t.Fatal(err)
		}
		m := checkpoint.Model(l, config.Value{})
		sum, runs := int64(0), 0
		m.Each(func(_ *model.Block, _ *model.Kind, _ *model.Part, x *model.Tensor, layers int64) {
			sum += x.Elements * x.Copies * layers
			runs++
		})
		said := false
		for _, w := range m.Warnings {
			said = said || strings.Contains(w.Text, "the rest is added up")
		}
		// What is kept of it as a text is the same model.
		if k, fail := checkpoint.Kept(checkpoint.Keep(m)); fail != nil || !reflect.DeepEqual(k, m) {
			t.Errorf("%s: what is kept is another model: %v", c.what, fail)
		}
		if sum != 16*int64(c.n) || said != c.said || runs > 5000 {
			t.Errorf("%s: %d elements of %d, in %d runs, said %v", c.what, sum, 16*c.n, runs, said)
		}
	}
}
