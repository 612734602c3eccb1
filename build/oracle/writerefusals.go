package oracle

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
)

// writeRefusals writes which configs with one odd value the classes refuse.
func writeRefusals(oracle, out string) error {
	f, err := os.Open(filepath.Join(oracle, "refusals.jsonl.gz"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	var list []Refusal
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var j struct {
			Config          map[string]json.RawMessage
			Changed, Result string
			Parameters      int64
		}
		if err := json.Unmarshal(lines.Bytes(), &j); err != nil {
			return fmt.Errorf("refusals: %w", err)
		}
		var name string
		var classes []string
		var value bytes.Buffer
		if err := errors.Join(json.Unmarshal(j.Config["model_type"], &name), json.Unmarshal(j.Config["architectures"], &classes), json.Compact(&value, j.Config[j.Changed])); err != nil {
			return fmt.Errorf("refusals: %s: %w", lines.Bytes(), err)
		}
		if len(j.Config) != 3 || len(classes) != 1 || bytes.ContainsRune(value.Bytes(), ' ') {
			return fmt.Errorf("refusals: %s is more than one value", lines.Bytes())
		}
		list = append(list, Refusal{ModelType: name, Architecture: classes[0], Key: j.Changed, Value: value.Bytes(), Built: j.Result == "built", Parameters: j.Parameters})
	}
	if err := lines.Err(); err != nil {
		return err
	}
	text := FormatRefusals(list)
	back, err := ParseRefusals(string(text))
	if err != nil {
		return fmt.Errorf("refusals.txt cannot be read again: line %w", err)
	}
	if !reflect.DeepEqual(list, back) {
		return errors.New("refusals.txt: reading gives another list")
	}
	fmt.Printf("%s: %d configurations, %d bytes\n", out, len(list), len(text))
	return write(out, text)
}
