package chart

import (
	"strings"

	"llmsize/core/model"
	"llmsize/core/units"
)

// item is one thing to draw: a matrix, a vector, a tied matrix, or a matrix
// that stands there once for each expert.
type item struct {
	name           string // "q_proj"
	role           model.Role
	across, down   model.Dim // its sides as drawn
	copies, active int64
	vector         bool // a line: across is 1
	pleats         int64
	tied           bool
	dimWidth       px // of the number on its dimension line
}

// cluster is a step of a layer: its items are packed together.
type cluster struct {
	group int
	tiles bool // one tile for each expert, holding the items
	items []item

	textWidth px // of what is written at it
}

// panel is one kind of layer, or what is before, between or behind layers.
type panel struct {
	title    string
	hidden   int64 // the side that its matrices share
	clusters []cluster
	count    int64 // layers
	layer    bool
	lines    int       // the place of the cluster of vectors, from 1; 0 for none
	look     []cluster // of a kind of layer: what is visible of it

	titleWidth px
}

// most kinds of layer that are drawn; a model that has more makes a layer of every size.
const mostPanels = 6

// mostTiles are drawn one by one; the largest model known has 512 experts in a layer.
const mostTiles = 1024

// largest side that is drawn: past it no machine is.
const largest = 1 << 44

// planOf lists what there is to draw, each kind of layer once; left is how many
// kinds and parts it leaves out. ok is false when nothing can be drawn.
func planOf(m *model.Model) (panels []panel, left int, ok bool) {
	hidden, _ := m.Value("hidden_size")
	common := shared(m, hidden)
	stacks, kinds, kind := 0, 0, 0
	for bi := range m.Blocks {
		if m.Blocks[bi].Index != "" {
			stacks++
			kinds += len(m.Blocks[bi].Kinds)
		}
	}
	for bi := range m.Blocks {
		b := &m.Blocks[bi]
		for ki := range b.Kinds {
			p := panel{layer: b.Index != "", count: b.Kinds[ki].Count, hidden: sharedOf(&b.Kinds[ki], common)}
			for pi := range b.Kinds[ki].Parts {
				part := &b.Kinds[ki].Parts[pi]
				for ti := range part.Tensors {
					if !p.add(&part.Tensors[ti]) {
						return nil, 0, false
					}
				}
			}
			if p.layer {
				kind++
			}
			if !p.matrices() {
				continue
			}
			if p.layer {
				p.settle()
				left += p.trimItems()
				p.look = visible(p.clusters)
				p.title = titleOf(b, ki, stacks > 1)
				if kinds > 1 {
					p.title = kindLetter(kind-1) + ": " + p.title
				}
			}
			panels = join(panels, &p)
		}
	}
	for i := range panels {
		if !panels[i].layer {
			panels[i].settle()
			left += panels[i].trim()
		}
	}
	out := panels[:0]
	layers := 0
	for i := range panels {
		if panels[i].layer {
			if layers++; layers > mostPanels {
				left++
				continue
			}
		}
		out = append(out, panels[i])
	}
	return out, left, len(out) > 0
}

// matrices reports whether there is anything but lines.
func (p *panel) matrices() bool {
	for _, c := range p.clusters {
		if c.group != -1 {
			return true
		}
	}
	return false
}

// join adds a panel: to the one before when neither is a layer, or to an earlier
// kind of layer that looks the same.
func join(panels []panel, p *panel) []panel {
	if n := len(panels); n > 0 && !p.layer && !panels[n-1].layer {
		last := &panels[n-1]
		last.clusters = append(last.clusters, p.clusters...)
		return panels
	}
	for i := range panels {
		if o := &panels[i]; o.layer && p.layer && same(o.look, p.look) {
			if len(o.title) < 1000 { // of which a line shows a tenth
				o.title += "; " + p.title
			}
			o.count += p.count
			return panels
		}
	}
	return append(panels, *p)
}

// same reports whether two kinds of layer look alike: small things apart, such
// as the table of relative positions that only the first layer has. a and b are what is visible of them.
func same(a, b []cluster) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].group != b[i].group || len(a[i].items) != len(b[i].items) {
			return false
		}
		for j := range a[i].items {
			x, y := &a[i].items[j], &b[i].items[j]
			if x.name != y.name || x.across.Size != y.across.Size || x.down.Size != y.down.Size || x.copies != y.copies || x.tied != y.tied {
				return false
			}
		}
	}
	return true
}

