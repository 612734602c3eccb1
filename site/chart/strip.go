package chart

import (
	"llmsize/core/model"
	"llmsize/core/units"
	"llmsize/site/markup"
)

const stripHeight px = 26_00

// run is a stretch of equal layers, or one thing that isn't a layer.
type run struct {
	byRole [model.NumRoles]int64
	each   int64 // parameters of one layer
	layers int64
	kind   int
	layer  bool
}

// stripOf draws the whole model from input to output. A layer is as wide as its
// share of the parameters and is split by role from top to bottom, so that area
// is parameter count here too. It returns the drawing and its height.
func stripOf(m *model.Model, width px) (string, px) {
	runs, total, kinds := runsOf(m)
	if total == 0 {
		return "", 0
	}
	var w markup.Writer
	var paths [model.NumRoles]markup.Writer
	var cuts, places markup.Writer
	letters := ""
	sum := int64(0)
	at := func(n int64) px { return mulDiv(n, width, total) }
	for i := range runs {
		r := &runs[i]
		x0, x1 := at(sum), at(sum+r.each*r.layers)
		part, y := int64(0), px(0)
		for role, n := range r.byRole {
			if n == 0 {
				continue
			}
			part += n
			next := mulDiv(part, stripHeight, r.each)
			paths[role].Lengths("M@ @h@v@h-@z", x0, y, x1-x0, next-y, x1-x0)
			y = next
		}
		one := (x1 - x0) / max(r.layers, 1)
		if r.layer && one >= 1_50 {
			for l := int64(1); l < r.layers; l++ {
				cuts.Lengths("M@ 0v@", at(sum+r.each*l), stripHeight)
			}
		}
		if i > 0 {
			cuts.Lengths("M@ 0v@", x0, stripHeight)
		}
		if r.layer && kinds > 1 && one >= 8_00 {
			for l := int64(0); l < r.layers; l++ {
				if letters != "" {
					places.Raw(" ")
				}
				places.Px(at(sum+r.each*l) + one/2)
				letters += kindLetter(r.kind)
			}
		}
		sum += r.each * r.layers
	}
	w.Raw(`<g class="strip">`)
	for role := range paths {
		if paths[role].Len() > 0 {
			w.Raw(`<path class="`).Text(RoleClass(model.Role(role))).Raw(`" d="`).Add(paths[role].Markup()).Raw(`"><title>`).Text(RoleName(model.Role(role))).Raw(`</title></path>`)
		}
	}
	w.Raw(`<path class="cuts" d="`).Add(cuts.Markup()).Raw(`"/>`).Lengths(`<path class="frame" d="M0 0h@v@h-@z"/>`, width, stripHeight, width)
	height := stripHeight + 14_00
	if letters != "" { // one text whose letters each have their place
		w.Raw(`<text class="dim mid" x="`).Add(places.Markup()).Lengths(`" y="@">`, stripHeight+11_00).Add(markup.Markup(letters)).Raw(`</text>`)
		height += 13_00
	}
	w.Lengths(`<text x="0" y="@">`, height-2_00).Text(fit(caption(runs, width), width)).Raw(`</text></g>`)
	return w.String(), height
}

// caption says how to read the strip.
func caption(runs []run, width px) string {
	layers := int64(0)
	for i := range runs {
		if runs[i].layer {
			layers += runs[i].layers
		}
	}
	s, narrow := units.Group(layers)+" layers", width < 600_00
	if layers == 1 {
		s = "one layer"
	} else if !narrow {
		s += ", each as wide as its share"
	}
	if narrow {
		return "Input to output, to scale: " + s
	}
	return "The whole model, input to output: " + s
}

// runsOf lists the model in order.
func runsOf(m *model.Model) (runs []run, total int64, kinds int) {
	for bi := range m.Blocks {
		b := &m.Blocks[bi]
		all := make([]run, len(b.Kinds))
		for ki := range b.Kinds {
			r := &all[ki]
			r.kind = kinds + ki
			r.layer = b.Index != ""
			r.layers = 1
			for pi := range b.Kinds[ki].Parts {
				for ti := range b.Kinds[ki].Parts[pi].Tensors {
					t := &b.Kinds[ki].Parts[pi].Tensors[ti]
					if t.TiedTo != "" || t.Buffer {
						continue
					}
					r.byRole[t.Role] += t.Elements * t.Copies
					r.each += t.Elements * t.Copies
				}
			}
			total += r.each * b.Kinds[ki].Count
		}
		if b.Index == "" {
			for _, r := range all {
				if r.each > 0 {
					runs = append(runs, r)
				}
			}
			continue
		}
		kinds += len(b.Kinds)
		for _, k := range b.Pattern {
			if n := len(runs); n > 0 && runs[n-1].layer && runs[n-1].kind == all[k].kind {
				runs[n-1].layers++
			} else if all[k].each > 0 {
				runs = append(runs, all[k])
			}
		}
	}
	return runs, total, kinds
}
