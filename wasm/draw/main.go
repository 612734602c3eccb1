// Command draw is the program that draws a model to scale. It counts nothing: the counting programs write what there is to
// draw as text, their region "plan", and it makes SVG of that. So it is loaded once, beside whichever of them answers,
// when somebody turns to a question. Package program says how arguments and results pass; the export is
//
//	put(plan); const svg = taken(x.draw(wide ? 1 : 0))
package main

import (
	"unsafe"

	"llmsize/site/chart"
	"llmsize/wasm/border"
)

// draw draws a plan for a wide or a narrow column.
//
//go:wasmexport draw
func draw(wide int32) unsafe.Pointer {
	plan := string(border.Argument(0))
	border.Taken()
	if wide == 0 {
		return border.Give(chart.Draw(plan, chart.Narrow, "narrow"))
	}
	return border.Give(chart.Draw(plan, chart.Wide, "wide"))
}

func main() { border.Wait() }
