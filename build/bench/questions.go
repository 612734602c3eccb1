// A [Source] makes questions that nobody has thought of: a model of the
// catalogue or a type's defaults, with keys of its config and of the query
// changed at random to what such keys take, to extremes, and to lists of thousands
// of entries. build/bench looks among them for those that take longest; tests ask them
// natively and as WebAssembly and hold the answers against each other.

package bench

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"llmsize/content/catalogue"
	"llmsize/core/config"
	"llmsize/core/device"
	"llmsize/core/family"
	"llmsize/core/fault"
	"llmsize/core/query"
)

// Question is what a program is asked.
type Question struct {
	Query, Config, Device string // the device as JSON; empty for none
}

// Base is what a question begins with.
type Base struct {
	Name   string
	Config config.Value
}

// Candidate is a question that can be changed further.
type Candidate struct {
	Base   Base
	Filled string          // what the config is filled with; see fillings
	N      int             // with how many
	set    []query.Setting // of the config
	keys   []query.Setting // of the query
	device string
}

// Source makes questions.
type Source struct {
	Bases   []Base // the catalogue's models, and the defaults of every type after them
	Models  int    // how many are the catalogue's
	library *family.Library
	devices []string
}

// NewQuestions reads the catalogue from content and the types from a library.
func NewQuestions(content fs.FS, library *family.Library) (*Source, error) {
	s := &Source{library: library}
	models, err := catalogue.Load(content)
	if err != nil {
		return nil, err
	}
	for i := range models.Models {
		m := &models.Models[i]
		v, fail := config.ParseObject(string(m.Config))
		if fail != nil {
			return nil, fmt.Errorf("%s: %w", m.Slug, fail)
		}
		s.Bases = append(s.Bases, Base{m.Slug, v})
	}
	s.Models = len(s.Bases)
	devices, err := fs.Glob(content, "devices/*.json")
	if err != nil {
		return nil, err
	}
	for _, file := range devices {
		text, err := fs.ReadFile(content, file)
		if err != nil {
			return nil, err
		}
		v, fail := config.ParseObject(string(text))
		if fail == nil {
			_, fail = device.Parse(&v, nil)
		}
		if fail == nil { // a machine names its parts, which are files of their own
			s.devices = append(s.devices, string(text))
		}
	}
	for _, t := range library.Types() {
		s.Bases = append(s.Bases, Base{t, config.Value{Kind: config.Object}.Set("model_type", config.Value{Kind: config.String, Text: t})})
	}
	return s, nil
}

// Copy is a candidate to be changed without changing c.
func (c *Candidate) Copy() *Candidate {
	d := *c
	d.set, d.keys = slices.Clone(c.set), slices.Clone(c.keys)
	return &d
}

// Words says what a question is, short enough for a table.
func (c *Candidate) Words() string {
	w := c.Base.Name
	if c.Filled != "" {
		w += fmt.Sprintf(", %d %s", c.N, c.Filled)
	}
	for _, x := range c.set {
		w += ", " + x.Key + "=" + fault.Clip(x.Value, 24)
	}
	for _, x := range c.keys {
		w += ", " + x.Key + "=" + x.Value
	}
	return "`" + strings.ReplaceAll(w, "|", "\\|") + "`"
}

// Ask is the candidate as a question: overrides in the config, or in the link.
func (c *Candidate) Ask(link bool) Question {
	q := Question{Query: "v=1", Device: c.device}
	for _, k := range c.keys {
		q.Query += "&" + k.Key + "=" + url.QueryEscape(k.Value)
	}
	v := c.Base.Config.Copy()
	for _, x := range c.set {
		if link {
			q.Query += "&set." + x.Key + "=" + url.QueryEscape(x.Value)
			continue
		}
		value, err := config.Parse(x.Value)
		if err == nil {
			v.Put(x.Key, value)
		}
	}
	if f := fillings[c.Filled]; f != nil {
		key, value := f(c.N)
		switch {
		case link:
			q.Query += "&set." + key + "=" + url.QueryEscape(value)
		case key == "":
			text := v.JSON()
			q.Config = text[:len(text)-1] + "," + value + "}"
			return q
		default:
			if x, err := config.Parse(value); err == nil {
				v.Put(key, x)
			}
		}
	}
	q.Config = v.JSON()
	return q
}

