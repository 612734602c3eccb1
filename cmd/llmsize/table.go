package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"llmsize/core/spell"
	"llmsize/core/units"
)

// table prints lines of a label, a figure and its reading: labels to the left,
// figures to the right, no spaces at the end of a line.
type table struct{ rows [][3]string }

func (t *table) row(label, figure, reading string) {
	t.rows = append(t.rows, [3]string{spell.Out(label), spell.Out(figure), spell.Out(reading)})
}

// most is a row on the most of something that fits, and on what leaves no room for more.
func (t *table) most(label string, n int64, any bool, binds string) {
	switch {
	case any:
		t.row(label, "any", "")
	case n == 0:
		t.row(label, "none", "bound by "+binds)
	default:
		t.row(label, units.Group(n), "bound by "+binds)
	}
}

// gap leaves a line empty.
func (t *table) gap() { t.row("", "", "") }

func (t *table) write(w io.Writer) error {
	var wide [2]int
	for _, r := range t.rows {
		for i := range wide {
			if i == 0 && r[1] == "" { // a heading does not widen the column
				continue
			}
			wide[i] = max(wide[i], utf8.RuneCountInString(r[i]))
		}
	}
	for _, r := range t.rows {
		line := r[0]
		if r[1] != "" {
			line = pad(r[0], wide[0]) + "  " + strings.Repeat(" ", wide[1]-utf8.RuneCountInString(r[1])) + r[1] + "  " + r[2]
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " ")); err != nil {
			return err
		}
	}
	return nil
}

func pad(s string, n int) string {
	return s + strings.Repeat(" ", max(0, n-utf8.RuneCountInString(s)))
}
