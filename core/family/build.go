package family

import (
	"llmsize/core/fault"
	"llmsize/core/formula"
	"llmsize/core/model"
	"llmsize/core/units"
)

// builder runs a family's blocks and fills in the model.
type builder struct {
	lib    *Library
	model  *model.Model
	scope  scope
	guess  bool      // the type is not known: it is read as another
	joined bool      // its config is the enclosing model's, whose class reads it
	bare   bool      // the family doesn't name this base class: its language model is without a head, as in the base classes of its kind
	known  *[]string // dotted paths of nested objects whose keys are accounted for
	depth  int       // of use and submodel
	heavy  *heavy    // the key that took most of the budget
	unread *int      // keys that nobody reads
	prefix string    // of tensor names, without the dot at its end
	home   string    // the prefix where the submodel began: the name in `tied … to NAME` counts from there
	stream string
	place  []model.Prop // stride and plus of the stream, for every part under it

	block *model.Block // the open block of layers, or nil
	kind  *model.Kind  // the open kind of layer
	part  *model.Part  // the open part
	role  model.Role   // the open part's
	force bool         // a tower's role overrides every other
	tower model.Role

	each             []model.Index // indices inside the layer
	active, activeOf int64
}

func (b *builder) warn(w fault.Warning) {
	for _, o := range b.model.Warnings {
		if o == w {
			return
		}
	}
	b.model.Warnings = append(b.model.Warnings, w)
}

// mostUnread is how many keys that nobody reads are named one by one.
const mostUnread = 50

// strange warns of a key that nobody reads, or counts it.
func (b *builder) strange(w fault.Warning) {
	if *b.unread++; *b.unread <= mostUnread {
		b.warn(w)
	}
}

// heavy is the key that makes a model large: the one that says how often the
// loop runs which took most steps, of loops in each other the inner one, unless
// the outer one takes twice as many.
type heavy struct {
	key   string
	steps int64
}

// often runs f, a loop as often as e says, and finds out what it takes.
func (b *builder) often(e *formula.Node, f func()) {
	w := b.scope.work
	key := b.scope.blame(e)
	if key == "" {
		f()
		return
	}
	before, from := w.About(key), w.Used()
	f()
	w.About(before)
	if steps := w.Used() - from; steps > 2*b.heavy.steps {
		*b.heavy = heavy{key, steps}
	}
}

// run evaluates the family's `model` block and accounts for every key.
func (b *builder) run() {
	s := &b.scope
	if s.err != nil {
		return
	}
	s.slots = make([]slot, len(s.fam.syms))
	s.slots[0] = slot{done: true, v: vStr(b.model.Kind)} // class
	main := s.fam.block("model")
	if main == nil {
		s.fail(&fault.Error{File: b.model.Type, Problem: "the family has no block named model"})
		return
	}
	if !b.guess && !b.joined {
		s.taking()
	}
	for _, name := range s.fam.checks {
		b.use(&stmt{op: sUse, name: name, file: b.model.Type})
	}
	b.stmts(main.body)
	b.beside()
	if s.err == nil {
		b.keys()
	}
}

// beside builds what published checkpoints hold beside the class, out of the model's own blocks.
func (b *builder) beside() {
	more := b.scope.fam.block("beside")
	if more == nil || b.scope.err != nil {
		return
	}
	m := b.model
	own := m.Blocks
	m.Blocks = nil
	b.stmts(more.body)
	m.Beside, m.Blocks = append(m.Beside, m.Blocks...), own
	m.Published = true
}

func (b *builder) stmts(list []*stmt) {
	n := len(b.scope.locals)
	b.inside(list)
	b.scope.locals = b.scope.locals[:n]
}

// inside is stmts whose locals stay: what is let under an `at` or a `stream`, or
// a submodel's name, holds behind it too.
func (b *builder) inside(list []*stmt) {
	for _, st := range list {
		if b.scope.err != nil || !b.scope.spend(2) {
			break
		}
		b.stmt(st)
		if e := b.scope.err; e != nil && e.File == "" && e.Field == "" && e.Line > 0 {
			e.File = st.file // an error of the language, not of the config
		}
	}
}

