package oracle

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Load reads one file of a model type.
func Load(fsys fs.FS, name string) (*File, error) {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	f, err := Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	return f, nil
}

// LoadDir reads every .txt file in a folder, by file name without the ending.
func LoadDir(fsys fs.FS, dir string) (map[string]*File, error) {
	names, err := fs.Glob(fsys, path.Join(dir, "*.txt"))
	if err != nil {
		return nil, err
	}
	files := make(map[string]*File, len(names))
	for _, n := range names {
		f, err := Load(fsys, n)
		if err != nil {
			return nil, err
		}
		files[strings.TrimSuffix(path.Base(n), ".txt")] = f
	}
	return files, nil
}

// LoadReal reads a file of real configurations.
func LoadReal(fsys fs.FS, name string) ([]Case, error) {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	cases, err := ParseReal(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	return cases, nil
}

// Parse reads the text of one file. An error begins with the line's number.
func Parse(text string) (*File, error) {
	p := &parser{file: &File{}}
	if err := p.run(text, p.line); err != nil {
		return nil, err
	}
	for i := range p.file.Cases {
		c := &p.file.Cases[i]
		c.ModelType, c.Architecture = p.file.ModelType, p.file.Architecture
	}
	return p.file, nil
}

// ParseReal reads the text of a file of real configurations.
func ParseReal(text string) ([]Case, error) {
	p := &parser{file: &File{}}
	if err := p.run(text, p.realLine); err != nil {
		return nil, err
	}
	return p.file.Cases, nil
}

// parser goes through the lines and keeps the block that is open.
type parser struct {
	file    *File
	case_   *Case    // open, nil before the first
	runtime *Runtime // open, nil before the first
}

func (p *parser) run(text string, line func([]string) error) error {
	for i, l := range strings.Split(text, "\n") {
		if l == "" || l[0] == '#' {
			continue
		}
		if err := line(strings.Split(l, "\t")); err != nil {
			return fmt.Errorf("%d: %w", i+1, err)
		}
	}
	p.close()
	return nil
}

// close ends the open block: its tensors are put in order.
func (p *parser) close() {
	if p.case_ != nil {
		sortTensors(p.case_.Tensors)
	}
	p.case_ = nil
}

func (p *parser) line(f []string) error {
	switch {
	case f[0] == "case":
		return p.openCase(f)
	case f[0] == "runtime":
		if len(p.file.Cases) == 0 {
			return fmt.Errorf("runtime before the default case")
		}
		p.close()
		p.file.Runtimes = append(p.file.Runtimes, Runtime{Name: "default", Config: p.file.Cases[0].Config})
		p.runtime = &p.file.Runtimes[len(p.file.Runtimes)-1]
		return nil
	case p.runtime != nil:
		return p.runtimeLine(f)
	case p.case_ != nil:
		return p.caseLine(f)
	}
	return p.header(f)
}

func (p *parser) header(f []string) error {
	if f[0] == "shape_key" {
		if len(f) != 3 {
			return wrongFields(f, 3)
		}
		p.file.ShapeKeys = append(p.file.ShapeKeys, Key{f[1], json.RawMessage(f[2])})
		return nil
	}
	if len(f) != 2 {
		return wrongFields(f, 2)
	}
	switch f[0] {
	case "model_type":
		p.file.ModelType = f[1]
	case "architecture":
		p.file.Architecture = f[1]
	case "transformers":
		p.file.Transformers = f[1]
	case "torch":
		p.file.Torch = f[1]
	case "inert_keys":
		p.file.InertKeys = strings.Split(f[1], " ")
	default:
		return fmt.Errorf("unknown line %q", f[0])
	}
	return nil
}

// openCase starts a case as a copy of the one it differs from.
func (p *parser) openCase(f []string) error {
	p.close()
	next := Case{Name: "default"}
	if len(f) > 1 {
		from, err := strconv.Atoi(f[1])
		if err != nil || from < 0 || from >= len(p.file.Cases) {
			return fmt.Errorf("case %q: no earlier case has that number", f[1])
		}
		next = p.file.Cases[from]
		next.Tensors = slices.Clone(next.Tensors)
		next.PersistentBuffers = slices.Clone(next.PersistentBuffers)
	}
	p.file.Cases = append(p.file.Cases, next)
	p.case_ = &p.file.Cases[len(p.file.Cases)-1]
	return nil
}

func (p *parser) caseLine(f []string) error {
	c := p.case_
	var err error
	switch {
	case f[0] == "":
		return fmt.Errorf("line begins with a tab")
	case f[0][0] == '-' && len(f) == 1:
		return c.remove(f[0][1:])
	case f[0][0] == '+' && len(f) == 2:
		shape, err := ParseShape(f[1])
		c.Tensors = append(c.Tensors, Tensor{f[0][1:], shape})
		return err
	case f[0][0] == '~' && len(f) == 2:
		return c.reshape(f[0][1:], f[1])
	case f[0] == "config" && len(f) == 2:
		if f[1] == "" || f[1][0] != '{' {
			return fmt.Errorf("config is not a JSON object")
		}
		c.Config = json.RawMessage(f[1])
	case f[0] == "set" || f[0] == "unset":
		c.Config, c.Name, err = p.change(f, c.Config)
	case f[0] == "parameters" && len(f) == 2:
		c.Parameters, err = strconv.ParseInt(f[1], 10, 64)
	case f[0] == "buffers" && len(f) == 2:
		c.Buffers, err = strconv.ParseInt(f[1], 10, 64)
	case f[0] == "persistent_buffers" && len(f) == 2:
		c.PersistentBuffers = nil
		if f[1] != "-" {
			c.PersistentBuffers = strings.Split(f[1], " ")
		}
	case f[0] == "each" && len(f) == 3:
		for i := range c.Tensors {
			c.Tensors[i].Name = strings.ReplaceAll(c.Tensors[i].Name, f[1], f[2])
		}
		c.PersistentBuffers = renameAll(c.PersistentBuffers, f[1], f[2])
	default:
		return fmt.Errorf("unknown line %q with %d fields", f[0], len(f))
	}
	return err
}

// change makes one change to a config and names the case by all that it
// changes from the default.
func (p *parser) change(f []string, config json.RawMessage) (json.RawMessage, string, error) {
	c := change{gone: f[0] == "unset"}
	want := 3
	if c.gone {
		want = 2
	}
	if len(f) != want {
		return config, "", wrongFields(f, want)
	}
	c.key = f[1]
	if !c.gone {
		c.value = json.RawMessage(f[2])
	}
	next, err := applyChange(config, c)
	if err != nil {
		return config, "", err
	}
	return next, changeName(diffConfig(p.file.Cases[0].Config, next)), nil
}

func (c *Case) remove(name string) error {
	for i, t := range c.Tensors {
		if t.Name == name {
			c.Tensors = slices.Delete(c.Tensors, i, i+1)
			return nil
		}
	}
	return fmt.Errorf("-%s: no such tensor", name)
}

func (c *Case) reshape(name, shape string) error {
	s, err := ParseShape(shape)
	if err != nil {
		return err
	}
	for i, t := range c.Tensors {
		if t.Name == name {
			c.Tensors[i].Shape = s
			return nil
		}
	}
	return fmt.Errorf("~%s: no such tensor", name)
}

// runtimeLine reads a line of a runtime block. The tokens line comes first
// after the config's changes and makes the passes; later lines have a column
// for each.
func (p *parser) runtimeLine(f []string) error {
	r := p.runtime
	var err error
	switch {
	case f[0] == "set" || f[0] == "unset":
		r.Config, r.Name, err = p.change(f, r.Config)
		return err
	case f[0] == "tokens":
		r.Passes = make([]Pass, len(f)-1)
		return columns(r, f[1:], func(pass *Pass, v string) (err error) {
			pass.Tokens, err = strconv.ParseInt(v, 10, 64)
			return err
		})
	case f[0] == "flops":
		return columns(r, f[1:], func(pass *Pass, v string) (err error) {
			pass.FLOPs, err = strconv.ParseInt(v, 10, 64)
			return err
		})
	case f[0] == "op" && len(f) > 2:
		return columns(r, f[2:], func(pass *Pass, v string) error {
			n, err := strconv.ParseInt(v, 10, 64)
			pass.ByOp = append(pass.ByOp, Op{f[1], n})
			return err
		})
	case f[0] == "cache" && len(f) > 3:
		return columns(r, f[3:], func(pass *Pass, v string) error {
			shape, err := ParseShape(v)
			pass.Cache = append(pass.Cache, CacheTensor{Tensor{f[1], shape}, f[2]})
			return err
		})
	}
	return fmt.Errorf("unknown line %q in a runtime block", f[0])
}

// columns calls read for each pass that has a value.
func columns(r *Runtime, values []string, read func(*Pass, string) error) error {
	if len(values) != len(r.Passes) {
		return fmt.Errorf("%d columns for %d passes", len(values), len(r.Passes))
	}
	for i, v := range values {
		if v == "none" {
			continue
		}
		if err := read(&r.Passes[i], v); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) realLine(f []string) error {
	if f[0] == "real" && len(f) == 2 {
		p.close()
		p.file.Cases = append(p.file.Cases, Case{Name: f[1]})
		p.case_ = &p.file.Cases[len(p.file.Cases)-1]
		return nil
	}
	if p.case_ == nil {
		return fmt.Errorf("%q before the first real", f[0])
	}
	if len(f) == 2 {
		switch f[0] {
		case "origin":
			p.case_.Origin = f[1]
			return nil
		case "model_type":
			p.case_.ModelType = f[1]
			return nil
		case "architecture":
			p.case_.Architecture = f[1]
			return nil
		}
	}
	return p.caseLine(f)
}

func wrongFields(f []string, want int) error {
	return fmt.Errorf("%s: %d fields, want %d", f[0], len(f), want)
}
