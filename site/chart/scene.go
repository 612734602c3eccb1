package chart

import (
	"llmsize/core/model"
	"llmsize/core/units"
)

// Scene is a drawing as plain shapes, for a host that paints pixels instead of
// writing SVG. It is the plan of [Draw] and its scale, laid out for one sheet.
// All lengths are hundredths of a pixel.
type Scene struct {
	Width, Height int64 // of what is drawn, at most the sheet's
	Shapes        []Shape
	Labels        []Label
	Marks         []Mark
	Left          int // kinds of layer and parts that there was no room for
}

// Shape is one matrix, or one expert's tile.
type Shape struct {
	X, Y, W, H int64
	Role       model.Role
	Name       string // "q_proj"; empty on tiles
	Size       string // its sides, "4,096 × 14,336"
	Vector     bool   // a line: a norm's weight
	Tied       bool   // not stored: it is another matrix
	Idle       bool   // an expert that does not work on a token
	Pleats     int64  // folds beside it that hide the rest of a long matrix
	Pitch      int64  // how far the folds stand apart
}

// Label is a text at its baseline.
type Label struct {
	X, Y  int64
	Title bool // of a kind of layer
	Text  string
}

// Mark is a dimension line: across when H is 0, down when W is 0.
type Mark struct {
	X, Y, W, H int64
	Text       string // "4,096"
}

// SceneOf lays a model out on a sheet of width × height pixels. Where not all of it
// can be seen there, the parts with the fewest parameters are left out, the main
// kind of layer last. The answer is empty for a model that has nothing to draw.
func SceneOf(m *model.Model, width, height int64) Scene {
	panels, left, ok := planOf(m)
	if !ok {
		return Scene{}
	}
	w, h := width*100, height*100
	s := sheetOf(panels, w, h)
	for len(panels) > 1 && !s.clear(panels, h) {
		panels = dropLeast(panels)
		left++
		s = sheetOf(panels, w, h)
	}
	return s.scene(left)
}

func sheetOf(panels []panel, width, height px) sheet {
	measure(panels)
	return layOutIn(panels, width, height, false)
}

// clear reports whether the widest hidden size takes a fair part of the sheet.
func (s *sheet) clear(panels []panel, height px) bool {
	widest := int64(0)
	for i := range panels {
		widest = max(widest, panels[i].hidden)
	}
	return s.scale.of(widest)*5 >= height
}

// dropLeast leaves out the panel with the fewest parameters, but never the largest kind of layer.
func dropLeast(panels []panel) []panel {
	main, most := -1, float64(0)
	for i := range panels {
		if n := panels[i].area(); panels[i].layer && n > most {
			main, most = i, n
		}
	}
	least := -1
	for i := range panels {
		if i != main && (least < 0 || panels[i].area() < panels[least].area()) {
			least = i
		}
	}
	out := make([]panel, 0, len(panels)-1)
	return append(append(out, panels[:least]...), panels[least+1:]...)
}

// area is a panel's share of the model: what is drawn once, as often as it is there. What is tied
// to a matrix elsewhere is none.
func (p *panel) area() float64 {
	n := float64(0)
	for _, c := range p.clusters {
		for i := range c.items {
			if !c.items[i].tied {
				n += c.items[i].area()
			}
		}
	}
	return n * float64(max(p.count, 1))
}

// scene turns a sheet's places into shapes.
func (s *sheet) scene(left int) Scene {
	out := Scene{Width: s.width, Height: s.height, Left: left}
	for i := range s.tiles {
		g := &s.tiles[i]
		for n := int64(0); n < g.n; n++ {
			x, y := g.at(n)
			out.Shapes = append(out.Shapes, Shape{X: x, Y: y, W: g.w, H: g.h, Role: g.cluster.items[0].role, Idle: n >= g.active})
		}
	}
	for i := range s.boxes {
		b := &s.boxes[i]
		it := b.item
		front := b.w
		if it.pleats > 0 {
			front = b.h
		}
		shape := Shape{X: b.x, Y: b.y, W: front, H: b.h, Role: it.role, Name: it.name, Size: sides(it), Vector: it.vector, Tied: it.tied}
		if it.pleats > 0 && !it.tied {
			shape.Pleats, shape.Pitch = min(it.pleats, mostPleats), pleatPitch(it.pleats)
		}
		out.Shapes = append(out.Shapes, shape)
	}
	for _, t := range s.titles {
		out.Labels = append(out.Labels, Label{X: t.x, Y: t.y, Title: t.class == "title", Text: t.text})
	}
	for i := range s.marks {
		m := &s.marks[i]
		d := m.item.across
		if m.w == 0 {
			d = m.item.down
		}
		out.Marks = append(out.Marks, Mark{X: m.x, Y: m.y, W: m.w, H: m.h, Text: units.Group(d.Size)})
	}
	return out
}