// mostParts are drawn of what is between layers: a convolutional tower has hundreds.
const mostParts = 16

// trim keeps the largest parts, in their order, and returns how many it left out.
func (p *panel) trim() int {
	keep := largestOf(len(p.clusters), mostParts, func(i int) float64 { return p.clusters[i].area() })
	out := p.clusters[:0]
	for i := range p.clusters {
		if keep[i] {
			out = append(out, p.clusters[i])
		}
	}
	left := len(p.clusters) - len(out)
	p.clusters = out
	return left
}

// mostItems are drawn of one part of a layer; real ones have some twenty.
const mostItems = 100

// trimItems keeps the largest items of each part of a layer.
func (p *panel) trimItems() (left int) {
	for ci := range p.clusters {
		items := p.clusters[ci].items
		keep := largestOf(len(items), mostItems, func(i int) float64 { return items[i].area() })
		out := items[:0]
		for i := range items {
			if keep[i] {
				out = put(out, &items[i])
			}
		}
		left += len(items) - len(out)
		p.clusters[ci].items = out
	}
	return left
}

// largestOf tells which of n things are the most largest; of equal ones the last are.
func largestOf(n, most int, area func(i int) float64) []bool {
	keep := make([]bool, n)
	if n <= most {
		for i := range keep {
			keep[i] = true
		}
		return keep
	}
	areas := make([]float64, n)
	for i := range areas {
		areas[i] = area(i)
	}
	for range most {
		best := -1
		for i, a := range areas {
			if !keep[i] && (best < 0 || a >= areas[best]) {
				best = i
			}
		}
		keep[best] = true
	}
	return keep
}

func (c *cluster) area() float64 {
	sum := float64(0)
	for i := range c.items {
		sum += c.items[i].area()
	}
	return sum
}

// visible leaves out what is less than a five-hundredth of its layer.
func visible(all []cluster) []cluster {
	total := float64(0)
	for i := range all {
		total += all[i].area()
	}
	var out []cluster
	for _, c := range all {
		kept := cluster{group: c.group}
		for i := range c.items {
			if it := &c.items[i]; float64(it.area()*500) >= total {
				kept.items = put(kept.items, it)
			}
		}
		if len(kept.items) > 0 {
			out = append(out, kept)
		}
	}
	return out
}

func (it *item) area() float64 {
	return float64(it.across.Size) * float64(it.down.Size) * float64(it.copies)
}

// kindLetter is how a kind of layer is called in the strip and over its drawing.
func kindLetter(i int) string { return string(rune('A' + i%26)) }

// LayersTitle says which layers a kind of layer is, and what sets it apart.
func LayersTitle(m *model.Model, block, kind int) string {
	stacks := 0
	for i := range m.Blocks {
		if m.Blocks[i].Index != "" {
			stacks++
		}
	}
	return titleOf(&m.Blocks[block], kind, stacks > 1)
}

// titleOf names a kind of layer: "layers 0–2, dense".
func titleOf(b *model.Block, kind int, stacks bool) string {
	s := "layer "
	if b.Kinds[kind].Count > 1 {
		s = "layers "
	}
	if stacks && b.Title != "layers" {
		s = b.Title + ", " + s
	}
	spans := b.Spans(kind)
	for i, x := range spans {
		if i == 3 && len(spans) > 4 {
			s += " … (" + units.Itoa(b.Kinds[kind].Count) + ")"
			break
		}
		if i > 0 {
			s += ", "
		}
		s += units.Itoa(x.From)
		if x.To > x.From {
			s += "–" + units.Itoa(x.To)
		}
	}
	if l := KindName(b.Kinds[kind].Label); l != "" && !(len(l) > 3 && l[:3] == "no ") {
		s += ", " + l
	}
	return s
}

// groups of roles that are packed together inside a layer.
func groupOf(r model.Role) int {
	switch r {
	case model.Attention, model.Position:
		return 1
	case model.State:
		return 2
	case model.FFN, model.Router:
		return 3
	case model.Expert:
		return 4
	case model.Embedding:
		return 5
	case model.Head:
		return 6
	}
	return 7
}

