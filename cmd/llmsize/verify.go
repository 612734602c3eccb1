package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"llmsize/core/checkpoint"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/fault"
	"llmsize/core/model"
	"llmsize/core/units"
)

// errDiffers says that a checkpoint is not what its config says: exit status 1, though it was answered.
var errDiffers = errors.New("differs")

// verify holds a config against a checkpoint.
func (c *command) verify() error {
	if len(c.args) == 0 {
		return fmt.Errorf("%w: FOLDER, FILE or ID is missing; llmsize --help says more", errUsage)
	}
	if len(c.args) > 1 {
		return fmt.Errorf("%w: verify takes one folder, file or id, and no %q", errUsage, c.args[1])
	}
	h, err := c.open(c.args[0], true)
	if err != nil {
		return err
	}
	if h != nil {
		if err := h.headers(); err != nil {
			return err
		}
	}
	if h == nil || h.list == nil {
		if name := c.args[0]; strings.HasPrefix(name, ".") || strings.HasPrefix(name, "/") {
			if _, err := os.Stat(name); err != nil {
				return &fault.Error{File: name, Problem: "there is no file or folder of that name"}
			}
		}
		return &fault.Error{File: c.args[0], Problem: "there is no checkpoint to compare with", Allowed: "a folder with safetensors or GGUF files, one such file, an index, or a hub id"}
	}
	cfg, err := h.config()
	if err != nil {
		return err
	}
	m, why := c.known(cfg)
	v := checkpoint.Verify(h.list, cfg, m)
	if c.json {
		if _, err := io.WriteString(c.out, v.JSON().Indent()); err != nil {
			return err
		}
	} else if err := c.verdict(h, m, why, &v); err != nil {
		return err
	}
	if v.Verdict == checkpoint.Differs {
		return errDiffers
	}
	return nil
}

// known describes a config when its kind is known; why says what is in the way.
func (c *command) known(cfg config.Value) (m *model.Model, why string) {
	if cfg.Kind != config.Object {
		return nil, "there is no config.json beside it"
	}
	m, fail := family.Describe(cfg, c.lib)
	switch {
	case fail != nil:
		return nil, "its config cannot be read: " + fail.Error()
	case m.ReadAs != "":
		kind := cfg.Get("model_type")
		return nil, "its config is of a kind that is not known: " + fault.Clip(kind.Text, 60)
	}
	return m, ""
}

// verdict prints it for people.
func (c *command) verdict(h *held, m *model.Model, why string, v *checkpoint.Verdict) error {
	var t table
	t.row(h.name, "", "")
	t.row(v.Words(), "", "")
	if why != "" {
		t.row(why, "", "")
	}
	t.gap()
	if !v.Known {
		t.row("checkpoint, "+checkpoint.Tensors(v.Tensors), units.Group(v.Parameters), units.Params(v.Parameters).Short())
	}
	sum := v.Sum()
	for i, x := range sum {
		what := "+ " + x.What
		switch {
		case i == 0:
			what = "config, " + m.Type + ", " + m.Class
		case i == len(sum)-1:
			what = "= " + x.What
		case x.N < 0:
			what = "− " + x.What
		}
		n := max(x.N, -x.N)
		t.row(what, units.Group(n), units.Params(n).Short())
	}
	t.row("  tensor data", units.Group(v.Bytes)+" bytes", units.Bytes(v.Bytes).GB())
	for _, x := range h.list.Types() {
		t.row("    "+x.Type.String()+", "+checkpoint.Tensors(x.Tensors), units.Group(x.Bytes)+" bytes", units.Percent(x.Bytes, v.Bytes))
	}
	for i := range v.Differences { // what isn't a term of the sum
		d := &v.Differences[i]
		if d.Kind != checkpoint.Precision && (d.Kind != checkpoint.Extra || d.Reason != checkpoint.Scale) {
			continue
		}
		t.row("  "+d.Words()+", "+checkpoint.Tensors(d.Tensors), units.Group(d.Parameters), units.Params(d.Parameters).Short())
	}
	if err := t.write(c.out); err != nil {
		return err
	}
	for i := range v.Differences {
		d := &v.Differences[i]
		names := make([]string, len(d.Names))
		for i := range names {
			names[i] = d.Named(i)
		}
		more := ""
		if int64(len(d.Names)) < d.Tensors {
			more = fmt.Sprintf(" and %s more", units.Group(d.Tensors-int64(len(d.Names))))
		}
		fmt.Fprintf(c.out, "%s: %s%s\n", d.Words(), strings.Join(names, "; "), more)
	}
	for _, n := range v.Notes() {
		fmt.Fprintf(c.out, "note: %s\n", n)
	}
	return nil
}
