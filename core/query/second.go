package query

import "llmsize/core/config"

// Second is the other side of a comparison. ok is false when the query asks for
// none.
//
// The second side asks what the first asks, except for what the link says of it:
//
//	vs=SLUG        another model, as it is: the first's set.KEY are not about it.
//	               The first's own slug stands for the model without overrides
//	vs.KEY=VALUE   another value of a parameter: vs.context=32768
//	vs.set.KEY=…   another value of a config key
//	#vs.config=…   another config, pasted (VsPasted); it stands for vs=SLUG
//
// So vs=gpt2 compares two models under one use, and vs.context=32768 one model
// under two. A vs.KEY stays in the canonical form where both sides happen to say
// the same: it holds its side while the other is edited. Model, units and what is
// asked about a comparison have no vs.KEY.
func (q *Query) Second() (second Query, ok bool) {
	if !q.another() && len(q.Vs) == 0 {
		return second, false
	}
	second = *q
	second.Vs, second.VsPasted = nil, false
	second.Clear(Versus)
	second.Clear(Mine)
	if q.another() {
		second.Set = nil
		second.Clear(Model)
		if other := q.own(Versus); !q.VsPasted && other != params[Model].Default {
			second.put(Model, other)
		}
	}
	for _, s := range q.Vs {
		second.PutKey(s.Key, s.Value) // was accepted before
	}
	return second, true
}

// another reports whether the second side is about another config than the first.
func (q *Query) another() bool { return q.VsPasted || q.Has(Versus) }

// Alone is the first side without the second.
func (q *Query) Alone() Query {
	out := *q
	out.Vs, out.VsPasted = nil, false
	out.Clear(Versus)
	return out
}

// Swapped is the same comparison with its sides exchanged; ok is false when there
// is none. base is the config of the first side without overrides, pasted whether
// it is of no catalogue: then it is the second side's pasted config (VsPasted), and
// whoever holds the configs exchanges them.
func (q *Query) Swapped(base config.Value, pasted bool) (out Query, ok bool) {
	out, ok = q.Second()
	if !ok {
		return out, false
	}
	other := q.another()
	out.put(Mine, q.own(Mine))
	if other {
		if out.VsPasted = pasted; !pasted {
			out.put(Versus, q.Get(Model))
		}
		for _, s := range q.Set {
			out.Vs = with(out.Vs, Setting{"set." + s.Key, s.Value})
		}
	}
	for _, s := range q.Vs {
		p, isParam := ParamNamed(s.Key)
		switch {
		case isParam:
			out.Vs = with(out.Vs, Setting{s.Key, q.Get(p)})
		case !other:
			key := s.Key[4:]
			own := says(base, key)
			if s.Value == own {
				out.Unset(key)
			}
			for _, mine := range q.Set {
				if mine.Key == key {
					own = mine.Value
				}
			}
			out.Vs = with(out.Vs, Setting{s.Key, own})
		}
	}
	return out, true
}

// says is what a config says under a dotted path; null where it says nothing.
func says(v config.Value, path string) string {
	for from, i := 0, 0; i <= len(path); i++ {
		if i == len(path) || path[i] == '.' {
			v = *v.Get(path[from:i])
			from = i + 1
		}
	}
	if v.Kind == config.Absent {
		return "null"
	}
	return v.JSON()
}
