package main

import (
	"testing"

	"llmsize/core/report"
	"llmsize/wasm/program"
)

// TestRegions: the program reads every engine, and writes its regions, also of a report without a device.
func TestRegions(t *testing.T) {
	if l := known(); len(l.Engines) < 10 || len(l.Families) < 20 || l.Engine("vllm") == nil {
		t.Fatalf("%d engines, %d families", len(l.Engines), len(l.Families))
	}
	list := program.Regions()
	if len(list) != 2 || list[0].ID != "speed" || list[0].HTML(&report.Report{}) == "" || list[1].ID != "token" || list[1].HTML(&report.Report{}) != "" {
		t.Errorf("%+v", list)
	}
}
