package main

import (
	"fmt"

	"llmsize/core/config"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
)

// versus answers the second side of a comparison, where the query has one: a
// model of the catalogue, a config that the link carries, or the same subject asked
// otherwise.
func (c *command) versus(r *report.Report) error {
	second, ok := r.Query.Second()
	if !ok {
		return nil
	}
	s := r.Subject
	if r.Query.VsPasted {
		cfg, fail := config.ParseObject(string(c.second))
		if fail != nil {
			return fmt.Errorf("vs.config: %w", fail)
		}
		s = report.Subject{Name: "pasted config", Config: cfg}
	} else if slug := r.Query.Get(query.Versus); slug != "" {
		m, ok := c.cat.Find(slug)
		if !ok {
			return fmt.Errorf("vs: %w", notAModel(c.cat, slug))
		}
		var err error
		if s, err = m.Subject(); err != nil {
			return err
		}
	}
	var err error
	if s.Device, err = findDevice(second.Get(query.Device)); err != nil {
		return fmt.Errorf("vs: %w", err)
	}
	if fail := r.CompareWith(s); fail != nil {
		return fail
	}
	return nil
}

// compared prints how the report leads to its other side.
func compared(t *table, r *report.Report) {
	if r.Other == nil {
		return
	}
	t.gap()
	t.row("compared with "+r.Other.Subject.Name+", ?"+r.Other.Query.String(), "", "")
	for _, x := range report.Compare(r, r.Other) {
		t.gap()
		fall(t, &x, r.Query.Get(query.Units))
	}
}

// fall prints how one side's figure leads to the other's, step by step.
func fall(t *table, x *report.Comparison, unit string) {
	figure := func(label string, n int64) {
		exact := units.Group(n)
		switch x.Unit {
		case "params", "bytes", "flops", "count":
		case "uj":
			exact += " µJ"
		default:
			exact += " " + x.Unit
		}
		t.row(label, exact, report.Short(max(n, -n), x.Unit, unit))
	}
	figure(x.Name, x.From)
	for _, s := range x.Steps {
		label := "  " + s.Name
		if s.Note != "" {
			label += ": " + s.Note
		}
		figure(label, s.Amount)
	}
	figure("  there", x.To)
}
