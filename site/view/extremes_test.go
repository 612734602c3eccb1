package view

import (
	"regexp"
	"strings"
	"testing"

	"llmsize/content/catalogue"
	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/report"
)

// outOfRange is what a float past int64, or a sum that wrapped, looks like: the ends
// of int64, the places at which charts are cut, and amounts below nothing.
var outOfRange = regexp.MustCompile(`9,?223,?372,?036,?854,?77|9\.22 (E|Q|EB)|(^|[ >(])-\d{1,3}(,\d{3})+`)

// TestExtremes shows questions whose counts stand at the ends of what a query takes:
// no conversion in a view may go out of range.
func TestExtremes(t *testing.T) {
	models, err := catalogue.AllModels()
	if err != nil {
		t.Fatal(err)
	}
	devices, err := catalogue.AllDevices()
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range []string{
		"days=8", "days=1125899906842624", "days=8&devices=1125899906842624&tokens=1125899906842624", "prompt=1099511627776", "prompt=1125899906842624&context=1125899906842624",
		"context=1125899906842624&batch=1125899906842624", "batch=1125899906842624", "seq=1125899906842624&micro-batch=1125899906842624", "lora-rank=1099511627776", "lora-rank=1048576",
		"served=1125899906842624&tokens=1125899906842624", "tokens=1&days=1", "tokens-per-second=1125899906842624", "set.vocab_size=1099511627776", "set.vocab_size=1099511627776&days=8&tokens=1000000x",
		"model=deepseek-v3&prompt=1125899906842624&batch=1099511627776&device=hgx-h100-8&devices=4", "model=mamba-2.8b&prompt=1125899906842624&context=1125899906842624",
		"chunk=1125899906842624&kv-policy=paged", "global-batch=1125899906842624&dp=8", "model=gpt2&mfu=1&days=1125899906842624&served=1125899906842624",
	} {
		q, _, fail := query.Parse("v=1&" + link)
		if fail != nil {
			t.Fatal(link, fail)
		}
		m, _ := models.Find(q.Get(query.Model))
		s, err := m.Subject()
		if err != nil {
			t.Fatal(err)
		}
		d, _ := devices.Find(q.Get(query.Device))
		s.Device = d.Spec()
		r, fail := report.Answer(q, s, families.Library())
		if fail != nil {
			if fail.Field == "" {
				t.Errorf("%s: the fault names no field: %v", link, fail)
			}
			continue
		}
		html := Full(r, "", func(string) string { return "" })
		html = strings.NewReplacer("&nbsp;", " ", " ", " ").Replace(html)
		seen := map[string]bool{}
		for _, at := range outOfRange.FindAllStringIndex(html, -1) {
			about := html[max(0, at[0]-70):min(len(html), at[1]+30)]
			if what := html[at[0]:at[1]]; !seen[what] {
				seen[what] = true
				t.Errorf("%s: …%s…", link, about)
			}
		}
	}
}