func (b *builder) stmt(st *stmt) {
	s := &b.scope
	switch st.op {
	case sAt:
		b.under(st.name, func() { b.inside(st.body) })
	case sStream:
		old, place := b.stream, b.place
		b.stream, b.place = b.fill(st.name), nil
		for _, e := range st.props {
			b.place = append(b.place, model.Prop{Name: e.name, Value: s.size(e.e), Expr: e.e.String()})
		}
		b.inside(st.body)
		b.stream, b.place = old, place
	case sLayers:
		b.layers(st)
	case sRepeat:
		n := s.size(st.args[0])
		if n == 0 {
			return
		}
		b.each = append(b.each, model.Index{Name: st.name, N: n})
		s.locals = append(s.locals, local{name: st.name, open: true})
		b.under(st.at, func() { b.stmts(st.body) })
		s.locals = s.locals[:len(s.locals)-1]
		b.each = b.each[:len(b.each)-1]
	case sFor:
		b.loop(st)
	case sIf:
		if s.eval(st.args[0]).truth() {
			b.stmts(st.body)
		} else {
			b.stmts(st.alt)
		}
	case sLet, sVary:
		s.locals = append(s.locals, local{name: st.name, v: s.eval(st.args[0]), bound: s.standsFor(st.args[0]), from: st.args[0], in: s.locals})
	case sValue:
		for _, v := range b.model.Values {
			if v.Name == st.name {
				return // a model around this one has said it
			}
		}
		b.model.Values = append(b.model.Values, model.Named{Name: st.name, Value: s.size(st.args[0]), Expr: s.bind(st.args[0]).String()})
	case sUse:
		b.use(st)
	case sPart:
		b.openPart(st)
	case sExperts:
		b.experts(st)
	case sTensor:
		if st.when == nil || s.eval(st.when).truth() {
			b.tensor(st)
		}
	case sRequire:
		if !s.eval(st.args[0]).truth() && s.err == nil {
			field, given := s.path+st.name, ""
			if i := s.fam.find(st.name); i >= 0 && s.fam.syms[i].key == nil { // a name that the family gives to keys of other names
				field, given = s.blameFor(&formula.Node{Op: formula.Name, Name: st.name})
			} else if i >= 0 && s.slots[i].done {
				given = fault.Clip(s.slots[i].v.json(), 60)
			}
			e := &fault.Error{Field: field, Given: given, Problem: st.title}
			if st.args[0].Op != formula.Const { // what is refused whatever is given has no value that is allowed
				e.Allowed = st.args[0].String()
			}
			s.fail(e)
		}
	case sWarn, sEstimate:
		if s.eval(st.args[0]).truth() && s.err == nil {
			b.warn(fault.Warning{Field: s.path + st.name, Text: st.title, Inexact: st.op == sEstimate})
		}
	case sSubmodel:
		b.submodel(st)
	}
}

// under runs f with a prefix added to tensor names.
func (b *builder) under(prefix string, f func()) {
	old := b.prefix
	if prefix != "" {
		b.prefix = b.name(prefix)
	}
	f()
	b.prefix = old
}

// name joins the prefix and a name with its braces filled in.
func (b *builder) name(n string) string {
	out := b.fill(n)
	switch {
	case b.prefix == "":
		return out
	case out == "":
		return b.prefix
	}
	return b.prefix + "." + out
}

// fill replaces what is in braces: a text or number in scope is written
// out, an index stays open.
func (b *builder) fill(n string) string {
	out := ""
	for i := 0; i < len(n); {
		if n[i] != '{' {
			j := i
			for j < len(n) && n[j] != '{' {
				j++
			}
			out += n[i:j]
			i = j
			continue
		}
		j := i
		for j < len(n) && n[j] != '}' {
			j++
		}
		if j == len(n) {
			b.scope.failAt("", 0, "a brace is missing in "+n)
			return n
		}
		inner := n[i+1 : j]
		if b.isOpen(inner) {
			out += n[i : j+1]
		} else if v, ok := asText(b.scope.lookup(inner, 0)); ok {
			out += v.str()
		} else {
			b.scope.failAt("", 0, "the name "+inner+" isn't a text in "+n)
		}
		i = j + 1
	}
	return out
}

