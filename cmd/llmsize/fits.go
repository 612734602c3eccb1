package main

import (
	"fmt"
	"sort"
	"strings"
	"text/tabwriter"

	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
)

// fits lists the catalogue's models that fit a question's device, the largest
// first.
func (c *command) fits() error {
	var q query.Query
	for _, kv := range c.args {
		key, value, ok := strings.Cut(kv, "=")
		if !ok {
			return fmt.Errorf("%w: %q is not key=value; which models fit is asked about a device: llmsize fits device=rtx-4090-24gb", errUsage, kv)
		}
		if fail := q.PutTyped(key, value); fail != nil {
			return fail
		}
	}
	d, err := findDevice(q.Get(query.Device))
	if err != nil {
		return err
	}
	type row struct {
		Slug       string `json:"slug"`
		Parameters int64  `json:"parameters"`
		Bytes      int64  `json:"bytes"` // of the fullest device
		Fits       string `json:"fits"`
		Context    int64  `json:"largest_context,omitempty"`
		Link       string `json:"link"`
	}
	rows, refused := []row{}, 0
	for i := range c.cat.Models {
		m := &c.cat.Models[i]
		s, err := m.Subject()
		if err != nil {
			return err
		}
		s.Device = d
		one := q
		if fail := one.Put(query.Model, m.Slug); fail != nil {
			return fail
		}
		r, fail := report.Answer(one, s, c.lib)
		if fail != nil || r.Running.Device == nil {
			refused++
			continue
		}
		if x := &r.Running; x.Fits != "no" {
			rows = append(rows, row{m.Slug, int64(r.Parameters.Total), x.Fullest.Total.Bytes, x.Fits, x.Context, "?" + one.String()})
		}
	}
	sort.SliceStable(rows, func(i, j int) bool { return rows[i].Parameters > rows[j].Parameters })
	if c.json {
		return c.writeJSON(rows)
	}
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%d of %d models fit %s\tparameters\ton the fullest device\tfits\tlongest context\n", len(rows), len(c.cat.Models), d.Name)
	for _, r := range rows {
		context := units.Group(r.Context)
		if r.Context == 0 {
			context = "–"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", r.Slug, units.Params(r.Parameters).Short(), units.Bytes(r.Bytes).In(q.Get(query.Units)), r.Fits, context)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if refused > 0 {
		_, err = fmt.Fprintf(c.out, "note: %d models cannot be laid out or stored so\n", refused)
	}
	return err
}
