// Command lenses is the program that answers in every lens: recipes of weights,
// caches as engines lay them out, FLOPs, training. The page loads it when somebody
// asks for one of these. Package program says how it is driven.
package main

import (
	"llmsize/core/config"
	"llmsize/core/device"
	"llmsize/core/fault"
	"llmsize/core/report"
	"llmsize/wasm/program"
)

func init() {
	program.Answer, program.Regions, program.Device, program.Other = report.Answer, regions, read, tell
}

// read reads a device's JSON.
func read(text string) (*device.Device, *fault.Error) {
	v, err := config.ParseObject(text)
	if err != nil {
		return nil, err
	}
	return device.Parse(v, nil)
}

func main() { program.Wait() }
