// Command derive is the program that says of a number where it comes from, what moves it, and what would keep it to a
// goal. It asks a question a hundred times, so it works in a worker, for one number at a time; the page ends it when a
// reader asks something else. Package program says how arguments and results pass; the export is
//
//	put(query); put(name); put(slug); put(config); put(device); put(devices); put(figure); put(row); put(what); put(key); put(goal)
//	const html = taken(x.derive())
//
// with the JSON of the question's device, a list of all of them, the number's name in links, its row in the table of parts,
// and what is asked: "tree", "moves" or "goal". The result is HTML (package why); it is empty where nothing is known of
// the number.
//
// It also draws charts and ranks layouts (view.OnUse), by the exports that all programs have.
package main

import (
	"unsafe"

	"llmsize/core/config"
	"llmsize/core/device"
	"llmsize/core/explain"
	"llmsize/core/report"
	"llmsize/site/view"
	"llmsize/site/view/why"
	"llmsize/wasm/program"
)

func init() {
	program.Answer, program.Device = report.Answer, program.ReadDevice
	program.Regions = view.OnUse
}

func main() { program.Wait() }

// derive answers one question about one number.
//
//go:wasmexport derive
func derive() unsafe.Pointer {
	a := program.Taken(11)
	r := program.Ask(a[0], a[1], a[2], a[3], a[4])
	if r == nil {
		return program.Give("")
	}
	row, _ := config.ParseInt(a[7])
	path, ok := why.Path(r, a[6], int(row))
	if !ok {
		return program.Give("")
	}
	h := &explain.Host{Devices: devices(a[5])}
	switch a[8] {
	case "moves":
		return program.Give(why.Moves(r, h, path))
	case "goal":
		return program.Give(why.Goal(r, h, path, a[9], a[10]))
	}
	return program.Give(why.Derivation(r, h, path))
}

// devices reads the list of all devices.
func devices(text string) []*device.Device {
	list, err := config.Parse(text)
	if err != nil {
		return nil
	}
	var out []*device.Device
	for _, v := range list.Items {
		if d, err := device.Parse(&v, nil); err == nil {
			out = append(out, d)
		}
	}
	return out
}
