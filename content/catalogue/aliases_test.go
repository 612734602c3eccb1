package catalogue_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"llmsize/build/oracle"
	"llmsize/content/catalogue"
	"llmsize/core/config"
	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/report"
)

// TestAliases holds every id that the catalogue takes for a model against what is known of the repository of that
// id: its own config, where one is at hand, has to give the same tensors, cache and work; what others
// have counted in its files has to be what the model's answer says that files hold.
func TestAliases(t *testing.T) {
	cat, err := catalogue.AllModels()
	if err != nil {
		t.Fatal(err)
	}
	lib := families.Library()
	answer := func(s report.Subject) *report.Report {
		t.Helper()
		r, fail := report.Answer(query.Query{}, s, lib)
		if fail != nil {
			t.Fatalf("%s: %v", s.Name, fail)
		}
		return r
	}
	owner := map[string]*catalogue.Model{}
	for i := range cat.Models {
		m := &cat.Models[i]
		for _, id := range append([]string{m.Hub}, m.Also...) {
			if id == "" {
				continue
			}
			if other := owner[strings.ToLower(id)]; other != nil {
				t.Errorf("%s is both %s and %s", id, other.Slug, m.Slug)
			}
			owner[strings.ToLower(id)] = m
		}
	}
	real, err := oracle.LoadReal(os.DirFS("../../core/family/testdata"), "real.txt")
	if err != nil {
		t.Fatal(err)
	}
	configs, counts := 0, 0
	for _, c := range real {
		id := strings.ReplaceAll(c.Name, "__", "/")
		m := owner[strings.ToLower(id)]
		if m == nil || strings.EqualFold(id, m.Hub) {
			continue
		}
		cfg, fail := config.ParseObject(string(c.Config))
		if fail != nil {
			t.Fatal(id, fail)
		}
		s, err := m.Subject()
		if err != nil {
			t.Fatal(err)
		}
		own, its := answer(s), answer(report.Subject{Name: id, Config: cfg})
		whole := true
		for i, key := range s.Config.Keys {
			whole = whole && (s.Config.Vals[i].Kind != config.Object || cfg.Has(key))
		}
		if !whole {
			t.Logf("%s: the copy of its config leaves parts out", id)
			continue
		}
		configs++
		if a, b := own.Parameters, its.Parameters; a.Total != b.Total || a.Buffers != b.Buffers || a.ByRole != b.ByRole || a.Active != b.Active || len(a.Components) != len(b.Components) {
			t.Errorf("%s is no %s: %d parameters there, %d here", id, m.Slug, b.Total, a.Total)
		}
		for i := range own.Parameters.Components {
			a, b := &own.Parameters.Components[i], &its.Parameters.Components[i]
			for j := range a.Rows {
				if j >= len(b.Rows) || a.Rows[j].Full != b.Rows[j].Full || a.Rows[j].Total != b.Rows[j].Total {
					t.Errorf("%s is no %s: %s", id, m.Slug, a.Rows[j].Full)
				}
			}
		}
		if own.Cache.Bytes != its.Cache.Bytes || own.Cache.PerToken != its.Cache.PerToken {
			t.Errorf("%s is no %s: a cache of %d there, %d here", id, m.Slug, its.Cache.Bytes, own.Cache.Bytes)
		}
		if a, b := own.Compute.Decode.FLOPs, its.Compute.Decode.FLOPs; a != b {
			t.Errorf("%s is no %s: %v operations a token there, %v here", id, m.Slug, b, a)
		}
	}
	text, err := os.ReadFile("testdata/aliases.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(line, "#") || len(f) < 2 {
			continue
		}
		want, err := strconv.ParseInt(f[1], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		m := owner[strings.ToLower(f[0])]
		if m == nil {
			t.Errorf("%s is no longer a name of any model: take it off the list", f[0])
			continue
		}
		s, err := m.Subject()
		if err != nil {
			t.Fatal(err)
		}
		counts++
		p := answer(s).Parameters
		holds := map[int64]bool{int64(p.Total): true, int64(p.Stored): true}
		if p.Repository != nil {
			holds[int64(p.Repository.Total)] = true
		}
		if m.Stored != nil {
			holds[m.Stored.Total] = true
		}
		if !holds[want] {
			t.Errorf("%s is no %s: its files hold %d, and the model %d", f[0], m.Slug, want, p.Stored)
		}
	}
	if configs < 20 || counts < 30 {
		t.Errorf("%d configs and %d counts of other ids were compared", configs, counts)
	}
}
