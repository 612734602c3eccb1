// Command derive is the program that says of a number where it comes from, what moves it, and what would keep it to a
// goal. It asks a question a hundred times, so it works in a worker, for one number at a time; the page ends it when a
// reader asks something else. Package program says how arguments and results pass; the export is
//
//	put(JSON.stringify({...question, devices, figure, row, what, knob, goal})); const html = taken(x.derive())
//
// with the list of all devices, the number's name in links, its row in the table of parts, and what is asked: "tree", "moves" or "goal". A question with a second side also says how its number comes from the first's. The result is HTML
// (package why); it is empty where nothing is known of the number.
//
// It also draws charts and ranks layouts (view.OnUse), by the exports that all programs have.
package main

import (
	"unsafe"

	"llmsize/core/config"
	"llmsize/core/device"
	"llmsize/core/explain"
	"llmsize/site/view/why"
	"llmsize/wasm/program"
)

func init() { program.Derive() }

func main() { program.Wait() }

// derive answers one question about one number.
//
//go:wasmexport derive
func derive() unsafe.Pointer {
	m := program.Message()
	program.Ask(m)
	r := program.Answered()
	if r == nil {
		return program.Give("")
	}
	row, _ := m.Get("row").Int()
	path, ok := why.Path(r, m.Get("figure").Text, int(row))
	if !ok {
		return program.Give("")
	}
	h := &explain.Host{Devices: devices(m.Get("devices"))}
	switch m.Get("what").Text {
	case "moves":
		return program.Give(why.Moves(r, h, path))
	case "goal":
		return program.Give(why.Goal(r, h, path, m.Get("knob").Text, m.Get("goal").Text))
	}
	return program.Give(why.Derivation(r, h, path))
}

// devices reads the list of all devices.
func devices(list *config.Value) []*device.Device {
	var out []*device.Device
	for i := range list.Items {
		if d, err := device.Parse(&list.Items[i], nil); err == nil {
			out = append(out, d)
		}
	}
	return out
}