func (b *builder) isOpen(name string) bool {
	l := b.scope.locals
	for i := len(l) - 1; i >= 0; i-- {
		if l[i].name == name {
			return l[i].open
		}
	}
	return false
}

// loop runs a body once for each value: a count, or a list.
func (b *builder) loop(st *stmt) {
	s := &b.scope
	v := s.eval(st.args[0])
	if v.k == kInt {
		if v.n > maxLayers {
			s.tooMany(st.args[0], v.n)
			return
		}
		v, _ = rangeOf([]val{v})
	}
	if v.k != kList {
		s.type_(st.args[0], "a list or a count", v)
		return
	}
	b.often(st.args[0], func() {
		for _, x := range v.list() {
			if s.err != nil {
				return
			}
			s.locals = append(s.locals, local{name: st.name, v: x, from: st.args[0], in: s.locals})
			b.under(st.at, func() { b.stmts(st.body) })
			s.locals = s.locals[:len(s.locals)-1]
		}
	})
}

// use runs a named block with its arguments.
func (b *builder) use(st *stmt) {
	s := &b.scope
	def := s.fam.block(st.name)
	if def == nil {
		s.failAt(st.file, st.line, "there is no block named "+st.name)
		return
	}
	if len(def.params) != len(st.args) {
		s.failAt(st.file, st.line, "the block "+st.name+" takes "+units.Itoa(int64(len(def.params)))+" arguments")
		return
	}
	if b.depth++; b.depth > 60 {
		s.failAt(st.file, st.line, "blocks use each other without end")
		return
	}
	args := make([]local, len(def.params))
	for i, p := range def.params {
		args[i] = local{name: p, v: s.eval(st.args[i]), bound: s.standsFor(st.args[i]), from: st.args[i], in: s.locals}
	}
	n := len(s.locals)
	s.locals = append(s.locals, args...)
	b.stmts(def.body)
	s.locals = s.locals[:n]
	b.depth--
}

// layers evaluates the leading `vary` lines for every layer, and the rest of the
// body once for each distinct outcome: each kind of layer is made once.
func (b *builder) layers(st *stmt) {
	s := &b.scope
	if b.block != nil {
		s.failAt(st.file, st.line, "layers inside layers: use repeat or for")
		return
	}
	n := s.size(st.args[0])
	if s.err != nil {
		return
	}
	if n > maxLayers {
		s.tooMany(st.args[0], n)
		return
	}
	b.often(st.args[0], func() { b.stack(st, n) })
}

// stack makes the kinds of n layers.
func (b *builder) stack(st *stmt, n int64) {
	s := &b.scope
	varying := 0
	for varying < len(st.body) && st.body[varying].op == sVary {
		varying++
	}
	blk := model.Block{Index: st.name, Title: st.title, Pattern: make([]uint16, n)}
	if blk.Title == "" {
		blk.Title = "layers"
	}
	var values [][]val
	base := len(s.locals)
	for i := int64(0); i < n && s.err == nil; i++ {
		s.locals = append(s.locals[:base], local{name: st.name, v: vInt(i)})
		b.stmtsOpen(st.body[:varying])
		row := make([]val, varying)
		for j := range row {
			row[j] = s.locals[base+1+j].v
		}
		for _, v := range row {
			if s.spend(1); len(values) > 0 {
				s.work.Times(int64(len(values)), v.deep())
			}
		}
		k := findRow(values, row)
		if k < 0 {
			k = len(values)
			values = append(values, row)
			blk.Kinds = append(blk.Kinds, model.Kind{})
		}
		blk.Pattern[i] = uint16(k)
		blk.Kinds[k].Count++
		if varying == 0 { // all layers are alike
			blk.Kinds[0].Count = n
			break
		}
	}
	s.locals = s.locals[:base]
	b.block = &blk
	for k := range values {
		if s.err != nil {
			break
		}
		s.spend(int64(len(values) * varying)) // what label looks through
		s.locals = append(s.locals[:base], local{name: st.name, open: true})
		for j := 0; j < varying; j++ {
			s.locals = append(s.locals, local{name: st.body[j].name, v: values[k][j], from: st.body[j].args[0], in: s.locals})
		}
		blk.Kinds[k].Label = label(st.body[:varying], values, k)
		b.kind = &blk.Kinds[k]
		b.under(st.at, func() { b.stmts(st.body[varying:]) })
	}
	s.locals = s.locals[:base]
	b.block, b.kind = nil, nil
	if n > 0 {
		b.model.Blocks = append(b.model.Blocks, blk)
	}
}

