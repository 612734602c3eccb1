package oracle

import (
	"bytes"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// Quantised is what a quantisation recipe makes of a model's file.
type Quantised struct {
	Model  string // catalogue slug
	Arch   string // the file format's name for the architecture
	Recipe string // in lower case: q4_k_m
	Bytes  int64  // of all tensor data
	Types  []TypeOf
}

// TypeOf is the tensors that are stored in one type.
type TypeOf struct {
	Type  string
	Names []string // the file format's names, with index sets
}

// FormatQuantised writes one block for each recipe: a line
// "recipe model arch name bytes", then for each type a line with its tensors.
// Where a type has the same tensors as the last time in this model, they are
// written as same.
func FormatQuantised(all []Quantised) []byte {
	var b bytes.Buffer
	before := map[string]string{}
	for i, q := range all {
		if i > 0 {
			b.WriteByte('\n')
		}
		if i == 0 || all[i-1].Model != q.Model {
			before = map[string]string{}
		}
		field(&b, "recipe", q.Model, q.Arch, q.Recipe, strconv.FormatInt(q.Bytes, 10))
		for _, t := range q.Types {
			names := strings.Join(t.Names, " ")
			if before[t.Type] == names {
				names = "same"
			} else {
				before[t.Type] = names
			}
			field(&b, t.Type, names)
		}
	}
	return b.Bytes()
}

// LoadQuantised reads a file of recipes.
func LoadQuantised(fsys fs.FS, name string) ([]Quantised, error) {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	all, err := ParseQuantised(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	return all, nil
}

// ParseQuantised reads what FormatQuantised writes. An error begins with the
// line's number.
func ParseQuantised(text string) ([]Quantised, error) {
	var all []Quantised
	before := map[string][]string{}
	for i, line := range strings.Split(text, "\n") {
		f := strings.Split(line, "\t")
		switch {
		case line == "" || line[0] == '#':
		case f[0] == "recipe" && len(f) == 5:
			n, err := strconv.ParseInt(f[4], 10, 64)
			if err != nil {
				return nil, fmt.Errorf("%d: %w", i+1, err)
			}
			if len(all) == 0 || all[len(all)-1].Model != f[1] {
				before = map[string][]string{}
			}
			all = append(all, Quantised{Model: f[1], Arch: f[2], Recipe: f[3], Bytes: n})
		case len(f) == 2 && len(all) > 0:
			names := strings.Split(f[1], " ")
			if f[1] == "same" {
				if names = before[f[0]]; names == nil {
					return nil, fmt.Errorf("%d: no %s before", i+1, f[0])
				}
			}
			before[f[0]] = names
			q := &all[len(all)-1]
			q.Types = append(q.Types, TypeOf{f[0], names})
		default:
			return nil, fmt.Errorf("%d: unknown line %q", i+1, f[0])
		}
	}
	return all, nil
}
