package predict

import (
	"strings"

	"llmsize/core/config"
	"llmsize/core/device"
	"llmsize/core/fault"
)

// Class is for which devices a factor holds, and how far runs lie from it.
type Class struct {
	Level     string  // "device", "family", "maker", "any"
	Of        string  // the device's slug, the family's name, the maker; empty for any
	Factor    float64 // by which times are longer there than the engine's constants say
	Low, High float64 // eight of ten held-out rates lie between these parts of the likely one
	Rows      int64
	Devices   int64
	Reached   []float64 // shares of the bound that its runs reach: the least, each tenth of the runs, the most
}

// Engine is what is known of an engine: constants, classes of devices, and how far the data reach.
type Engine struct {
	Name, Title string
	Sources     []string
	On          []string // makers whose devices it runs on, or a kind of device; none: not known
	Step        Step
	Fill        Fill
	Load        Load
	Decode      []Class // none: not known
	Prefill     []Class
	Token       []Class // under load
	First       []Class
	Train       Train
	Training    []Class
	Context     float64 // the longest that was measured
	Prompt      float64
	Users       float64
	Bytes       float64 // of weights that one device holds
}

// Family is devices of one kind, and what people run on them.
type Family struct {
	Name, Title string
	Devices     []string
	Engine      string // what people use
	GGUF        string // llama.cpp's backend there; empty where it has none
	Together    int64  // devices that one switch joins; 0 is eight
}

// Library is all engines and families.
type Library struct {
	Engines  []*Engine
	Families []Family
}

// Add reads a file of content/engines: families.toml, or an engine. The files are TOML of the plainest kind: a table's
// name, or a key and a value that is JSON too, on a line.
func (l *Library) Add(name, text string) *fault.Error {
	var e *Engine
	var class *Class
	section := ""
	for n, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			section, class = strings.Trim(line, "[]"), nil
			switch list := e.classes(section); {
			case section == "family":
				l.Families = append(l.Families, Family{})
			case list != nil:
				*list = append(*list, Class{})
				class = &(*list)[len(*list)-1]
			}
			continue
		}
		key, text, ok := strings.Cut(line, "=")
		v, err := config.Parse(strings.TrimSpace(text))
		if key = strings.TrimSpace(key); !ok || err != nil {
			return &fault.Error{File: name, Line: n + 1, Field: key, Problem: "is not a key with a value"}
		}
		if section == "" && e == nil {
			e = &Engine{}
			l.Engines = append(l.Engines, e)
		}
		switch {
		case section == "family":
			ok = l.Families[len(l.Families)-1].set(key, v)
		case class != nil:
			ok = class.set(key, v)
		case e == nil:
			ok = false
		case section == "":
			ok = e.set(key, v)
		default:
			ok = e.put(section+"."+key, v)
		}
		if !ok {
			return &fault.Error{File: name, Line: n + 1, Field: section + "." + key, Problem: "is not known, or its value is of another kind"}
		}
	}
	return nil
}

func (f *Family) set(key string, v config.Value) bool {
	switch key {
	case "name":
		f.Name = v.Text
	case "title":
		f.Title = v.Text
	case "engine":
		f.Engine = v.Text
	case "gguf":
		f.GGUF = v.Text
	case "together":
		n, ok := v.Int()
		f.Together = n
		return ok
	case "devices":
		for i := range v.Items {
			f.Devices = append(f.Devices, v.Items[i].Text)
		}
	default:
		return false
	}
	return true
}

func (e *Engine) set(key string, v config.Value) bool {
	switch key {
	case "name":
		e.Name = v.Text
	case "title":
		e.Title = v.Text
	case "sources":
		for i := range v.Items {
			e.Sources = append(e.Sources, v.Items[i].Text)
		}
	case "on":
		for i := range v.Items {
			e.On = append(e.On, v.Items[i].Text)
		}
	default:
		return false
	}
	return true
}

// classes is the list that a section of a file fills; nil where it is none.
func (e *Engine) classes(section string) *[]Class {
	if e == nil {
		return nil
	}
	switch section {
	case "decode":
		return &e.Decode
	case "prefill":
		return &e.Prefill
	case "token":
		return &e.Token
	case "first":
		return &e.First
	case "training":
		return &e.Training
	}
	return nil
}

// Constant is one of an engine's constants: how a file names it, "section.key", and where it is kept. A name that ends in _us is in
// microseconds in the file, and in seconds there.
type Constant struct {
	Name string
	At   *float64
}