// fillings are what a config can be filled with: the key that is set, and its
// value; without a key, keys of the config itself.
var fillings = map[string]func(n int) (key, value string){
	"keys that nobody reads": func(n int) (string, string) {
		return "", list(n, func(i int) string { return `"x` + strconv.Itoa(i) + `":1` })
	},
	"modules left out":          modules(func(i int) string { return "k" + strconv.Itoa(i) }),
	"numbered modules left out": modules(func(i int) string { return "layers." + strconv.Itoa(i) + ".mlp" }),
	"globs left out":            modules(func(i int) string { return "*a*b*" + strconv.Itoa(i) + "*" }),
	"starred numbers left out":  modules(func(i int) string { return "model.layers." + strconv.Itoa(i%10) + "*.x" + strconv.Itoa(i) }),
	"expressions left out":      modules(func(i int) string { return "re:(.*)*[0-9]" + strconv.Itoa(i) + "z" }),
	"long expressions left out": func(n int) (string, string) {
		return modules(func(int) string { return "re:.*" + strings.Repeat("(a|.)*", n) + "\\\\d$" })(1)
	},
	"groups of modules": func(n int) (string, string) {
		return "quantization_config", `{"quant_method":"compressed-tensors","format":"x","config_groups":{` + list(n, func(i int) string {
			return `"g` + strconv.Itoa(i) + `":{"targets":["m` + strconv.Itoa(i) + `"],"weights":{"num_bits":4,"type":"int","group_size":` + strconv.Itoa(32+i) + `}}`
		}) + `}}`
	},
	"empty lists": func(n int) (string, string) {
		return "layer_types", "[" + list(n, func(int) string { return "[]" }) + "]"
	},
	"nested lists": func(n int) (string, string) {
		return "layer_types", strings.Repeat("[", min(n, 60)) + strings.Repeat("]", min(n, 60))
	},
}

func modules(f func(i int) string) func(n int) (string, string) {
	return func(n int) (string, string) {
		return "quantization_config", `{"quant_method":"fp8","ignore":[` + list(n, func(i int) string { return `"` + f(i) + `"` }) + "]}"
	}
}

func list(n int, f func(i int) string) string {
	out := make([]string, n)
	for i := range out {
		out[i] = f(i)
	}
	return strings.Join(out, ",")
}

var sizes = []int64{0, 1, 2, 3, 5, 7, 8, 16, 30, 61, 64, 100, 127, 200, 256, 300, 500, 512, 700, 1000, 1024, 2000, 3000, 4000, 4095, 4096, 5000, 1 << 16, 1 << 20, 1 << 30, 1 << 40}

// Change changes one thing.
func (s *Source) Change(c *Candidate, r *rand.Rand) {
	switch r.IntN(10) {
	case 0, 1:
		p := query.Param(r.IntN(int(query.NumParams)))
		in := query.About(p)
		value := strconv.FormatInt(sizes[r.IntN(len(sizes))], 10)
		if len(in.Allowed) > 0 {
			value = in.Allowed[r.IntN(len(in.Allowed))]
		}
		switch p {
		case query.Model, query.Versus:
			return
		case query.Device:
			if len(s.devices) > 0 {
				c.device = s.devices[r.IntN(len(s.devices))]
			}
			return
		case query.LoRATargets:
			value = []string{"all-linear", "q_proj,k_proj,v_proj", "default"}[r.IntN(3)]
		}
		c.keys = put(c.keys, in.Name, value)
	case 2:
		names := make([]string, 0, len(fillings))
		for n := range fillings {
			names = append(names, n)
		}
		slices.Sort(names)
		c.Filled, c.N = names[r.IntN(len(names))], int(sizes[r.IntN(24)])*(1+r.IntN(8))+1
	case 3:
		if c.N > 0 {
			c.N = max(1, c.N*(50+r.IntN(200))/100)
		}
	case 4:
		if len(c.set) > 0 {
			i := r.IntN(len(c.set))
			c.set = slices.Delete(c.set, i, i+1)
		}
	default:
		s.changeKey(c, r)
	}
}

func put(list []query.Setting, key, value string) []query.Setting {
	for i := range list {
		if list[i].Key == key {
			list[i].Value = value
			return list
		}
	}
	return append(list, query.Setting{Key: key, Value: value})
}

// changeKey sets a key that the family reads: a number, or a list in which
// entries differ.
func (s *Source) changeKey(c *Candidate, r *rand.Rand) {
	m, err := family.Describe(c.Base.Config, s.library)
	if err != nil || len(m.Keys) == 0 {
		return
	}
	k := &m.Keys[r.IntN(len(m.Keys))]
	for range 4 { // sizes and lists rather than switches
		if n := k.Value; n != "true" && n != "false" && n != "null" {
			break
		}
		k = &m.Keys[r.IntN(len(m.Keys))]
	}
	key := k.Path + k.Name
	if k.Given != "" {
		key = k.Path + k.Given
	}
	size := func() string { return strconv.FormatInt(sizes[r.IntN(len(sizes))], 10) }
	value := ""
	switch {
	case k.Value == "true":
		value = "false"
	case k.Value == "false":
		value = "true"
	case strings.HasPrefix(k.Value, "[") || r.IntN(8) == 0:
		var old []json.RawMessage
		_ = json.Unmarshal([]byte(k.Value), &old)
		n := int(sizes[r.IntN(26)])
		kind := r.IntN(3)
		value = "[" + list(n, func(i int) string {
			switch {
			case kind == 0 && len(old) > 0:
				return string(old[i%len(old)])
			case kind == 1 && len(old) > 0:
				return string(old[r.IntN(len(old))])
			}
			return strconv.Itoa(i%4096 + 1)
		}) + "]"
		if n := strconv.Itoa(n); r.IntN(2) == 0 { // layers as many as the list has
			for _, k := range m.Keys {
				if strings.Contains(k.Name, "layers") && !strings.HasPrefix(k.Value, "[") {
					c.set = put(c.set, k.Path+k.Name, n)
				}
			}
		}
	default:
		value = size()
	}
	c.set = put(c.set, key, value)
}
