package main

import (
	"testing"

	"llmsize/content/catalogue"
	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/work"
)

// TestSteps: no model of the catalogue takes more than half of what the edge allows.
func TestSteps(t *testing.T) {
	cat, err := catalogue.AllModels()
	if err != nil {
		t.Fatal(err)
	}
	library := families.Library()
	most, who := int64(0), ""
	for i := range cat.Models {
		s, err := cat.Models[i].Subject()
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range []string{"v=1", "v=1&tp=2&optimizer=muon&days=3"} {
			q, _, fail := query.Parse(link)
			if fail != nil {
				t.Fatal(fail)
			}
			s.Work = work.New(0)
			if _, fail := count(q, s, library); fail != nil {
				t.Logf("%s %s: %v", cat.Models[i].Slug, link, fail)
			}
			if n := s.Work.Used(); n > most {
				most, who = n, cat.Models[i].Slug+" "+link
			}
		}
	}
	t.Logf("%s takes %d of %d steps", who, most, int64(work.Edge))
	if most > work.Edge/2 || most == 0 {
		t.Errorf("%s takes %d of %d steps", who, most, int64(work.Edge))
	}
}
