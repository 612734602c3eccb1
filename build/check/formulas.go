package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// formulas reports rules that are not there in symbols, in words and with numbers.
func (r *run) formulas() {
	if r.Formulas == nil {
		return
	}
	for _, page := range slices.Sorted(maps.Keys(r.Texts)) {
		text := r.Texts[page]
		for _, f := range r.Formulas.Find(string(text.Content)) {
			if len(f.Faults) > 0 {
				r.findings = append(r.findings, Finding{
					Page: page, Source: fmt.Sprintf("%s:%d", text.File, f.Line), What: strings.Join(f.Faults, "; "),
				})
			}
		}
	}
}
