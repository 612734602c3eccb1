package catalogue_test

import (
	"testing"

	"llmsize/content/catalogue"
	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/report"
)

// repositories are totals of published checkpoints that families' declarations have to
// come to, scales included. Source: the Hub API's safetensors totals as collected by AlexsJones/llmfit,
// hf_models.json @5bdc9df9d8e2, parameters_raw.
var repositories = map[string]int64{
	"deepseek-v3": 684_531_386_000, "deepseek-r1": 684_531_386_000, "deepseek-v3.1": 684_531_386_000,
	"glm-4.5": 358_337_791_296, "glm-5.1": 753_864_139_008, "gpt-oss-20b": 21_511_953_984, "minimax-m2.5": 228_703_644_928,
	"qwen3-next-80b-a3b": 81_324_862_720, "qwen3.5-0.8b": 873_438_784, "qwen3.5-27b": 27_781_427_952, "qwen3.5-35b-a3b": 35_951_822_704, "qwen3.5-122b-a10b": 125_086_497_008,
}

// TestStored holds what the catalogue and the families say of published checkpoints
// against the totals that others read off their headers.
func TestStored(t *testing.T) {
	cat, err := catalogue.AllModels()
	if err != nil {
		t.Fatal(err)
	}
	lib := families.Library()
	seen := 0
	for i := range cat.Models {
		m := &cat.Models[i]
		s, err := m.Subject()
		if err != nil {
			t.Fatal(err)
		}
		want, ok := repositories[m.Slug]
		switch {
		case m.Stored != nil:
			want, ok = m.Stored.Total, true
		case s.StoredKnown:
			want, ok = m.Published.Total, true
		}
		if !ok {
			continue
		}
		seen++
		r, fail := report.Answer(query.Query{}, s, lib)
		if fail != nil {
			t.Errorf("%s: %v", m.Slug, fail)
			continue
		}
		x := r.Parameters.Repository
		if x == nil {
			t.Errorf("%s: nothing is said of its repository, want %d", m.Slug, want)
			continue
		}
		counted := int64(x.Total)
		if m.Stored != nil {
			if counted, err = m.Stored.Counted(counted); err != nil {
				t.Fatal(err)
			}
		}
		if counted != want {
			t.Errorf("%s: %+v, counted as %d, want %d", m.Slug, x, counted, want)
			continue
		}
		sum := r.Parameters.Stored - x.Missing
		for _, term := range x.Terms {
			if term.Parameters <= 0 {
				t.Errorf("%s: %+v", m.Slug, term)
			}
			sum += term.Parameters
		}
		if sum != x.Total {
			t.Errorf("%s: the terms come to %d, not %d", m.Slug, sum, x.Total)
		}
		var q query.Query
		if err := q.PutKey("set.vocab_size", "1000"); err != nil {
			t.Fatal(err)
		}
		if r, fail := report.Answer(q, s, lib); fail == nil && r.Parameters.Repository != nil {
			t.Errorf("%s: a checkpoint that nobody has published is counted", m.Slug)
		}
	}
	if seen < 80 {
		t.Errorf("only %d checkpoints", seen)
	}
}
