package explain

import (
	"llmsize/core/fault"
	"llmsize/core/report"
)

// Known keeps the answers with other values of a report's keys, for figures that are taken apart one after the other.
type Known map[[2]string]*world

// Within is [Within] that asks nothing twice, but where layouts are looked for, which answers keep.
func (k Known) Within(r *report.Report, h *Host, path string, most int) (*Node, *fault.Error) {
	return derive(r, h, path, most, func(s *Source, value string) *world {
		if ranked(path) {
			return other(r, h, path, s, value)
		}
		key := [2]string{s.Key(), value}
		w, ok := k[key]
		if !ok {
			w = other(r, h, path, s, value)
			k[key] = w
		}
		return w
	})
}
