// Command edge is the program that the host's edge function asks what a shared link
// answers (edge/functions/unfurl.js). It counts in every lens, as lenses does, but
// writes a description instead of the page. No page loads it. Package program says how it is driven.
package main

import (
	"llmsize/core/report"
	"llmsize/site/view"
	"llmsize/wasm/program"
)

func init() {
	program.Answer, program.Regions, program.Device = report.Answer, regions, program.ReadDevice
}

// regions are what an answer is asked for beside its title.
func regions() []view.Region { return []view.Region{{ID: "described", HTML: view.Described}} }

func main() { program.Wait() }