// Constants are all constants of an engine, in the order in which a file has them.
func (e *Engine) Constants() []Constant {
	return []Constant{
		{"step.share", &e.Step.Share},
		{"step.cache", &e.Step.Cache},
		{"step.experts", &e.Step.Experts},
		{"step.layer_us", &e.Step.Layer},
		{"step.tensor_us", &e.Step.Tensor},
		{"step.busy", &e.Step.Busy},
		{"step.sequence_us", &e.Step.Sequence},
		{"step.narrowed", &e.Step.Narrowed},
		{"step.routed", &e.Step.Routed},
		{"step.links", &e.Step.Links},
		{"step.hides", &e.Step.Hides},
		{"fill.half", &e.Fill.Half},
		{"fill.narrow", &e.Fill.Narrow},
		{"fill.scores", &e.Fill.Scores},
		{"fill.slope", &e.Fill.Slope},
		{"fill.layer_us", &e.Fill.Layer},
		{"fill.routed", &e.Fill.Routed},
		{"fill.chunk", &e.Fill.Chunk},
		{"load.mix", &e.Load.Mix},
		{"load.first_us", &e.Load.First},
		{"load.own", &e.Load.Own},
		{"load.queue", &e.Load.Queue},
		{"load.clash", &e.Load.Clash},
		{"load.steps", &e.Load.Steps},
		{"train.share", &e.Train.Share},
		{"train.narrowed", &e.Train.Narrowed},
		{"train.routed", &e.Train.Routed},
		{"train.passes", &e.Train.Passes},
		{"train.picked", &e.Train.Picked},
		{"train.beyond", &e.Train.Beyond},
		{"train.launch_us", &e.Train.Launch},
		{"train.routing_us", &e.Train.Routing},
		{"train.links", &e.Train.Links},
		{"reach.context", &e.Context},
		{"reach.prompt", &e.Prompt},
		{"reach.users", &e.Users},
		{"reach.bytes", &e.Bytes},
	}
}

// put sets a constant by its name in a file; ok is false where there is none of that name, or the value isn't a number.
func (e *Engine) put(name string, v config.Value) (ok bool) {
	for _, c := range e.Constants() {
		if c.Name == name {
			if *c.At, ok = v.Float(); ok && strings.HasSuffix(name, "_us") {
				*c.At = float64(*c.At / 1e6)
			}
		}
	}
	return ok
}

func (c *Class) set(key string, v config.Value) (ok bool) {
	ok = true
	switch key {
	case "level":
		c.Level = v.Text
	case "of":
		c.Of = v.Text
	case "factor":
		c.Factor, ok = v.Float()
	case "low":
		c.Low, ok = v.Float()
	case "high":
		c.High, ok = v.Float()
	case "rows":
		c.Rows, ok = v.Int()
	case "devices":
		c.Devices, ok = v.Int()
	case "reached":
		for i := range v.Items {
			x, fine := v.Items[i].Float()
			c.Reached, ok = append(c.Reached, x), ok && fine
		}
	default:
		ok = false
	}
	return ok
}

// runs reports whether an engine may run on a device, of a family if it has one. llama.cpp doesn't where it has no backend. Of a device
// that a reader typed nobody knows.
func (e *Engine) runs(d *device.Device, f *Family) bool {
	if f != nil && f.GGUF == "" && strings.HasPrefix(e.Name, "llama") {
		return false
	}
	for _, on := range e.On {
		if on == d.Maker || on == d.Kind {
			return true
		}
	}
	return len(e.On) == 0 || d.Maker == ""
}

// Family returns the family of a device; nil where it has none.
func (l *Library) Family(slug string) *Family {
	for i := range l.Families {
		for _, d := range l.Families[i].Devices {
			if d == slug {
				return &l.Families[i]
			}
		}
	}
	return nil
}

// Beyond is how many times more devices share a layer, by tensors or experts, than one switch joins; at least 1.
func (l *Library) Beyond(slug string, shared float64) float64 {
	together := 8.0
	if f := l.Family(slug); f != nil && f.Together > 0 {
		together = float64(f.Together)
	}
	return max(shared/together, 1)
}

// Engine returns an engine by its name; nil where nothing is known of it.
func (l *Library) Engine(name string) *Engine {
	for _, e := range l.Engines {
		if e.Name == name {
			return e
		}
	}
	return nil
}

// Pick returns the narrowest class that holds for a device; nil where none does.
func Pick(list []Class, slug, family, maker string) *Class {
	of := map[string]string{"device": slug, "family": family, "maker": maker}
	var best *Class
	for i := range list {
		if c := &list[i]; c.Of == of[c.Level] && (c.Level == "any" || c.Of != "") && (best == nil || c.rank() > best.rank()) {
			best = c
		}
	}
	return best
}

// rank orders levels by how narrow they are.
func (c *Class) rank() int {
	for i, l := range [...]string{"any", "maker", "family", "device"} {
		if l == c.Level {
			return i
		}
	}
	return -1
}
