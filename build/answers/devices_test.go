package answers

import (
	"strings"
	"testing"

	"llmsize/content/catalogue"
)

// TestDeviceTables: every device is in one of the two tables, every figure
// with a grade, every row with a date; and what fits grows with memory.
func TestDeviceTables(t *testing.T) {
	r := newReference(t)
	all, err := catalogue.LoadDevices(r.Content)
	if err != nil {
		t.Fatal(err)
	}
	tables := map[bool]string{}
	for system, of := range map[bool]string{false: "accelerators", true: "systems"} {
		if tables[system], err = r.Figure("devices", of); err != nil {
			t.Fatal(err)
		}
	}
	for i := range all.List {
		d := &all.List[i]
		_, row, ok := strings.Cut(tables[d.Of != nil], `<tr id="`+d.Slug+`">`)
		row, _, _ = strings.Cut(row, "</tr>\n")
		if !ok || !strings.Contains(row, `<span class="date">20`) {
			t.Errorf("%s has no row with a date: %s", d.Slug, row)
		}
		for _, cell := range strings.Split(row, `<td class="num">`)[1:] {
			if cell, _, _ = strings.Cut(cell, "</td>"); d.Of == nil && cell != "" && !strings.Contains(cell, "<small") {
				t.Errorf("%s: %q has no grade", d.Slug, cell)
			}
		}
	}
	fits, err := r.Figure("devices", "fitting")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(fits, `<label class="filter">Find a device <input type="search"`) {
		t.Error("the field above the list does not say what it is for")
	}
	if seeing, err := r.Figure("architectures", "vision"); err != nil || !strings.Contains(seeing, `<label class="filter">Find a family <input type="search"`) {
		t.Errorf("the field above a list of families does not say what it is for: %v", err)
	}
	row := func(slug string) string {
		_, s, ok := strings.Cut(fits, `<a href="/devices/`+slug+`/">`)
		if !ok {
			t.Errorf("%s has no row of what fits it", slug)
		}
		s, _, _ = strings.Cut(s, "</tr>")
		return s
	}
	for slug, want := range map[string][2]string{
		"h100-sxm-80gb": {"falcon-40b", "dbrx"},         // 41.3 and 83.7 GB of 85.5; 131.6 billion parameters in 4.9 bits are 80 GB
		"rtx-4090-24gb": {"llama-3.2-11b-vision", ""},   // 10.7 billion parameters of two bytes
		"hgx-h100-8":    {"mimo-v2-flash", "kimi-k2.5"}, // 309 billion of two bytes are 618 GB; 1,027 billion in 4.9 bits 629 GB
		"gb200-nvl72":   {"kimi-k3", "kimi-k3"},         // 2,780 billion of two bytes are 5.6 TB of 14.3
	} {
		for i, format := range fitFormats {
			if link := "model=" + want[i] + "&amp;weights=" + format + "&amp;device=" + slug; want[i] != "" && !strings.Contains(row(slug), link) {
				t.Errorf("the largest in %s on %s is not %s: %s", format, slug, want[i], row(slug))
			}
		}
	}
}
