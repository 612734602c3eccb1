package oracle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// Adapter is what LoRA adds to a model.
type Adapter struct {
	Config    json.RawMessage // of the model
	Rank      int64
	Targets   string // as the recipe names them: "attention q,v", "all-linear"
	Trainable int64  // parameters of the adapters
	Tensors   []Tensor
}

// FormatAdapters writes one block for each adapter.
func FormatAdapters(all []Adapter) ([]byte, error) {
	var b bytes.Buffer
	for i, a := range all {
		if i > 0 {
			b.WriteByte('\n')
		}
		config, err := canonical(a.Config)
		if err != nil {
			return nil, err
		}
		field(&b, "adapter", string(config))
		field(&b, "rank", strconv.FormatInt(a.Rank, 10))
		field(&b, "targets", a.Targets)
		field(&b, "trainable", strconv.FormatInt(a.Trainable, 10))
		b.Write(tensorLines(nil, sorted(a.Tensors)))
	}
	return b.Bytes(), nil
}

// LoadAdapters reads a file of adapters.
func LoadAdapters(fsys fs.FS, name string) ([]Adapter, error) {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	all, err := ParseAdapters(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	return all, nil
}

// ParseAdapters reads what FormatAdapters writes. An error begins with the
// line's number.
func ParseAdapters(text string) ([]Adapter, error) {
	var all []Adapter
	for i, line := range strings.Split(text, "\n") {
		word, value, _ := strings.Cut(line, "\t")
		if word == "" || word[0] == '#' {
			continue
		}
		if word == "adapter" {
			all = append(all, Adapter{Config: json.RawMessage(value)})
			continue
		}
		if len(all) == 0 {
			return nil, fmt.Errorf("%d: %q before the first adapter", i+1, word)
		}
		a := &all[len(all)-1]
		var err error
		switch {
		case word == "rank":
			a.Rank, err = strconv.ParseInt(value, 10, 64)
		case word == "targets":
			a.Targets = value
		case word == "trainable":
			a.Trainable, err = strconv.ParseInt(value, 10, 64)
		case word[0] == '+':
			var shape []int64
			shape, err = ParseShape(value)
			a.Tensors = append(a.Tensors, Tensor{word[1:], shape})
		default:
			err = fmt.Errorf("unknown line %q", word)
		}
		if err != nil {
			return nil, fmt.Errorf("%d: %w", i+1, err)
		}
	}
	return all, nil
}
