package catalogue

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"

	"llmsize/core/config"
	"llmsize/core/device"
)

// Device is a file of content/devices; package content says what each field
// holds.
type Device struct {
	Name      string                  `json:"name"`
	Slug      string                  `json:"slug"`
	Maker     string                  `json:"maker"`
	Kind      string                  `json:"kind"` // accelerator, card, unified, cpu, system
	Memory    *Figure                 `json:"memory,omitempty"`
	Bandwidth *Figure                 `json:"bandwidth,omitempty"`
	Peak      map[string]Figure       `json:"peak,omitempty"`
	Of        *Parts                  `json:"of,omitempty"`
	Link      *Figure                 `json:"link,omitempty"`
	Power     *Figure                 `json:"power,omitempty"`
	Sources   map[string]DeviceSource `json:"sources"`
	Note      string                  `json:"note,omitempty"`

	spec device.Device
	text string
}

// Figure is one figure and where it is from.
type Figure struct {
	Bytes          int64    `json:"bytes,omitempty"`
	What           string   `json:"what,omitempty"` // of memory: reported, label, label in GiB
	Name           string   `json:"name,omitempty"` // of a link
	BytesPerSecond int64    `json:"bytes_per_second,omitempty"`
	PerSecond      int64    `json:"per_second,omitempty"`
	Watts          int64    `json:"watts,omitempty"` // the most that the board may draw
	From           []string `json:"from"`
}

// Parts says what a system is made of.
type Parts struct {
	Device string   `json:"device"`
	Count  int64    `json:"count"`
	From   []string `json:"from"`
}

// DeviceSource is where a figure was read. Its grade is maker (the maker's own),
// device (the device's own output), quotes (names the maker's document) or
// table (names nothing).
type DeviceSource struct {
	Grade string `json:"grade"`
	Title string `json:"title"`
	Date  string `json:"date"`
}

// Devices is all devices, sorted by slug.
type Devices struct {
	List   []Device
	bySlug map[string]*Device
}

// LoadDevices reads devices/*.json of a content folder.
func LoadDevices(fsys fs.FS) (*Devices, error) {
	list, err := entries(fsys, "devices", func(d *Device) string { return d.Slug }, func(d *Device, text string) { d.text = text })
	if err != nil {
		return nil, err
	}
	d := &Devices{List: list, bySlug: map[string]*Device{}}
	for i := range d.List {
		d.bySlug[d.List[i].Slug] = &d.List[i]
	}
	for i := range d.List {
		if err := d.read(&d.List[i]); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// read resolves a device, and for a system the device that it is made of.
func (d *Devices) read(x *Device) error {
	var of *device.Device
	if x.Of != nil {
		part, ok := d.bySlug[x.Of.Device]
		if !ok || part.Of != nil {
			return fmt.Errorf("devices/%s.json: there is no device %q to make it of", x.Slug, x.Of.Device)
		}
		if err := d.read(part); err != nil {
			return err
		}
		of = &part.spec
	}
	v, fail := config.ParseObject(x.text)
	if fail != nil {
		return fmt.Errorf("devices/%s.json: %w", x.Slug, fail)
	}
	spec, fail := device.Parse(&v, of)
	if fail != nil {
		return fmt.Errorf("devices/%s.json: %w", x.Slug, fail)
	}
	x.spec = *spec
	return nil
}

// Find returns the device with that slug.
func (d *Devices) Find(slug string) (*Device, bool) {
	x, ok := d.bySlug[strings.ToLower(slug)]
	return x, ok
}

// Nearest returns slugs of devices that are like a name, for a hint.
func (d *Devices) Nearest(name string) []string {
	return nearest(name, 2, len(d.List), func(i int) (string, string) { return d.List[i].Slug, d.List[i].Name })
}

// Spec is the device as the core asks about it, a system's with its parts'
// figures in place.
func (x *Device) Spec() *device.Device {
	spec := x.spec
	return &spec
}

// Part is the device that a system is made of, the device itself otherwise.
func (d *Devices) Part(x *Device) *Device {
	if x.Of == nil {
		return x
	}
	return d.bySlug[x.Of.Device]
}

// Grade is how good a figure's best source is; tables that name nothing count
// only together.
func (x *Device) Grade(f *Figure) string {
	order := map[string]int{"maker": 0, "device": 1, "quotes": 2, "table": 3}
	best := "table"
	for _, s := range f.From {
		if g := x.Sources[s].Grade; order[g] < order[best] {
			best = g
		}
	}
	if best == "table" && len(f.From) > 1 {
		return "tables that agree"
	}
	return best
}

// Plain is every device as the page needs it, as JSON: a list of what
// device.Parse reads, a system with its parts' figures in place, without sources. The slugs of first come first.
func (d *Devices) Plain(first []string) ([]byte, error) {
	type figure map[string]any
	list := []figure{}
	for i := range d.List {
		x := &d.List[i].spec
		peak := map[string]figure{}
		for f := device.Format(0); f < device.NumFormats; f++ {
			if x.Peak[f] > 0 {
				peak[f.String()] = figure{"per_second": x.Peak[f]}
			}
		}
		one := figure{"slug": x.Slug, "name": x.Name, "maker": x.Maker, "kind": x.Kind, "note": x.Note, "peak": peak,
			"memory": figure{"bytes": x.Memory, "what": x.Known}, "bandwidth": figure{"bytes_per_second": x.Bandwidth}}
		if x.Count > 1 {
			one["of"] = figure{"count": x.Count}
		}
		if x.Link != "" {
			one["link"] = figure{"name": x.Link, "bytes_per_second": x.LinkRate}
		}
		if x.Power > 0 {
			one["power"] = figure{"watts": x.Power}
		}
		list = append(list, one)
	}
	First(list, first, func(one figure) string { return one["slug"].(string) })
	return json.Marshal(list)
}
