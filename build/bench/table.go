package bench

import (
	"fmt"
	"slices"
	"strings"
)

// column is all runs at one speed.
type column struct {
	rate float64
	runs []measured
}

// all is a figure of every run.
func (c *column) all(get func(*measured) float64) []float64 {
	var list []float64
	for i := range c.runs {
		list = append(list, get(&c.runs[i]))
	}
	return list
}

// pool is a list of every run, one after the other.
func (c *column) pool(get func(*measured) []float64) []float64 {
	var list []float64
	for i := range c.runs {
		list = append(list, get(&c.runs[i])...)
	}
	return list
}

// middle is the median, the upper one of two.
func middle(list []float64) float64 { return rank(list, 50) }

// rank is the value that a per cent of the list does not pass; 0 of an empty list.
func rank(list []float64, per int) float64 {
	if len(list) == 0 {
		return 0
	}
	list = slices.Clone(list)
	slices.Sort(list)
	return list[min(len(list)*per/100, len(list)-1)]
}

// tasks says how many long tasks there are in a run, and how long the longest of all runs is.
func tasks(list []float64, runs int) string {
	if len(list) == 0 {
		return "none"
	}
	return fmt.Sprintf("%.1f, to %.0f ms", float64(len(list))/float64(runs), rank(list, 100))
}

// table sets the columns side by side.
func table(columns []column) string {
	ms := func(x float64) string { return fmt.Sprintf("%.1f ms", x) }
	rows := []struct {
		name string
		cell func(c *column) string
	}{
		{"first paint", func(c *column) string { return ms(middle(c.all(func(m *measured) float64 { return m.Paint }))) }},
		{"answer visible", func(c *column) string { return ms(middle(c.all(func(m *measured) float64 { return m.Visible }))) }},
		{"first edit answered", func(c *column) string { return ms(middle(c.all(func(m *measured) float64 { return m.First }))) }},
		{"edit to painted, median", func(c *column) string { return ms(middle(c.pool(func(m *measured) []float64 { return m.Edits }))) }},
		{"  nine of ten", func(c *column) string { return ms(rank(c.pool(func(m *measured) []float64 { return m.Edits }), 90)) }},
		{"  the best", func(c *column) string { return ms(rank(c.pool(func(m *measured) []float64 { return m.Edits }), 0)) }},
		{"long tasks a load", func(c *column) string {
			return tasks(c.pool(func(m *measured) []float64 { return m.LoadTasks }), len(c.runs))
		}},
		{"long tasks in edits", func(c *column) string {
			return tasks(c.pool(func(m *measured) []float64 { return m.EditTasks }), len(c.runs))
		}},
		{"layout shift", func(c *column) string {
			return fmt.Sprintf("%.4f", rank(c.all(func(m *measured) float64 { return m.Shift }), 100))
		}},
		{"bytes until then", func(c *column) string {
			return fmt.Sprintf("%.0f in %.0f requests", middle(c.all(func(m *measured) float64 { return float64(m.bytes) })), middle(c.all(func(m *measured) float64 { return float64(m.requests) })))
		}},
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-26s", "")
	for _, c := range columns {
		fmt.Fprintf(&b, "%24s", fmt.Sprintf("%g× slower", c.rate))
	}
	b.WriteString("\n")
	for _, row := range rows {
		fmt.Fprintf(&b, "%-26s", row.name)
		for i := range columns {
			fmt.Fprintf(&b, "%24s", row.cell(&columns[i]))
		}
		b.WriteString("\n")
	}
	return b.String()
}