// add puts a tensor where it belongs. It reports false when its sides are too large to draw.
func (p *panel) add(t *model.Tensor) bool {
	it := item{name: short(t.Name), role: t.Role, copies: t.Copies, active: t.Copies, tied: t.TiedTo != ""}
	dims := t.Dims
	if t.ActiveOf > 1 {
		it.active = t.Copies * t.Active / t.ActiveOf
		if t.Role == model.Expert && len(dims) > 2 && dims[0].Size == t.ActiveOf && t.Copies == 1 { // all experts in one tensor
			it.copies, it.active = t.ActiveOf, t.Active
			dims = dims[1:]
		}
	}
	for _, d := range dims {
		if d.Size == 0 {
			return true // nothing is in it
		}
		if d.Size > largest {
			return false
		}
	}
	if it.tied && t.Role == model.Embedding {
		return true // an encoder's and a decoder's are the one that is drawn
	}
	switch {
	case len(dims) < 2:
		if t.Role != model.Norm {
			return true // biases and single numbers are in the table
		}
		it.vector = true
		it.across, it.down = model.Dim{Size: 1}, model.Dim{Size: 1}
		if len(dims) == 1 {
			it.down = dims[0]
		}
	default:
		a, b, ok := flatten(dims)
		if !ok {
			return false
		}
		// The hidden size stands upright everywhere, else the shorter side does.
		up := a.Size == p.hidden && b.Size != p.hidden || a.Size < b.Size && b.Size != p.hidden
		if up {
			a, b = b, a
		}
		it.across, it.down = a, b
		if !p.layer || it.across.Size > 10*max(it.down.Size, p.hidden) {
			it.pleats = pleatsOf(it.across.Size, it.down.Size)
		}
	}
	if it.copies > mostTiles { // more than anyone could see: as one, side by side
		if it.across.Size > largest/it.copies {
			return false
		}
		it.across = model.Dim{Size: it.across.Size * it.copies}
		it.copies, it.active = 1, 1
		it.pleats = pleatsOf(it.across.Size, it.down.Size)
	}
	group := groupOf(t.Role)
	if !p.layer {
		group = 10 + len(p.clusters)
	}
	if it.vector {
		group = -1
	}
	if it.vector {
		if p.lines == 0 {
			p.clusters = append(p.clusters, cluster{group: group})
			p.lines = len(p.clusters)
		}
		c := &p.clusters[p.lines-1]
		c.items = put(c.items, &it)
		return true
	}
	for i := range p.clusters {
		if !p.layer {
			break // each is a part of its own
		}
		if c := &p.clusters[i]; c.group == group && c.tiles == (it.copies > 1) && (!c.tiles || c.items[0].copies == it.copies) {
			c.items = put(c.items, &it)
			return true
		}
	}
	p.clusters = append(p.clusters, cluster{group: group, tiles: it.copies > 1, items: []item{it}})
	return true
}

// flatten makes two sides of several: of all ways to cut the list in two, the one
// whose sides are nearest to each other. A kernel's sides go with its input, the
// two coordinates of a position table with its rows.
func flatten(dims []model.Dim) (a, b model.Dim, ok bool) {
	best := int64(0)
	for cut := 1; cut < len(dims); cut++ {
		x, ok1 := product(dims[:cut])
		y, ok2 := product(dims[cut:])
		if !ok1 || !ok2 {
			return a, b, false
		}
		if gap := max(x.Size, y.Size) / max(min(x.Size, y.Size), 1); best == 0 || gap < best {
			best, a, b = max(gap, 1), x, y
		}
	}
	return a, b, true
}

// product joins sides into one.
func product(dims []model.Dim) (model.Dim, bool) {
	d := dims[0]
	for _, x := range dims[1:] {
		if x.Size > 0 && d.Size > largest/x.Size {
			return d, false
		}
		d.Size *= x.Size
		switch {
		case x.Size <= 1:
		case d.Expr == "" || x.Expr == "":
			d.Expr = "" // letters, of which each side has some or the product has none
		default:
			d.Expr += "·" + x.Expr
		}
	}
	return d, true
}

