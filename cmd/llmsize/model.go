package main

import (
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"llmsize/content/catalogue"
	"llmsize/core/checkpoint"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/fault"
	"llmsize/core/query"
	"llmsize/core/report"
)

// command is one call: its arguments and what it works with.
type command struct {
	args []string
	json bool
	in   io.Reader
	out  io.Writer
	lib  *family.Library
	cat  *catalogue.Catalogue

	second []byte // the config of a link's second side; nil when it carries none
}

// Limits of a config in a link's fragment.
const (
	maxPacked   = 64 << 10
	maxUnpacked = 1 << 20
)

// answer reads MODEL and key=value and answers the query.
func (c *command) answer() (*report.Report, error) {
	q, s, warnings, err := c.subject()
	if err != nil {
		return nil, err
	}
	if s.Device, err = findDevice(q.Get(query.Device)); err != nil {
		return nil, err
	}
	r, fail := report.Answer(q, s, c.lib)
	if fail == nil {
		fail = c.refused(r)
	}
	if fail != nil {
		return nil, fail
	}
	nearestOverrides(r)
	r.Warnings = append(r.Warnings, warnings...)
	return r, c.versus(r)
}

// refused is the fault of a run that a key=value asks for and the model cannot
// have. In a link that someone opens it is a warning; on the command line it is an
// error, whichever of the run's keys stands there: it cannot be answered.
func (c *command) refused(r *report.Report) *fault.Error {
	fail := r.Training.Fault
	if fail == nil || fail.Field == "ep" && r.Running.Device != nil { // a run can divide experts over tensor ranks where training does not
		fail = r.Running.Fault
	}
	if fail == nil || fail.Field == "" {
		return nil
	}
	if !isQuery(c.args[0]) {
		return fail
	}
	for _, kv := range c.args[1:] {
		key, _, _ := strings.Cut(kv, "=")
		if p, ok := query.ParamNamed(key); ok && (p >= query.Device && p <= query.LoRATargets || p >= query.CP && p <= query.Accept) {
			return fail
		}
	}
	return nil
}

// subject resolves MODEL and the overrides.
func (c *command) subject() (query.Query, report.Subject, []reportWarning, error) {
	var q query.Query
	var s report.Subject
	var warnings []reportWarning
	if len(c.args) == 0 {
		return q, s, nil, fmt.Errorf("%w: MODEL is missing; llmsize --help says more", errUsage)
	}
	model := c.args[0]
	text, name, err := c.configText(model)
	if err != nil {
		return q, s, nil, err
	}
	if text == nil && !isQuery(model) {
		h, err := c.open(model, false)
		if err != nil {
			return q, s, nil, err
		}
		if h != nil {
			return c.held(q, h)
		}
	}
	isLink := name == "" && text == nil && isQuery(model)
	if isLink {
		parsed, issues, fail := query.Parse(model)
		if fail != nil {
			return q, s, nil, fail
		}
		for _, i := range issues {
			field := i.Field
			i.Field = ""
			warnings = append(warnings, reportWarning{Field: field, Text: i.Error()})
		}
		q = parsed
		_, fragment, _ := strings.Cut(model, "#")
		for part := range strings.SplitSeq(fragment, "&") {
			switch key, packed, _ := strings.Cut(part, "="); key {
			case "config":
				if text, err = unpack(packed); err != nil {
					return q, s, nil, err
				}
				name = "pasted config"
			case "vs.config":
				if c.second, err = unpack(packed); err != nil {
					return q, s, nil, fmt.Errorf("vs.%w", err)
				}
				q.VsPasted = true
				q.Clear(query.Versus)
			}
		}
	} else if text == nil {
		if fail := q.Put(query.Model, slug(c.cat, model)); fail != nil {
			return q, s, nil, notAModel(c.cat, model)
		}
	}
	if id := q.Get(query.Model); text == nil && strings.Contains(id, "/") {
		if m, ok := c.cat.Find(id); ok {
			if fail := q.Put(query.Model, m.Slug); fail != nil {
				return q, s, nil, fail
			}
		} else {
			h, err := c.open("hf:"+id, false)
			if err != nil {
				return q, s, nil, err
			}
			q, s, more, err := c.held(q, h)
			return q, s, append(warnings, more...), err
		}
	}
	if err := c.overrides(&q, text); err != nil {
		return q, s, nil, err
	}
	if text != nil {
		cfg, fail := config.ParseObject(string(text))
		if fail != nil {
			return q, s, nil, fail
		}
		return q, report.Subject{Name: name, Config: cfg}, warnings, nil
	}
	m, ok := c.cat.Find(q.Get(query.Model))
	if !ok {
		return q, s, nil, notAModel(c.cat, q.Get(query.Model))
	}
	s, err = m.Subject()
	return q, s, warnings, err
}

// asFarAs answers a question without what was wrong with it, to tell which keys there are; nil where it has no answer.
func (c *command) asFarAs(q query.Query, text []byte) *report.Report {
	var s report.Subject
	if text != nil {
		cfg, fail := config.ParseObject(string(text))
		if fail != nil {
			return nil
		}
		s.Config = cfg
	} else if m, ok := c.cat.Find(q.Get(query.Model)); ok {
		var err error
		if s, err = m.Subject(); err != nil {
			return nil
		}
	}
	r, fail := report.Answer(q, s, c.lib)
	if fail != nil {
		return nil
	}
	return r
}

