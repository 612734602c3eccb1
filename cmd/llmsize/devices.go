package main

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"text/tabwriter"

	"llmsize/content/catalogue"
	"llmsize/core/device"
	"llmsize/core/units"
)

// findDevice finds the device of a query.
func findDevice(slug string) (*device.Device, error) {
	all, err := catalogue.AllDevices()
	if err != nil {
		return nil, err
	}
	x, ok := all.Find(slug)
	if !ok {
		msg := fmt.Sprintf("device: there is no device of that name (given %s); allowed: a slug of `llmsize devices`", slug)
		if near := all.Nearest(slug); len(near) > 0 {
			msg += "; did you mean " + strings.Join(near, ", ") + "?"
		}
		return nil, fmt.Errorf("%s", msg)
	}
	return x.Spec(), nil
}

// devices prints the devices, each figure with its sources.
func (c *command) devices() error {
	all, err := catalogue.AllDevices()
	if err != nil {
		return err
	}
	if c.json {
		return c.writeJSON(all.List)
	}
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "slug\tname\tmemory, bytes\tknown as\tGB/s\tdense TFLOPS\tlink, GB/s\tgrade of memory, bandwidth, peaks")
	for i := range all.List {
		x := &all.List[i]
		s := x.Spec()
		part := all.Part(x)
		name, link := x.Name, "–"
		if s.LinkRate > 0 {
			link = decimal(s.LinkRate, 1e9)
		}
		fmt.Fprintf(w, "%s\t%s\t%18s\t%s\t%s\t%s\t%s\t%s\n", x.Slug, name, units.Group(s.Memory*s.Count), s.Known, decimal(s.Bandwidth, 1e9), peaks(s), link, grades(part))
	}
	return w.Flush()
}

// peaks is the dense rates of one accelerator: "bf16 989, fp8 1979".
func peaks(s *device.Device) string {
	var out []string
	for f, p := range s.Peak {
		if f := device.Format(f); p > 0 && f != device.FP16 && f != device.TF32 {
			out = append(out, f.String()+" "+decimal(p, 1e12))
		}
	}
	if len(out) == 0 {
		return "–"
	}
	return strings.Join(out, ", ")
}

func grades(x *catalogue.Device) string {
	out := []string{x.Grade(x.Memory), x.Grade(x.Bandwidth)}
	seen := map[string]bool{}
	for _, f := range x.Peak {
		seen[x.Grade(&f)] = true
	}
	var peak []string
	for g := range seen {
		peak = append(peak, g)
	}
	sort.Strings(peak)
	if len(peak) > 0 {
		out = append(out, strings.Join(peak, " and "))
	}
	return strings.Join(out, ", ")
}

func decimal(n int64, unit float64) string {
	return strconv.FormatFloat(float64(n)/unit, 'f', -1, 64)
}
