package oracle

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// folders are the kinds of model that the oracle builds.
var folders = []string{"causal", "seq2seq", "masked", "encoder", "vlm", "other"}

// typeJSON is one file of the oracle.
type typeJSON struct {
	ModelType    string          `json:"model_type"`
	Architecture string          `json:"architecture"`
	Transformers string          `json:"transformers"`
	Torch        string          `json:"torch"`
	ShapeKeys    orderedDefaults `json:"shape_keys"`
	InertKeys    []string        `json:"inert_keys"`
	Cases        []caseJSON      `json:"cases"`
	Runtime      []runtimeJSON   `json:"runtime"`
}

type caseJSON struct {
	File              string          `json:"file"`        // in real.json only
	Origin            string          `json:"origin"`      // in real.json, where it is known
	ConfigText        string          `json:"config_text"` // in real.json: not always JSON
	ModelType         string          `json:"model_type"`
	Architecture      string          `json:"architecture"`
	Config            json.RawMessage `json:"config"`
	Parameters        int64           `json:"parameters"`
	Buffers           int64           `json:"buffers"`
	PersistentBuffers []string        `json:"persistent_buffers"`
	Tensors           []tensorJSON    `json:"tensors"`
}

type runtimeJSON struct {
	Config json.RawMessage        `json:"config"`
	Cache  map[string][]cacheJSON `json:"cache"`
	FLOPs  map[string]struct {
		Total int64            `json:"total"`
		ByOp  map[string]int64 `json:"by_op"`
	} `json:"flops"`
}

// tensorJSON is [name, shape].
type tensorJSON Tensor

func (t *tensorJSON) UnmarshalJSON(raw []byte) error {
	return json.Unmarshal(raw, &[]any{&t.Name, &t.Shape})
}

// cacheJSON is [path, shape, dtype].
type cacheJSON CacheTensor

func (c *cacheJSON) UnmarshalJSON(raw []byte) error {
	return json.Unmarshal(raw, &[]any{&c.Name, &c.Shape, &c.DType})
}

// orderedDefaults is {"key": {"default": value}, …} in the oracle's order, which
// is the order of the class's own fields.
type orderedDefaults []Key

func (o *orderedDefaults) UnmarshalJSON(raw []byte) error {
	d := json.NewDecoder(strings.NewReader(string(raw)))
	if _, err := d.Token(); err != nil { // the opening brace
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var v struct {
			Default json.RawMessage `json:"default"`
		}
		if err := d.Decode(&v); err != nil {
			return err
		}
		*o = append(*o, Key{Name: name.(string), Default: v.Default})
	}
	return nil
}

// writeTypes writes one text file for each JSON file of the oracle.
func writeTypes(oracle, out string) error {
	count, size := 0, 0
	for _, folder := range folders {
		names, err := filepath.Glob(filepath.Join(oracle, folder, "*.json*"))
		if err != nil {
			return err
		}
		for _, name := range names {
			text, err := convertType(name)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			base := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(name), ".gz"), ".json") + ".txt"
			if err := write(filepath.Join(out, folder, base), text); err != nil {
				return err
			}
			count, size = count+1, size+len(text)
		}
	}
	if count == 0 {
		return nil
	}
	fmt.Printf("%s: %d types, %d bytes\n", out, count, size)
	return nil
}

func convertType(name string) ([]byte, error) {
	raw, err := readPlain(name)
	if err != nil {
		return nil, err
	}
	var j typeJSON
	if err := json.Unmarshal(raw, &j); err != nil {
		return nil, err
	}
	f := &File{
		ModelType: j.ModelType, Architecture: j.Architecture,
		Transformers: j.Transformers, Torch: j.Torch,
		ShapeKeys: j.ShapeKeys, InertKeys: j.InertKeys,
	}
	for i, c := range j.Cases {
		// Where a large model has no small sibling, the oracle's second case is
		// its first once more.
		if i == 1 && SameCase(f.Cases[0], c.fixture()) == nil {
			continue
		}
		f.Cases = append(f.Cases, c.fixture())
	}
	for _, r := range j.Runtime {
		f.Runtimes = append(f.Runtimes, r.fixture())
	}
	text, err := Format(f)
	if err != nil {
		return nil, err
	}
	return text, roundTrip(f, text)
}

// readPlain reads a file, unpacked where its name ends in .gz.
func readPlain(name string) ([]byte, error) {
	raw, err := os.ReadFile(name)
	if err != nil || !strings.HasSuffix(name, ".gz") {
		return raw, err
	}
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

func (c caseJSON) fixture() Case {
	out := Case{
		Name: c.File, ModelType: c.ModelType, Architecture: c.Architecture, Config: c.Config,
		Parameters: c.Parameters, Buffers: c.Buffers, PersistentBuffers: c.PersistentBuffers,
	}
	for _, t := range c.Tensors {
		out.Tensors = append(out.Tensors, Tensor(t))
	}
	return out
}

func (r runtimeJSON) fixture() Runtime {
	out := Runtime{Config: r.Config}
	for tokens, flops := range r.FLOPs {
		n, _ := strconv.ParseInt(tokens, 10, 64)
		pass := Pass{Tokens: n, FLOPs: flops.Total}
		for op, f := range flops.ByOp {
			pass.ByOp = append(pass.ByOp, Op{Name: op, FLOPs: f})
		}
		sort.Slice(pass.ByOp, func(i, j int) bool { return pass.ByOp[i].Name < pass.ByOp[j].Name })
		for _, c := range r.Cache[tokens] {
			if c.DType == "int64" {
				continue // counters and marks, no part of what a cache holds
			}
			pass.Cache = append(pass.Cache, CacheTensor(c))
		}
		sort.Slice(pass.Cache, func(i, j int) bool { return pass.Cache[i].Name < pass.Cache[j].Name })
		out.Passes = append(out.Passes, pass)
	}
	sort.Slice(out.Passes, func(i, j int) bool { return out.Passes[i].Tokens < out.Passes[j].Tokens })
	return out
}

// roundTrip reads a text again and holds it against what was written.
func roundTrip(f *File, text []byte) error {
	back, err := Parse(string(text))
	if err != nil {
		return fmt.Errorf("cannot be read again: line %w", err)
	}
	again, err := Format(back)
	if err != nil {
		return err
	}
	if string(again) != string(text) {
		return fmt.Errorf("reading and writing again gives another text")
	}
	if len(back.Cases) != len(f.Cases) || len(back.Runtimes) != len(f.Runtimes) {
		return fmt.Errorf("%d cases and %d runtimes became %d and %d",
			len(f.Cases), len(f.Runtimes), len(back.Cases), len(back.Runtimes))
	}
	for i, c := range f.Cases {
		if err := SameCase(c, back.Cases[i]); err != nil {
			return fmt.Errorf("case %d, %s: %w", i, back.Cases[i].Name, err)
		}
	}
	for i, r := range f.Runtimes {
		if err := SameRuntime(r, back.Runtimes[i]); err != nil {
			return fmt.Errorf("runtime %d: %w", i, err)
		}
	}
	return nil
}

func write(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}
