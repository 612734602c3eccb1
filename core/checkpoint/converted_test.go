package checkpoint_test

import (
	"strings"
	"testing"

	"llmsize/core/checkpoint"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/model"
	"llmsize/core/query"
	"llmsize/core/report"
)

// TestConverted holds what llama.cpp's converter makes of a model (build/oracle/ggufs.py) against the model: the file's own metadata
// describe every tensor that is there, as many parameters as torch counts, and the cache and FLOPs of the config on the hub.
func TestConverted(t *testing.T) {
	cases := readWritten(t, "testdata/gguf.txt")
	if len(cases) < 60 {
		t.Errorf("only %d files", len(cases))
	}
	q, _, fail := query.Parse("v=1&context=256")
	if fail != nil {
		t.Fatal(fail)
	}
	lib := families.Library()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			l := &checkpoint.List{}
			if err := read(l, c.files[0].name, c.files[0].head, c.files[0].size, 1000); err != nil {
				t.Fatal(err)
			}
			if err := l.Finish(); err != nil {
				t.Fatal(err)
			}
			if len(l.Types()) < 2 {
				t.Error("its types are not mixed")
			}
			cfg := l.Config()
			if c.verdict == checkpoint.Alone {
				projector(t, l, cfg, c.elements)
				return
			}
			m, fail := family.Describe(cfg, lib)
			if fail != nil {
				t.Fatal(fail)
			}
			v := checkpoint.Verify(l, cfg, m)
			if v.Verdict != checkpoint.Equal || v.Config != c.elements || !m.Exact() {
				t.Errorf("%s, %d elements, want %d: %+v %v", v.Verdict, v.Config, c.elements, v.Differences, m.Warnings)
			}
			hub, fail := config.ParseObject(c.config)
			if fail != nil {
				t.Fatal(fail)
			}
			a, fail := report.Answer(q, report.Subject{Config: hub}, lib)
			if fail != nil {
				t.Fatal(fail)
			}
			b, fail := report.Answer(q, report.Subject{Config: cfg}, lib)
			if fail != nil {
				t.Fatal(fail)
			}
			for _, path := range []string{"memory kv_cache bytes", "compute prefill flops", "compute decode flops"} {
				x, y := a.Tree(), b.Tree()
				for _, key := range strings.Fields(path) {
					x, y = x.Get(key), y.Get(key)
				}
				if x.String() != y.String() {
					t.Errorf("%s: %s by the file's metadata, %s by the hub's config", path, y.String(), x.String())
				}
			}
		})
	}
}

// projector: a tower and a projector, which llama.cpp keeps in a file of their own, answer for themselves, and nothing there is a cache.
func projector(t *testing.T, l *checkpoint.List, cfg config.Value, elements int64) {
	t.Helper()
	if _, fail := family.Describe(cfg, families.Library()); fail == nil {
		t.Error("a family describes it")
	}
	v := checkpoint.Verify(l, cfg, nil)
	m := checkpoint.Model(l, cfg)
	n := int64(0)
	m.Each(func(_ *model.Block, _ *model.Kind, p *model.Part, x *model.Tensor, layers int64) {
		n += x.Elements * x.Copies * layers
		if p.Role != model.Vision && p.Role != model.Projector || p.Get(model.KVHeads) != 0 {
			t.Errorf("%s is %s, %v", x.Name, p.Role, p.Props)
		}
	})
	if v.Verdict != checkpoint.Alone || v.Parameters != elements || n != elements {
		t.Errorf("%s, %d elements, %d of the model, want %d", v.Verdict, v.Parameters, n, elements)
	}
}
