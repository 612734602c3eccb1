// Command calc is the program that is loaded with the page: it answers for
// parameters, weights and cache. Package program says how it is driven.
package main

import (
	"llmsize/core/report"
	"llmsize/site/view"
	"llmsize/wasm/program"
)

func init() { program.Answer, program.Regions = report.Sizes, view.Regions }

func main() { program.Wait() }
