package check

import (
	"fmt"
	"maps"
	"slices"
)

// numbers reports numbers in prose that nobody vouches for.
func (r *run) numbers() {
	if r.Bare == nil {
		return
	}
	for _, page := range slices.Sorted(maps.Keys(r.Texts)) {
		text := r.Texts[page]
		for _, n := range r.Bare.Find(string(text.Content)) {
			r.findings = append(r.findings, Finding{
				Page: page, Source: fmt.Sprintf("%s:%d", text.File, n.Line),
				What: fmt.Sprintf("the number %s in “%s” is typed: take it from the engine ({= … =}), link its source in the same sentence, or say what it is ({~said …~}, {~given …~}, {~known …~})", n.Text, n.In),
			})
		}
	}
}