// pleatsOf is how many folds hide the rest of a matrix that is much longer than
// high: what is seen of it is a square, and a pleat for each square more.
func pleatsOf(long, side int64) int64 {
	if side == 0 || long < 3*side {
		return 0
	}
	return (long+side-1)/side - 1
}

// settle puts vectors beside the first matrices, and the tall items of a cluster before the flat ones.
func (p *panel) settle() {
	var lines []item
	out := p.clusters[:0]
	for _, c := range p.clusters {
		if c.group == -1 {
			lines = append(lines, c.items...)
			continue
		}
		out = append(out, c)
	}
	p.clusters = out
	if len(lines) > 0 && len(out) == 0 {
		p.clusters = append(p.clusters, cluster{group: 7, items: lines})
		lines = nil
	}
	if len(lines) > 0 {
		c := &p.clusters[0]
		if c.tiles {
			p.clusters = append([]cluster{{group: 7, items: lines}}, p.clusters...)
		} else {
			c.items = append(lines, c.items...)
		}
	}
	for i := range p.clusters {
		p.clusters[i].items = tallFirst(p.clusters[i].items)
	}
}

// put is append: an item is large to hand over, and to write down in each place that adds one.
func put(list []item, it *item) []item { return append(list, *it) }

// tallFirst sorts items by height, equal ones in their order: two halves, merged.
func tallFirst(items []item) []item {
	if len(items) < 2 {
		return items
	}
	half := len(items) / 2
	a, b := tallFirst(items[:half]), tallFirst(items[half:])
	out := make([]item, 0, len(items))
	for len(a) > 0 && len(b) > 0 {
		if b[0].down.Size > a[0].down.Size {
			out, b = put(out, &b[0]), b[1:]
		} else {
			out, a = put(out, &a[0]), a[1:]
		}
	}
	return append(append(out, a...), b...)
}

// short is a tensor's own name: the last word before ".weight", without indices. A tensor that torch works out anew has its module's.
func short(name string) string {
	name, _, _ = strings.Cut(name, ".parametrizations.")
	end := len(name)
	if end > 7 && name[end-7:] == ".weight" {
		end -= 7
	}
	for {
		start := end
		for start > 0 && name[start-1] != '.' {
			start--
		}
		if s := name[start:end]; s != "" && s[0] != '{' && (s[0] < '0' || s[0] > '9') || start == 0 {
			return s
		}
		end = start - 1
	}
}

// shared is the side that most of the model's parameters have.
func shared(m *model.Model, prefer int64) int64 {
	var t tally
	m.Each(func(_ *model.Block, _ *model.Kind, _ *model.Part, x *model.Tensor, layers int64) {
		t.tensor(x, layers)
	})
	return t.best(prefer)
}

func sharedOf(k *model.Kind, prefer int64) int64 {
	var t tally
	for pi := range k.Parts {
		for ti := range k.Parts[pi].Tensors {
			t.tensor(&k.Parts[pi].Tensors[ti], 1)
		}
	}
	return t.best(prefer)
}

// tally adds up, for each side, the parameters of the matrices that have it.
type tally struct {
	sizes  []int64
	params []uint64
	at     map[int64]int // by size
}

func (t *tally) tensor(x *model.Tensor, layers int64) {
	if len(x.Dims) < 2 {
		return
	}
	for i, d := range x.Dims {
		if i > 0 && d.Size == x.Dims[i-1].Size {
			continue // a square counts once
		}
		t.add(d.Size, uint64(x.Params(layers)))
	}
}

func (t *tally) add(size int64, n uint64) {
	if i, ok := t.at[size]; ok {
		t.params[i] += n
		return
	}
	if t.at == nil {
		t.at = map[int64]int{}
	}
	t.at[size] = len(t.sizes)
	t.sizes, t.params = append(t.sizes, size), append(t.params, n)
}

// best is the side with the most; among equals the preferred one, which an eighth more does not outdo, then the smaller.
func (t *tally) best(prefer int64) int64 {
	best, most := prefer, uint64(0)
	for i, s := range t.sizes {
		n := t.params[i]
		if s == prefer {
			n += n / 8
		}
		if n > most || n == most && best != prefer && (s == prefer || s < best) {
			best, most = s, n
		}
	}
	return best
}