// stmtsOpen runs statements and leaves their locals in scope.
func (b *builder) stmtsOpen(list []*stmt) {
	for _, st := range list {
		b.stmt(st)
	}
}

func findRow(rows [][]val, row []val) int {
next:
	for k, r := range rows {
		for j := range r {
			if !r[j].equal(row[j]) {
				continue next
			}
		}
		return k
	}
	return -1
}

// label says what sets a kind of layer apart from the block's others.
func label(vary []*stmt, values [][]val, k int) string {
	s := ""
	for j, st := range vary {
		differs := false
		for _, row := range values {
			differs = differs || !row[j].equal(values[0][j])
		}
		if !differs {
			continue
		}
		if s != "" {
			s += ", "
		}
		switch v := values[k][j]; v.k {
		case kStr:
			s += v.str()
		case kBool:
			if v.n == 0 {
				s += "no "
			}
			s += st.name
		default:
			s += st.name + " " + v.json()
		}
	}
	return s
}

// openPart begins a part of the layer, or a block of its own outside layers.
func (b *builder) openPart(st *stmt) {
	s := &b.scope
	p := model.Part{Role: st.role, Title: st.title, Stream: b.stream}
	if p.Title == "" {
		p.Title = st.role.String()
	}
	for _, pr := range st.props {
		v := s.eval(pr.e)
		switch v.k {
		case kInt, kBool:
			p.Props = append(p.Props, model.Prop{Name: pr.name, Value: v.n, Expr: s.bind(pr.e).String()})
		case kNull:
		default:
			s.type_(pr.e, "a whole number", v)
		}
	}
	if st.role == model.Attention {
		b.uneven(&p, st)
	}
	b.inPart(p, func() { b.stmts(st.body) })
}

// uneven warns of heads that no sane model has but the class builds: of KV heads
// that do not divide the heads, and of a width that the heads do not.
func (b *builder) uneven(p *model.Part, st *stmt) {
	s := &b.scope
	heads, kv := p.Get(model.Heads), p.Get(model.KVHeads)
	for _, pr := range st.props {
		switch {
		case s.err != nil:
		case pr.name == model.HeadDim && heads > 0 && p.Get(model.HeadDim) == 0:
			s.fail(&fault.Error{Field: s.blame(pr.e), Given: s.blameValue(pr.e), Problem: "leaves each of " + units.Group(heads) + " heads without a width", Hint: "fewer heads, or a larger width"})
		case pr.name == model.KVHeads && kv > 0 && heads%kv != 0:
			b.warn(fault.Warning{Field: s.blame(pr.e), Text: units.Group(kv) + " KV heads do not divide " + units.Group(heads) + " heads; " + model.BuiltSo, Inexact: true})
		case pr.name == model.HeadDim:
			if e := s.rest(pr.e, 0); e != nil {
				b.warn(fault.Warning{Field: s.blame(e.Args[1]), Text: s.eval(e.Args[1]).json() + " heads do not divide a width of " + s.eval(e.Args[0]).json() + "; " + model.BuiltSo, Inexact: true})
			}
		}
	}
}

