package oracle

import (
	"bytes"
	"fmt"
	"io/fs"
	"strings"
)

// Table is a list of rows with named columns, for records that are numbers and
// words only: a comment, a line of names, then one row a line, tabs between.
type Table struct {
	Comment string
	Head    []string
	Rows    [][]string
}

// Row is one row of a table by column name.
type Row map[string]string

// LoadTable reads a table as rows by column name.
func LoadTable(fsys fs.FS, name string) ([]Row, error) {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	t, err := ParseTable(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	var rows []Row
	for _, values := range t.Rows {
		row := Row{}
		for i, v := range values {
			row[t.Head[i]] = v
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// FormatTable writes a table's text.
func FormatTable(t Table) []byte {
	var b bytes.Buffer
	if t.Comment != "" {
		b.WriteString("# " + t.Comment + "\n")
	}
	field(&b, t.Head...)
	for _, r := range t.Rows {
		field(&b, r...)
	}
	return b.Bytes()
}

// ParseTable reads a table's text. An error begins with the line's number.
func ParseTable(text string) (Table, error) {
	var t Table
	for i, line := range strings.Split(text, "\n") {
		switch {
		case line == "":
		case strings.HasPrefix(line, "# "):
			t.Comment = line[2:]
		case t.Head == nil:
			t.Head = strings.Split(line, "\t")
		default:
			row := strings.Split(line, "\t")
			if len(row) != len(t.Head) {
				return Table{}, fmt.Errorf("%d: %d columns, want %d", i+1, len(row), len(t.Head))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t, nil
}
