// Command edge is the program that the host's edge function asks what a shared link
// answers (edge/functions/unfurl.js). It counts in every lens, as lenses does, but
// writes a description instead of the page. No page loads it. Package program says how it is driven.
package main

import (
	"llmsize/core/arch"
	"llmsize/core/fault"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/site/view"
	"llmsize/wasm/program"
)

func init() {
	program.Answer, program.Regions, program.Device = answer, regions, program.ReadDevice
}

// answer counts what the description says: an edge function has few milliseconds.
func answer(q query.Query, s report.Subject, lib *arch.Library) (*report.Report, *fault.Error) {
	if view.DescribedBySizes(&q) {
		r, err := report.Sizes(q, s, lib)
		if err == nil || err.Need != report.Lenses {
			return r, err
		}
	}
	return report.Answer(q, s, lib)
}

// regions are what an answer is asked for beside its title.
func regions() []view.Region { return []view.Region{{ID: "described", HTML: view.Described}} }

func main() { program.Wait() }
