package answers

import (
	"strconv"
	"strings"

	"llmsize/core/compute"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/memory"
	"llmsize/core/model"
	"llmsize/site/chart"
)

// effect is what a key changes in some type's default config.
type effect struct {
	roles [model.NumRoles]bool
	cache bool
	work  bool
}

// String names the parts: "attention and norms, and the cache".
func (e effect) String() string {
	var parts []string
	for role, yes := range e.roles {
		if yes {
			parts = append(parts, chart.RoleName(model.Role(role)))
		}
	}
	switch {
	case len(parts) == int(model.NumRoles):
		parts = []string{"everything"}
	case len(parts) == 0 && e.cache:
		return "the cache, no tensor"
	case len(parts) == 0 && e.work:
		return "the FLOPs, no tensor"
	}
	s := join(parts)
	if e.cache && s != "" {
		s += "; the cache too"
	}
	return s
}

// join writes a list in words: "a, b and c".
func join(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

// sizes is what a config comes to.
type sizes struct {
	roles [model.NumRoles]int64
	cache int64
	work  float64
}

var bf16, _ = memory.FormatNamed("bf16")

// sizesOf counts a config; ok is false when it cannot be counted.
func (r *Reference) sizesOf(cfg config.Value) (s sizes, m *model.Model, ok bool) {
	m, fail := family.Describe(cfg, r.Library)
	if fail != nil {
		return s, nil, false
	}
	m.Each(func(_ *model.Block, _ *model.Kind, _ *model.Part, t *model.Tensor, layers int64) {
		s.roles[t.Role] += t.Elements * t.Copies * layers
	})
	_, s.cache, fail = memory.Cache(m, memory.CacheQuestion{Context: 8192, Encoder: 512, Batch: 1, Chunk: 512, Format: bf16, State: 16})
	_, s.work = compute.Forward(m, compute.Pass{Tokens: 8192, Encoder: 512, EncoderPass: true, Batch: 1})
	return s, m, fail == nil
}

// measure changes each key of each type alone and notes what follows.
func (r *Reference) measure() map[string]effect {
	if r.effects != nil {
		return r.effects
	}
	r.effects = map[string]effect{}
	for _, f := range r.families {
		base := config.Value{Kind: config.Object}.Set("model_type", config.Value{Kind: config.String, Text: f.types[0]})
		from, m, ok := r.sizesOf(base)
		if !ok {
			continue
		}
		for _, k := range m.Keys {
			name := k.Name
			for _, d := range f.Keys {
				if d.Name == k.Name && d.Path != "" {
					name = keyName(&d)
				}
			}
			if k.Path != "" {
				continue // of a model inside, which is measured by itself
			}
			e := r.effects[name]
			for _, v := range others(k.Value, f, k.Name) {
				x, err := config.Parse(v)
				if err != nil {
					continue
				}
				changed := base.Copy()
				if !changed.Put(where(f, k.Name), x) {
					continue
				}
				to, _, ok := r.sizesOf(changed)
				if !ok {
					continue
				}
				for i := range to.roles {
					e.roles[i] = e.roles[i] || to.roles[i] != from.roles[i]
				}
				e.cache = e.cache || to.cache != from.cache
				e.work = e.work || to.work != from.work
				break
			}
			r.effects[name] = e
		}
	}
	return r.effects
}

// where is the dotted place of a family's key in a config.
func where(f familyFile, name string) string {
	for _, d := range f.Keys {
		if d.Name == name && d.Path != "" {
			return d.Path
		}
	}
	return name
}

// others are values to try in place of one: the first that the family accepts counts.
func others(value string, f familyFile, name string) []string {
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		return []string{strconv.FormatInt(2*n, 10), strconv.FormatInt(n/2, 10), strconv.FormatInt(n+1, 10), strconv.FormatInt(n-1, 10)}
	}
	switch value {
	case "true":
		return []string{"false"}
	case "false":
		return []string{"true"}
	case "null":
		for _, d := range f.Keys {
			if d.Name == name {
				switch d.Type {
				case "size", "count", "int":
					return []string{"256", "2"}
				case "bool":
					return []string{"true"}
				}
			}
		}
	}
	return nil
}