// overrides puts key=value into a query about a model of the catalogue, or a config.
func (c *command) overrides(q *query.Query, text []byte) error {
	for _, kv := range c.args[1:] {
		key, value, ok := strings.Cut(kv, "=")
		if !ok {
			return fmt.Errorf("%w: %q is not key=value", errUsage, kv)
		}
		if fail := q.PutTyped(key, value); fail != nil {
			if key == "device" { // in words, which aren't a slug: it has an error that names what is near
				_, err := findDevice(value)
				return cmp.Or[error](err, fail)
			}
			if fail.Problem == query.NoKey {
				nearestKeys(fail, c.asFarAs(*q, text))
			}
			return fail
		}
	}
	return nil
}

// held makes a subject of a checkpoint: of its config when that is of a known kind, else of
// its headers.
func (c *command) held(asked query.Query, h *held) (q query.Query, s report.Subject, warnings []reportWarning, err error) {
	q = asked
	if h.id != "" {
		if fail := q.Put(query.Model, h.id); fail != nil {
			return q, s, nil, fail
		}
	}
	if err := c.overrides(&q, h.text); err != nil {
		return q, s, nil, err
	}
	s.Name = h.name
	if s.Config, err = h.config(); err != nil {
		return q, s, nil, err
	}
	if m, _ := c.known(s.Config); m != nil || h.onlyConfig() {
		return q, s, nil, nil
	}
	failed := h.headers()
	if failed == nil && h.list != nil {
		if s.Config, err = h.config(); err != nil {
			return q, s, nil, err
		}
		if m, _ := c.known(s.Config); m == nil {
			s.Model = checkpoint.Model(h.list, s.Config)
		}
		if s.Config.Kind != config.Object {
			s.Config = config.Value{Kind: config.Object}
		}
		return q, s, nil, nil
	}
	if s.Config.Kind != config.Object {
		if failed == nil {
			failed = &fault.Error{File: h.name, Problem: "there is no config.json and no checkpoint"}
		}
		return q, s, nil, failed
	}
	if failed != nil { // the config is read by its keys, and why the headers did not help is said
		warnings = append(warnings, reportWarning{Text: "the checkpoint could not be read: " + failed.Error()})
	}
	return q, s, warnings, nil
}

// onlyConfig reports whether there is nothing but a config.
func (h *held) onlyConfig() bool { return h.list == nil && h.load == nil && h.text != nil }

// configText returns the config that MODEL holds itself: standard input or a
// file. It returns nil when MODEL names one.
func (c *command) configText(model string) (text []byte, name string, err error) {
	if model == "-" {
		text, err = io.ReadAll(io.LimitReader(c.in, config.MaxBytes+1))
		if text == nil {
			text = []byte{}
		}
		return text, "standard input", err
	}
	if isQuery(model) {
		return nil, "", nil
	}
	info, err := os.Stat(model)
	if errors.Is(err, fs.ErrNotExist) || err != nil && !strings.ContainsAny(model, `/\.`) || err == nil && info.IsDir() {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	if _, known, err := openLocal(model); known || err != nil {
		return nil, "", err
	}
	text, err = readSmall(model)
	return text, model, err
}

func isQuery(s string) bool {
	return strings.HasPrefix(s, "http") || strings.HasPrefix(s, "?") || strings.HasPrefix(s, "v=")
}

// slug turns a hub id into the catalogue's name for it.
func slug(cat *catalogue.Catalogue, model string) string {
	if m, ok := cat.Find(model); ok {
		return m.Slug
	}
	return model
}

func notAModel(cat *catalogue.Catalogue, model string) error {
	msg := fmt.Sprintf("model: there is no file and no catalogue model of that name (given %s); allowed: a config.json, a link, or a slug of `llmsize models`", model)
	if near := cat.Nearest(strings.ToLower(model)); len(near) > 0 {
		msg += "; did you mean " + strings.Join(near, ", ") + "?"
	}
	return errors.New(msg)
}

// unpack reads a config of a link's fragment.
func unpack(s string) ([]byte, error) {
	s = strings.TrimRight(s, "=")
	if base64.RawURLEncoding.DecodedLen(len(s)) > maxPacked {
		return nil, errors.New("config: the part of the link after # is too long; allowed: 64 kB packed")
	}
	packed, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		return nil, errors.New("config: the part of the link after # is damaged: it is not base64url; copy the whole link")
	}
	r := flate.NewReader(bytes.NewReader(packed))
	text, err := io.ReadAll(io.LimitReader(r, maxUnpacked+1))
	if err != nil {
		return nil, errors.New("config: the part of the link after # is damaged: it does not unpack; copy the whole link")
	}
	if len(text) > maxUnpacked {
		return nil, errors.New("config: the part of the link after # unpacks to more than 1 MB")
	}
	return text, nil
}

// pack writes a config for a link's fragment.
func pack(text []byte) (string, error) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := w.Write(text); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	if b.Len() > maxPacked {
		return "", errors.New("config: it is too long for a link; allowed: 64 kB packed")
	}
	return base64.RawURLEncoding.EncodeToString(b.Bytes()), nil
}
