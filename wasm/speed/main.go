// Command speed is the program that says how fast a run will really be: report.Answer, core/predict, and what is known of engines
// (content/engines), which no other program of the page holds. It works in a worker, when somebody opens that part of the
// answer. Package program says how it is driven.
package main

import (
	"llmsize/content/engines"
	"llmsize/core/predict"
	"llmsize/core/report"
	"llmsize/site/view"
	"llmsize/site/view/speed"
	"llmsize/wasm/program"
)

var library *predict.Library

// known reads what is known of engines once.
func known() *predict.Library {
	if library == nil {
		library = &predict.Library{}
		engines.Each(func(name, text string) {
			if err := library.Add(name, text); err != nil {
				panic(err.Error()) // a test reads every file
			}
		})
	}
	return library
}

func init() {
	program.Answer, program.Device = report.Answer, program.ReadDevice
	program.Regions = func() []view.Region {
		return []view.Region{
			{ID: "speed", HTML: func(r *report.Report) string { return speed.HTML(r, known()) }},
			{ID: "token", HTML: func(r *report.Report) string { return speed.Token(r, known()) }},
		}
	}
}

func main() { program.Wait() }
