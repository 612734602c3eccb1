package report

import (
	"llmsize/core/compute"
	"llmsize/core/fault"
	"llmsize/core/jsonout"
	"llmsize/core/model"
	"llmsize/core/query"
	"llmsize/core/units"
)

// UnitWork is what one picture, or one sound, takes.
type UnitWork struct {
	Work
	compute.Unit
	Millis      int64       // of a sound
	Activations units.Bytes // what all products of a pass give out, in 16 bits
	Unknown     string      // the part of which nothing says how many tokens pass through it; FLOPs and activations are then 0
}

// units counts a picture and a sound. What a question asks of a model that has no part for it is
// named in the warnings.
func (r *Report) units() {
	for _, sound := range []bool{false, true} {
		asked, word := r.Query.Has(query.Image), "picture"
		if sound {
			asked, word = r.Query.Has(query.Sound), "sound"
		}
		key := query.About([...]query.Param{query.Image, query.Sound}[of(sound)]).Name
		width, height := r.Query.Picture()
		u, ok := compute.UnitOf(r.Model, sound, height, width)
		if !ok {
			if asked {
				r.Warnings = append(r.Warnings, fault.Warning{Field: key, Text: "is not used: nothing in this model's family says what a " + word + " takes"})
			}
			continue
		}
		if u.Given == 0 && handsOn(r.Model, sound) {
			if asked {
				r.Warnings = append(r.Warnings, fault.Warning{Field: key, Text: "is not used: the rule by which this model cuts a " + word + " is not known"})
			}
			continue
		}
		if !reads(r.Model) {
			u.Given = 0
		}
		terms, total, outputs, unknown := compute.Seen(r.Model, u)
		if unknown != "" && asked {
			used := "is not used: "
			if u.Given > 0 {
				used = "gives tokens and no FLOPs: "
			}
			r.Warnings = append(r.Warnings, fault.Warning{Field: key, Text: used + "nothing says how many tokens of a " + word + " pass through " + unknown})
		}
		if unknown != "" && u.Given == 0 {
			continue
		}
		w := &UnitWork{Work: Work{FLOPs: units.FLOPs(total), Terms: terms}, Unit: u, Activations: units.Bytes(2 * outputs), Unknown: unknown}
		if sound {
			w.Millis = r.heard()
			r.Compute.Audio = w
		} else {
			r.Compute.Image = w
		}
	}
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
func handsOn(m *model.Model, sound bool) bool {
	return reads(m) && anyPart(m, func(p *model.Part) bool {
		return p.Role == model.Projector && p.Stream != "" && p.Stream != "pooled" && p.Stream != "encoder" && (p.Stream == "audio" || p.Stream == "speech") == sound
	})
}

func of(b bool) int {
	if b {
		return 1
	}
	return 0
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
	if w.Sound {
		t = t.Set("milliseconds", number(w.Millis))
	} else {
		t = t.Set("width", number(w.Width)).Set("height", number(w.Height)).Set("views", number(w.Views))
	}
	if w.Unknown != "" {
		return t
	}
	return t.Set("activations", object("bytes", number(int64(w.Activations))))
}
