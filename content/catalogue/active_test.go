package catalogue_test

import (
	"testing"

	"llmsize/content/catalogue"
	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
)

// TestStatedCounts holds the conventions of "active" and "non-embedding" against
// what vendors state: each row says which of our figures theirs is, rounded to
// three digits. Qwen's cards, November 2026; gpt-oss's model card, table 1;
// Mixtral's paper (arXiv 2401.04088), section 1; DeepSeek-V3's README_WEIGHTS.
func TestStatedCounts(t *testing.T) {
	cat, err := catalogue.AllModels()
	if err != nil {
		t.Fatal(err)
	}
	lib := families.Library()
	type figure func(p *report.Parameters) units.Params
	total := func(p *report.Parameters) units.Params { return p.Total }
	active := func(p *report.Parameters) units.Params { return p.Active }
	noEmbedding := func(p *report.Parameters) units.Params { return p.ActiveWithoutEmbedding }
	neither := func(p *report.Parameters) units.Params { return p.ActiveWithoutEmbeddingAndHead }
	// totalNeither is the total without both tables, whatever is active.
	totalNeither := func(p *report.Parameters) units.Params {
		return p.Total - (p.Active - p.ActiveWithoutEmbeddingAndHead)
	}
	for _, c := range []struct {
		slug  string
		is    figure
		reads string // ours, in three digits
		says  string // theirs
	}{
		{"gpt-oss-120b", total, "117 B", "117B, 116.83B"},
		{"gpt-oss-120b", noEmbedding, "5.13 B", "5.13B active: the head counts, the embedding does not"},
		{"gpt-oss-20b", total, "20.9 B", "20.91B"},
		{"gpt-oss-20b", noEmbedding, "3.61 B", "3.61B active: the head counts, the embedding does not"},
		{"mixtral-8x7b", total, "46.7 B", "46.7B"},
		{"mixtral-8x7b", active, "12.9 B", "12.9B active: both count"},
		{"deepseek-v3", total, "671 B", "671B, without the prediction layer"},
		{"deepseek-v3", noEmbedding, "36.6 B", "37B activated"},
		{"qwen3-30b-a3b", active, "3.35 B", "3.3B activated: both count"},
		{"qwen3-30b-a3b", totalNeither, "29.9 B", "29.9B non-embedding: neither table counts"},
		{"qwen3-235b-a22b", active, "22.2 B", "22B activated: both count"},
		{"qwen3-235b-a22b", totalNeither, "234 B", "234B non-embedding"},
		{"qwen2.5-0.5b", neither, "358 M", "0.36B non-embedding: the tied table is taken off once"},
		{"qwen2.5-1.5b", neither, "1.31 B", "1.31B non-embedding"},
		{"qwen2.5-7b", neither, "6.53 B", "6.53B non-embedding: both tables are taken off"},
		{"qwen2.5-32b", neither, "31.2 B", "31.0B non-embedding"},
		{"qwen3-0.6b", neither, "440 M", "0.44B non-embedding"},
		{"qwen3-14b", neither, "13.2 B", "13.2B non-embedding"},
	} {
		m, ok := cat.Find(c.slug)
		if !ok {
			t.Errorf("the catalogue has no %s", c.slug)
			continue
		}
		s, err := m.Subject()
		if err != nil {
			t.Fatal(err)
		}
		r, fail := report.Answer(query.Query{}, s, lib)
		if fail != nil {
			t.Fatal(fail)
		}
		if got := c.is(&r.Parameters).Short(); got != c.reads {
			t.Errorf("%s: %s, want %s (stated: %s)", c.slug, got, c.reads, c.says)
		}
	}
}

// TestPublishedCounts holds every model's count against the one that somebody
// published: equal, or the entry says why not.
func TestPublishedCounts(t *testing.T) {
	cat, err := catalogue.AllModels()
	if err != nil {
		t.Fatal(err)
	}
	lib := families.Library()
	equal := 0
	for i := range cat.Models {
		m := &cat.Models[i]
		if m.Published == nil {
			continue
		}
		s, err := m.Subject()
		if err != nil {
			t.Fatal(err)
		}
		r, fail := report.Answer(query.Query{}, s, lib)
		if fail != nil {
			t.Errorf("%s: %v", m.Slug, fail)
			continue
		}
		got := int64(r.Parameters.Stored)
		same := got == m.Published.Total || int64(r.Parameters.Total) == m.Published.Total
		if same {
			equal++
		}
		if same != (m.Published.Difference == "") && r.Exact() {
			t.Errorf("%s: %d stored, %s published (%s); difference: %q", m.Slug, got, units.Group(m.Published.Total), m.Published.Counts, m.Published.Difference)
		}
	}
	if equal < 90 {
		t.Errorf("only %d counts are equal", equal)
	}
}