// rest finds the division that an expression takes its value from and that leaves
// a rest, or nil.
func (s *scope) rest(e *formula.Node, depth int) *formula.Node {
	if e == nil || depth > 20 {
		return nil
	}
	switch e.Op {
	case formula.Name:
		for i := range s.locals {
			if s.locals[i].name == e.Name {
				return nil
			}
		}
		i := s.fam.find(e.Name)
		switch {
		case i < 0:
		case s.fam.syms[i].key == nil:
			return s.rest(s.fam.syms[i].let, depth+1)
		case s.slots[i].done && s.slots[i].given == "" && s.fam.syms[i].key.length == nil:
			return s.rest(s.fam.syms[i].key.def, depth+1)
		}
	case formula.Cond:
		if s.eval(e.Args[1]).truth() {
			return s.rest(e.Args[0], depth+1)
		}
		return s.rest(e.Args[2], depth+1)
	case formula.Or:
		if s.eval(e.Args[0]).truth() {
			return s.rest(e.Args[0], depth+1)
		}
		return s.rest(e.Args[1], depth+1)
	case formula.IDiv:
		if a, b := s.eval(e.Args[0]), s.eval(e.Args[1]); a.k == kInt && b.k == kInt && b.n > 0 && a.n%b.n != 0 {
			return e
		}
	}
	return nil
}

// inPart runs f with p open, and puts p where it belongs.
func (b *builder) inPart(p model.Part, f func()) {
	if b.part != nil { // a part inside a part only changes the role of what it holds
		old := b.role
		b.role = p.Role
		b.part.Props = append(b.part.Props, p.Props...)
		f()
		b.role = old
		return
	}
	if b.force {
		p.Role = b.tower
	}
	b.part, b.role = &p, p.Role
	f()
	b.part = nil
	if len(p.Tensors) == 0 && len(p.Props) == 0 {
		return
	}
	p.Props = append(p.Props, b.place...)
	if b.kind != nil {
		b.kind.Parts = append(b.kind.Parts, p)
		return
	}
	b.model.Blocks = append(b.model.Blocks, model.Block{Title: p.Title, Kinds: []model.Kind{{Count: 1, Parts: []model.Part{p}}}, Pattern: []uint16{0}})
}

// experts runs a body whose tensors are copies of which only some work on a token.
func (b *builder) experts(st *stmt) {
	s := &b.scope
	of, active := s.size(st.args[0]), s.size(st.args[1])
	if s.err != nil || of == 0 {
		return
	}
	oldA, oldOf, oldRole := b.active, b.activeOf, b.role
	b.active, b.activeOf, b.role = min(active, of), of, model.Expert
	if st.name != "_" {
		b.each = append(b.each, model.Index{Name: st.name, N: of})
		s.locals = append(s.locals, local{name: st.name, open: true})
	}
	b.under(st.at, func() { b.stmts(st.body) })
	if st.name != "_" {
		s.locals = s.locals[:len(s.locals)-1]
		b.each = b.each[:len(b.each)-1]
	}
	b.active, b.activeOf, b.role = oldA, oldOf, oldRole
}

