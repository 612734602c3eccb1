package explain_test

import (
	"strings"
	"testing"

	"llmsize/content/catalogue"
	"llmsize/core/explain"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/report"
)

// world is the catalogue with its devices.
type world struct {
	models  *catalogue.Catalogue
	devices *catalogue.Devices
	lib     *family.Library
	host    *explain.Host
}

func load(t *testing.T) *world {
	t.Helper()
	w := &world{lib: families.Library(), host: &explain.Host{}}
	var err error
	if w.models, err = catalogue.AllModels(); err != nil {
		t.Fatal(err)
	}
	if w.devices, err = catalogue.AllDevices(); err != nil {
		t.Fatal(err)
	}
	for i := range w.devices.List {
		w.host.Devices = append(w.host.Devices, w.devices.List[i].Spec())
	}
	return w
}

// ask answers a link as every host does; nil where it cannot be answered.
func (w *world) ask(t *testing.T, link string) *report.Report {
	t.Helper()
	q, issues, fail := query.Parse(link)
	if fail != nil || len(issues) > 0 {
		return nil
	}
	m, ok := w.models.Find(q.Get(query.Model))
	if !ok {
		t.Fatal(link)
	}
	s, err := m.Subject()
	if err != nil {
		t.Fatal(err)
	}
	d, ok := w.devices.Find(q.Get(query.Device))
	if !ok {
		return nil
	}
	s.Device = d.Spec()
	r, fail := report.Answer(q, s, w.lib)
	if fail != nil {
		return nil
	}
	return r
}

// keysOf are the keys of a tree, each with a value that moves its root.
func keysOf(n *explain.Node, into map[string]explain.Key) map[string]explain.Key {
	for _, k := range n.Keys {
		into[k.Key()] = k
	}
	for _, t := range n.Terms {
		keysOf(t, into)
	}
	return into
}

// TestTree: the cache of Llama 3.1 8B comes of 32 layers, 8,192 tokens, and 8 heads of 4,096/32 numbers for keys and
// for values, 2 bytes each: 4,096 bytes of a token in a layer.
func TestTree(t *testing.T) {
	w := load(t)
	r := w.ask(t, "v=1")
	n, fail := explain.Tree(r, w.host, "memory.kv_cache.bytes")
	if fail != nil {
		t.Fatal(fail)
	}
	if n.Value.N != 32*8192*4096 || len(n.Terms) != 1 || n.Terms[0].Formula != "ask.batch * layers * tokens * bytes_each" {
		t.Errorf("%+v, %+v", n, n.Terms)
	}
	keys := keysOf(n, map[string]explain.Key{})
	for _, k := range []string{"context", "batch", "kv", "set.num_hidden_layers", "set.num_key_value_heads", "set.num_attention_heads", "set.hidden_size", "set.head_dim"} {
		if _, ok := keys[k]; !ok {
			t.Errorf("no %s", k)
		}
	}
	for _, k := range []string{"set.vocab_size", "set.intermediate_size", "weights", "device", "chunk", "set.rope_theta", "set.torch_dtype", "seq"} {
		if _, ok := keys[k]; ok {
			t.Errorf("%s cannot move it", k)
		}
	}
	if k := keys["set.num_key_value_heads"]; k.Line == 0 || k.Value.Text != "8" {
		t.Errorf("%+v", k)
	}
	if k := keys["set.head_dim"]; k.Line != 0 || !strings.Contains(k.Expr, "hidden_size") {
		t.Errorf("%+v", k)
	}
	if _, fail := explain.Tree(r, w.host, "memory.kv_cache.byte"); fail == nil || !strings.Contains(fail.Hint, "memory.kv_cache.bytes") {
		t.Error(fail)
	}
}

// TestEveryFigure: whatever is in the JSON can be taken apart.
func TestEveryFigure(t *testing.T) {
	w := load(t)
	for _, link := range []string{"v=1&draft=4&tp=2&devices=2", "v=1&model=deepseek-v3&device=hgx-h200-8&weights=fp8", "v=1&model=gemma-3-27b&lora-rank=8&zero=3&dp=8&devices=8&served=1T"} {
		r := w.ask(t, link)
		if r == nil {
			t.Fatal(link)
		}
		r.Rank()
		paths := explain.Paths(r)
		if len(paths) < 150 {
			t.Errorf("%s has %d figures", link, len(paths))
		}
		for i, path := range paths {
			if i%5 > 0 && len(path) > 45 { // the many of lists are alike
				continue
			}
			n, fail := explain.Within(r, w.host, path, 0)
			if fail != nil {
				t.Errorf("%s %s: %v", link, path, fail)
				continue
			}
			if n.Label == "" || n.JSON().String() == "" || n.Text("gb") == "" {
				t.Errorf("%s %s: %+v", link, path, n)
			}
		}
	}
}
