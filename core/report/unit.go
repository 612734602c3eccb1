package report

import (
	"llmsize/core/compute"
	"llmsize/core/fault"
	"llmsize/core/jsonout"
	"llmsize/core/model"
	"llmsize/core/query"
	"llmsize/core/units"
)

// UnitWork is what one picture, one sound or one window of a series takes.
type UnitWork struct {
	Work
	compute.Unit
	Millis      int64       // of a sound
	Activations units.Bytes // what all products of a pass give out, in 16 bits
	Unknown     string      // the part of which nothing says how many tokens pass through it; FLOPs and activations are then 0
}

// unitKinds are the kinds of units, with the key that asks for one of some size, if there is one.
var unitKinds = [...]struct {
	kind compute.Kind
	word string
	key  query.Param
	ask  bool
}{{compute.Picture, "picture", query.Image, true}, {compute.Sound, "sound", query.Sound, true}, {compute.Series, "window", 0, false}}

// units counts a picture, a sound and a window of a series. What a question asks of a model that has no part for it is
// named in the warnings. It returns the part, if any, of which nothing says how many tokens pass through it, and whether
// anything takes more than can be counted.
func (r *Report) units() (unsaid string, large bool) {
	for i, k := range unitKinds {
		width, height := r.Query.Picture()
		u, ok := compute.UnitOf(r.Model, k.kind, height, width)
		why := ""
		var w *UnitWork
		switch {
		case !ok:
			why = "is not used: nothing in this model's family says what a " + k.word + " takes"
		case u.Given == 0 && handsOn(r.Model, k.kind):
			why = "is not used: the rule by which this model cuts a " + k.word + " is not known"
		default:
			if !reads(r.Model) {
				u.Given = 0
			}
			terms, total, outputs, unknown := compute.Seen(r.Model, u)
			if unknown != "" {
				why, unsaid = "is not used: ", unknown
				if u.Given > 0 {
					why = "gives tokens and no FLOPs: "
				}
				why += "nothing says how many tokens of a " + k.word + " pass through " + unknown
			}
			switch {
			case outputs >= 1<<62:
				why, large = "is not used: what a "+k.word+" takes is more than can be counted", true
			case unknown == "" || u.Given > 0:
				w = &UnitWork{Work: Work{FLOPs: units.FLOPs(total), Terms: terms}, Unit: u, Activations: units.Bytes(2 * outputs), Unknown: unknown}
			}
		}
		if why != "" && k.ask && r.Query.Has(k.key) {
			r.Warnings = append(r.Warnings, fault.Warning{Field: query.About(k.key).Name, Text: why})
		}
		if w != nil && k.kind == compute.Sound {
			w.Millis = r.heard()
		}
		*r.Compute.units()[i] = w
	}
	return unsaid, large
}

// units are the places of what one unit of each kind takes, in the order of unitKinds.
func (c *Compute) units() [3]**UnitWork {
	return [...]**UnitWork{&c.Image, &c.Audio, &c.Series}
}

// Units are what one unit of each kind takes, of those that the model is for.
func (c *Compute) Units() (list []*UnitWork) {
	for _, u := range c.units() {
		if *u != nil {
			list = append(list, *u)
		}
	}
	return list
}

// heard is the length of the sound that is counted, in milliseconds: what the family makes of the one asked for, else
// that one, else half a minute, which is what families take where nobody asks.
func (r *Report) heard() int64 {
	if ms, ok := r.Model.Value("audio_ms"); ok {
		return ms
	}
	if ms := r.Query.Millis(); ms > 0 {
		return ms
	}
	return 30000
}

// handsOn reports whether a text part reads what becomes of a picture or a sound: a projection
// stands between, on more than one token.
func handsOn(m *model.Model, kind compute.Kind) bool {
	return kind != compute.Series && reads(m) && anyPart(m, func(p *model.Part) bool {
		return p.Role == model.Projector && p.Stream != "" && p.Stream != "pooled" && p.Stream != "encoder" && (p.Stream == "audio" || p.Stream == "speech") == (kind == compute.Sound)
	})
}

// tree is the unit as JSON.
func (w *UnitWork) tree() jsonout.Value {
	t := object()
	if w.Unknown == "" {
		t = workTree(&w.Work)
	}
	if w.Given > 0 {
		t = t.Set("tokens", number(w.Given))
	}
	switch w.Kind {
	case compute.Picture:
		t = t.Set("width", number(w.Width)).Set("height", number(w.Height)).Set("views", number(w.Views))
		if w.Clip > 0 {
			t = t.Set("clip", number(w.Clip))
		}
	case compute.Sound:
		t = t.Set("milliseconds", number(w.Millis))
	case compute.Series:
		t = t.Set("length", number(w.Length)).Set("channels", number(w.Channels)).Set("views", number(w.Views))
	}
	if w.Unknown != "" {
		return t
	}
	return t.Set("activations", object("bytes", number(int64(w.Activations))))
}