// tensor adds the tensors of one line.
func (b *builder) tensor(st *stmt) {
	s := &b.scope
	if !s.spend(making + int64(len(b.prefix)/8)) {
		return
	}
	if b.part == nil {
		role := st.role
		if !st.hasRole {
			switch st.form {
			case "norm", "batchnorm":
				role = model.Norm
			case "embed":
				role = model.Embedding
			default:
				s.failAt(st.file, st.line, "a "+st.form+" stands outside a part: put it under attention, ffn, …")
				return
			}
		}
		b.inPart(model.Part{Role: role, Title: st.name, Stream: b.stream}, func() { b.tensor(st) })
		return
	}
	t := model.Tensor{Name: b.name(st.name), Role: b.role, Active: b.active, ActiveOf: b.activeOf, Uses: 1, Stream: st.stream, F32: st.f32, Line: st.line}
	if st.form == "norm" || st.form == "batchnorm" {
		t.Role = model.Norm
	}
	if st.hasRole {
		t.Role = st.role
	}
	if b.force {
		t.Role = b.tower
	}
	if st.uses != nil {
		t.Uses = s.size(st.uses)
	}
	t.Each = append(t.Each, b.each...)
	dim := func(e *formula.Node) model.Dim {
		size, e := s.size(e), s.bind(e)
		return model.Dim{Size: size, Expr: e.String(), Path: s.path, Open: s.open(e)}
	}
	var bias []model.Dim
	name := t.Name
	switch st.form {
	case "linear":
		in, out := dim(st.args[0]), dim(st.args[1])
		t.Name, t.Op, t.Dims, bias = name+".weight", model.MatMul, []model.Dim{out, in}, []model.Dim{out}
		t.Linear, t.Transposed = true, st.transposed
		if st.transposed {
			t.Dims = []model.Dim{in, out}
		}
	case "norm", "batchnorm":
		d := dim(st.args[0])
		t.Name, t.Dims, bias = name+".weight", []model.Dim{d}, []model.Dim{d}
		t.Buffer = st.frozen != nil && s.eval(st.frozen).truth()
	case "embed":
		t.Name, t.Op, t.Dims = name+".weight", model.Lookup, []model.Dim{dim(st.args[0]), dim(st.args[1])}
	case "conv":
		in, out := dim(st.args[0]), dim(st.args[1])
		bias = []model.Dim{out}
		if st.groups != nil {
			g := s.size(st.groups)
			if g < 1 || in.Size%g != 0 || out.Size%g != 0 {
				s.fail(&fault.Error{Field: s.blame(st.groups), Given: units.Itoa(g), Problem: "the groups of a convolution must divide its channels: " + st.args[0].String()})
				return
			}
			cut, whole := &in, st.args[0]
			if st.transposed {
				cut, whole = &out, st.args[1]
			}
			if cut.Size /= g; cut.Size == 1 {
				cut.Expr = "1"
			} else {
				cut.Expr = (&formula.Node{Op: formula.IDiv, Args: []*formula.Node{s.bind(whole), st.groups}}).String()
				cut.Open = cut.Open || s.open(st.groups)
			}
		}
		t.Name, t.Op, t.Dims = name+".weight", model.Conv, []model.Dim{out, in}
		if st.transposed { // the way back to a larger image: stored input first, groups cut the output
			t.Dims, t.Transposed = []model.Dim{in, out}, true
		}
		for _, k := range st.args[2:] {
			t.Dims = append(t.Dims, dim(k))
		}
	case "matrix":
		t.Op = model.MatMul
		fallthrough
	default:
		t.Buffer = st.form == "buffer"
		for _, a := range st.args {
			t.Dims = append(t.Dims, dim(a))
		}
	}
	if st.tied != nil && s.eval(st.tied).truth() {
		if t.TiedTo = b.fill(st.tiedTo); b.home != "" {
			t.TiedTo = b.home + "." + t.TiedTo
		}
	}
	b.add(t, st)
	t.TiedTo = ""
	if (st.form == "batchnorm" || st.bias != nil && s.eval(st.bias).truth()) && s.err == nil {
		t.Name, t.Op, t.Dims, t.Linear = name+".bias", model.Scale, bias, false
		b.add(t, st)
	}
	if st.form == "batchnorm" { // what it has seen of the data is stored, not trained
		for _, n := range []string{"running_mean", "running_var", "num_batches_tracked"} {
			if n == "num_batches_tracked" {
				if t.Dims = nil; t.Buffer {
					break // frozen, it counts no more
				}
			}
			own := t
			own.Name, own.Buffer = name+"."+n, true
			b.add(own, st)
		}
	}
}

// add puts a tensor in the open part after counting its elements.
func (b *builder) add(t model.Tensor, st *stmt) {
	s := &b.scope
	ok := true
	t.Elements, t.Copies = 1, 1
	for _, d := range t.Dims {
		if t.Elements, ok = formula.Product(t.Elements, d.Size); !ok {
			break
		}
	}
	for _, x := range t.Each {
		if ok {
			t.Copies, ok = formula.Product(t.Copies, x.N)
		}
	}
	if ok {
		_, ok = formula.Product(t.Elements, t.Copies)
	}
	if !ok && s.err == nil {
		var e formula.Node
		e.Args = st.args
		s.fail(&fault.Error{Field: s.blame(&e), Given: s.blameValue(&e), Problem: "the sizes are too large: " + t.Name + " would have more than 9,223,372,036,854,775,807 elements", Hint: "check the number of digits"})
	}
	// Paid before it is kept: a family whose loops make millions of tensors ends here, not when all of them are in memory.
	if s.err == nil && (t.Elements > 0 || st.empty) && s.spend(perTensor) {
		b.part.Tensors = append(b.part.Tensors, t)
	}
}
