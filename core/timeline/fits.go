package timeline

import (
	"llmsize/core/jsonout"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
)

// Change is another way to run a step: keys that are set otherwise, what the step then peaks at, and what it costs.
type Change struct {
	Keys  []query.PresetKey
	Costs string // in words: "a third more forward work"
	Peak  int64
	Fits  bool // with the likely share of the runtime on top
	Query query.Query
}

// Set spells the keys as the command does: "recompute=full zero=3".
func (c *Change) Set() string { return c.spelled(" ") }

// Pairs are the keys, each before its value.
func (c *Change) Pairs() (out []string) {
	for _, k := range c.Keys {
		out = append(out, query.About(k.Param).Name, k.Value)
	}
	return out
}

// Apply spells them as a link does: "recompute=full&zero=3".
func (c *Change) Apply() string { return c.spelled("&") }

func (c *Change) spelled(between string) string {
	s := ""
	for i, k := range c.Keys {
		if i > 0 {
			s += between
		}
		s += query.About(k.Param).Name + "=" + k.Value
	}
	return s
}

// ways are the changes that are tried, the least cost first: those that repeat no work, those that move data, those
// that repeat work, those that change what is trained.
var ways = []struct {
	param query.Param
	value string
	costs string
}{
	{query.OptimizerKernel, "fused", "nothing"},
	{query.Outputs, "freed", "nothing"},
	{query.Loss, "chunked", "nothing to speak of"},
	{query.Loss, "fused", "a loss kernel that replaces the model's own"},
	{query.Zero, "1", "nothing to speak of: states are shared"},
	{query.Zero, "2", "nothing to speak of: gradients are shared, too"},
	{query.Zero, "3", "half as much traffic again: weights are gathered twice"},
	{query.MicroBatch, "", "more, smaller passes for the same batch"},
	{query.Recompute, "ops", "about a sixth more work: every second product of a layer runs twice"},
	{query.Recompute, "full", "a third more work: each layer's forward pass runs twice"},
	{query.Recompute, "host", "the same, and each layer's input goes to the host and comes back"},
	{query.Offload, "optimizer", "the host makes the optimizer's step: gradients and weights travel each step"},
	{query.Optimizer, "adafactor", "another optimizer: its second moment is kept by rows and columns"},
	{query.Precision, "bf16", "no fp32 copy of the weights: small updates are lost"},
	{query.Weights, "nf4", "the frozen model is held in 4 bits, and made anew for each product"},
	{query.LoRARank, "16", "adapters are trained instead of the model"},
}

// frozen are the changes that train adapters, of which the second needs the first.
var frozen = []query.PresetKey{{Param: query.LoRARank, Value: "16"}, {Param: query.Weights, Value: "nf4"}}

// Changes lists what one change makes of a step's peak, and, where none of them fits the device, as few of them as do
// together, of those that train the whole model and of those that train adapters. Only changes that lower the peak are named; room is the device's memory. There
// are none where one answer's work isn't enough for all of them.
func Changes(r *report.Report, room int64) []Change {
	r = apart(r)
	now, err := Training(r, false)
	if err != nil {
		return nil
	}
	var out []Change
	_, peak := now.Fullest()
	fits, adapted := false, r.Query.Has(query.LoRARank)
	ranks := r.Training.Question.Layout.DP
	var steps []query.PresetKey
	for _, w := range ways {
		value := w.value
		switch w.param {
		case query.MicroBatch:
			n := r.Query.Int(query.MicroBatch)
			if n < 2 {
				continue
			}
			value = units.Itoa(n / 2)
		case query.Zero:
			if ranks < 2 || r.Query.Int(query.TP) > 1 && w.value == "3" {
				continue
			}
		case query.LoRARank, query.Weights:
			if adapted == (w.param == query.LoRARank) {
				continue
			}
		}
		k := query.PresetKey{Param: w.param, Value: value}
		c, ok := try(r, []query.PresetKey{k}, room)
		if ok && c.Peak <= peak && w.param != query.LoRARank && w.param != query.Weights { // one may lower what another leaves
			steps = put(steps, k)
		}
		if !ok || c.Peak >= peak {
			continue
		}
		c.Costs = w.costs
		out = append(out, c)
		fits = fits || c.Fits
	}
	for with := 0; with <= len(frozen) && !fits; with++ {
		if r.Model.Work.Err() != nil {
			return nil
		}
		r = apart(r)
		list := append(append([]query.PresetKey{}, frozen[:with]...), steps...)
		if adapted {
			list, with = append(frozen[1:2:2], steps...), len(frozen)
		}
		for n := max(with, 1) + 1; n <= len(list); n++ {
			if c, ok := try(r, list[:n], room); ok && c.Fits {
				c = fewest(r, c, room)
				c.Costs = "what they cost together"
				out, fits = append(out, c), with > 0
				break
			}
		}
	}
	if r.Model.Work.Err() != nil {
		return nil
	}
	return out
}

// apart is a report whose further questions take steps of their own: what lays out many steps leaves to others what the answer had left.
func apart(r *report.Report) *report.Report {
	x, m := *r, *r.Model
	m.Work = m.Work.Anew()
	x.Model = &m
	return &x
}

// fewest leaves out of several changes what is not needed, the last first, whose cost is the highest, and takes the least
// recomputation.
func fewest(r *report.Report, c Change, room int64) Change {
	for _, name := range [...]string{"full", "ops"} {
		for i := range c.Keys {
			if c.Keys[i].Param != query.Recompute {
				continue
			}
			keys := append([]query.PresetKey{}, c.Keys...)
			keys[i].Value = name
			if less, ok := try(r, keys, room); ok && less.Fits {
				c = less
			}
		}
	}
	for i := len(c.Keys) - 1; i >= 0; i-- {
		keys := append(append([]query.PresetKey{}, c.Keys[:i]...), c.Keys[i+1:]...)
		if less, ok := try(r, keys, room); ok && less.Fits {
			c = less
		}
	}
	return c
}

// put adds a key to a list; a later value of the same key takes the place of the one before.
func put(list []query.PresetKey, k query.PresetKey) []query.PresetKey {
	for i := range list {
		if list[i].Param == k.Param {
			return append(append(append([]query.PresetKey{}, list[:i]...), list[i+1:]...), k)
		}
	}
	return append(list, k)
}

// try asks the question again with keys set otherwise.
func try(r *report.Report, keys []query.PresetKey, room int64) (c Change, ok bool) {
	q := r.Query
	for _, k := range keys {
		if q.Get(k.Param) == k.Value {
			if len(keys) == 1 {
				return c, false
			}
			continue
		}
		if err := q.Put(k.Param, k.Value); err != nil {
			return c, false
		}
	}
	again, err := r.AgainWithin(q, r.Subject.Device)
	if err != nil || again.Training.Fault != nil {
		return c, false
	}
	x, err := Training(again, false)
	if err != nil {
		return c, false
	}
	_, peak := x.Fullest()
	_, likely, _ := Device(again, x)
	return Change{Keys: keys, Peak: peak, Fits: room > 0 && likely <= room, Query: q}, true
}

// changesTree is the changes as JSON.
func changesTree(list []Change) jsonout.Value {
	out := jsonout.List()
	for i := range list {
		c := &list[i]
		out = out.Append(object().Set("set", jsonout.Text(c.Set())).Set("peak", number(c.Peak)).Set("fits", jsonout.Bool(c.Fits)).
			Set("costs", jsonout.Text(c.Costs)).Set("query", jsonout.Text(c.Query.String())))
	}
	return out
}
