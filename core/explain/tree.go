package explain

import (
	"llmsize/core/config"
	"llmsize/core/fault"
	"llmsize/core/figure"
	"llmsize/core/formula"
	"llmsize/core/jsonout"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
)

// Node is a figure of a derivation, with what it is made of.
type Node struct {
	ID      string // its path in the JSON; of a tensor its name
	Label   string
	Value   formula.Value
	Unit    figure.Unit
	Status  string
	Formula string // in figures' names, as it is declared; empty where none comes to the value
	Words   string // the same with labels
	With    string // the same with values
	Source  string
	Terms   []*Node
	Keys    []Key

	of   *place
	asks []string // keys of the question that the formula names
}

// Key is a key that moves the figure above it, and through it the one that was asked about.
type Key struct {
	Source
	Line    int           // in the config; 0 for a key of the question, and for a default
	Try     string        // a value that was tried,
	Becomes formula.Value // and what the figure that was asked about is then
}

// place is where a piece stands: the i-th of those of a figure.
type place struct {
	path string
	i    int
}

// deepest bounds how far formulas are followed. None goes further today.
const deepest = 12

// Tree derives the figure at a path of the JSON, trying every value of every key that may tell.
func Tree(r *report.Report, h *Host, path string) (*Node, *fault.Error) {
	return Within(r, h, path, 1<<30)
}

// Within is Tree with at most most values of each key, for a caller who has little time. A key that moves the figure only by another
// value is then left out.
func Within(r *report.Report, h *Host, path string, most int) (*Node, *fault.Error) {
	return derive(r, h, path, most, func(s *Source, value string) *world { return other(r, h, path, s, value) })
}

// other answers the question with another value of a key; nil where there is no answer.
func other(r *report.Report, h *Host, path string, s *Source, value string) *world {
	x, err := ask(r, h, s, value)
	if err != nil {
		return nil
	}
	return &world{r: x, numbers: numbersOf(h, x, path)}
}

// derive takes a figure apart by other answers to the question.
func derive(r *report.Report, h *Host, path string, most int, other func(s *Source, value string) *world) (*Node, *fault.Error) {
	b := builder{world: world{r: r, numbers: numbersOf(h, r, path)}, most: most, other: other}
	v := b.numbers.Value(path)
	if v.Kind == formula.Null {
		return nil, unknown(r, path)
	}
	root := b.node(path, 0)
	b.probe(h, root)
	b.settle(root)
	return root, nil
}

// numbersOf are a report's numbers; layouts are looked for only when the figure is about them.
func numbersOf(h *Host, r *report.Report, path string) *report.Numbers {
	if h != nil && h.Also != nil {
		h.Also(r, path)
	}
	if ranked(path) {
		r.Rank()
	}
	return r.Numbers()
}

func ranked(path string) bool {
	for _, p := range [...]string{"training.layouts.", "training.ranking.", "training.inverse.devices."} {
		if len(path) > len(p) && path[:len(p)] == p {
			return true
		}
	}
	return false
}

// unknown is the error about a path that has no figure, with those nearest to it.
func unknown(r *report.Report, path string) *fault.Error {
	near := Nearest(Paths(r), path, 3)
	e := &fault.Error{Field: "FIGURE", Given: fault.Clip(path, 80), Problem: "the answer has no figure of that name", Allowed: "a path of `report --json`, such as memory.kv_cache.bytes"}
	for i, p := range near {
		if e.Hint += p; i+1 < len(near) {
			e.Hint += ", "
		}
	}
	if e.Hint != "" {
		e.Hint = "near it are " + e.Hint
	}
	return e
}

// Paths lists the path of every figure of a report: its numbers, and what it answers in words.
func Paths(r *report.Report) []string {
	var out []string
	var walk func(v config.Value, path string)
	walk = func(v config.Value, path string) {
		switch {
		case path == "config" || path == "compare" || path == "query" || path == "model":
		case v.Kind == config.Object:
			for i, k := range v.Keys {
				walk(v.Vals[i], join(path, k))
			}
		case v.Kind == config.List:
			for i, x := range v.Items {
				walk(x, join(path, units.Itoa(int64(i))))
			}
		case v.Kind != config.Null:
			out = append(out, path)
		}
	}
	walk(r.Tree().Read(), "")
	return out
}

type builder struct {
	world
	nodes   []*Node
	moved   []moves // beside nodes
	sources []Source
	steps   [][]Key // of every source, what moved the root
	most    int     // values of a key
	// other answers the question with another value of a key; nil where there is no answer.
	other func(s *Source, value string) *world
}

// moves are the sources, by their places, that move a node.
type moves map[int]bool

// node makes the node of a figure, and those of its formula.
func (b *builder) node(path string, depth int) *Node {
	for _, n := range b.nodes {
		if n.ID == path {
			return n
		}
	}
	n := &Node{ID: path, Label: path, Value: b.numbers.Value(path), Unit: figure.Words}
	b.nodes = append(b.nodes, n)
	if n.Value.OK() {
		n.Unit = figure.Count
	}
	f := figure.Find(path)
	if f == nil {
		return n
	}
	n.Label, n.Unit, n.Status, n.Source = b.called(f, path), f.Unit, f.Status, f.Source
	if f.Formula != "" && depth < deepest {
		b.formula(n, f.Formula, depth)
	}
	if len(n.Terms) == 0 && depth < deepest {
		b.sum(n, depth)
	}
	for i := range often {
		if len(n.Terms) == 0 && n.Formula == "" && depth < deepest && figure.Fits(often[i].path, path) {
			b.formula(n, often[i].formula, depth)
		}
	}
	return n
}

// called is what one of many figures that share a declaration is called: by what it is the bytes of, or by its own name.
func (b *builder) called(f *figure.Figure, path string) string {
	last := path[len(figure.Beside(path, "")):]
	if last == "bytes" && f.ID != path {
		what, title := b.numbers.Value(figure.Beside(path, "what")).Text, b.numbers.Value(figure.Beside(path, "title")).Text
		if title != "" && what != "" && title != what {
			return title + ", " + what
		}
		if what != "" {
			return what
		}
	}
	if n := len(f.ID); n > 2 && f.ID[n-2:] == ".*" {
		return f.Label + ", " + spaced(last)
	}
	return f.Label
}

// spaced is a name of the JSON as readers have it.
func spaced(name string) string {
	b := []byte(name)
	for i := range b {
		if b[i] == '_' {
			b[i] = ' '
		}
	}
	return string(b)
}

// formula follows a formula, if it comes to the node's value.
func (b *builder) formula(n *Node, text string, depth int) {
	e, problem := formula.Parse(text)
	if problem != "" || !near(e.Eval(b.numbers.At(n.ID)), n.Value) {
		return
	}
	e = e.Taken(b.numbers.At(n.ID))
	bytes := b.r.Query.Get(query.Units)
	n.Formula = e.String()
	n.Words = e.Format(formula.People, func(name string) string { return b.label(n.ID, name) })
	n.With = e.Format(formula.People, func(name string) string {
		path := b.numbers.Path(n.ID, name)
		u := figure.Count
		if f := figure.Find(path); f != nil {
			u = f.Unit
		}
		if v := b.numbers.Value(path); v.Kind != formula.Null {
			return inFormula(u, v, bytes)
		}
		all := ""
		b.numbers.Each(path, func(_ string, v formula.Value) {
			if all != "" {
				all += " + "
			}
			all += inFormula(u, v, bytes)
		})
		return all
	})
	add := func(path string) {
		if b.numbers.Value(path).Kind == formula.Null {
			return
		}
		for _, t := range n.Terms {
			if t.ID == path {
				return
			}
		}
		n.Terms = append(n.Terms, b.node(path, depth+1))
	}
	e.Names(func(name string) {
		if key, ok := figure.Asked(name); ok {
			n.asks = append(n.asks, key)
		} else {
			path := b.numbers.Path(n.ID, name)
			b.numbers.Each(path, func(path string, _ formula.Value) { add(path) })
		}
	})
}

// inFormula is a number among others: with every digit where there are few.
func inFormula(u figure.Unit, v formula.Value, bytes string) string {
	if v.Kind == formula.Int && v.N < 1_000_000 {
		return units.Group(v.N)
	}
	return u.Short(v, bytes)
}

// label is what a name of a formula is called.
func (b *builder) label(path, name string) string {
	full := b.numbers.Path(path, name)
	if f := figure.Find(full); f != nil && f.Label != "" {
		return f.Label
	}
	if key, ok := figure.Asked(name); ok {
		return key
	}
	return name
}

// near reports whether a formula comes to a value, to the digits that the JSON has of it.
func near(a, b formula.Value) bool {
	if a.Kind == formula.Int && b.Kind == formula.Int {
		return a.N == b.N
	}
	x, y := a.Float(), b.Float()
	off := x - y
	if off < 0 {
		off = -off
	}
	if y < 0 {
		y = -y
	}
	return a.OK() && b.OK() && (off <= y*1e-5 || off <= 2e-9)
}

// sum gives a node the pieces that it is the sum of, or what its own factors are.
func (b *builder) sum(n *Node, depth int) {
	if rest, ok := after(n.ID, "memory.kv_cache.terms."); ok && len(rest) > 9 && rest[len(rest)-9:] == ".elements" {
		if i, err := units.ParseCount(rest[:len(rest)-9]); err == nil {
			f := b.cached(int(i))
			n.Formula, n.Words, n.With = f.symbols, f.symbols, f.values
		}
		return
	}
	pieces := b.pieces(n.ID)
	total := formula.Whole(0)
	for i := range pieces {
		if v := pieces[i].value; v.Kind == formula.Int && total.Kind == formula.Int {
			total.N += v.N
		} else {
			total = formula.Number(total.Float() + v.Float())
		}
	}
	if len(pieces) == 0 || !near(total, n.Value) { // the figure is something else: one layer of many
		return
	}
	for i := range pieces {
		x := &pieces[i]
		if x.path != "" {
			n.Terms = append(n.Terms, b.node(x.path, depth+1))
			continue
		}
		t := &Node{ID: n.ID + "." + x.name, Label: x.name, Value: x.value, Unit: n.Unit, Formula: x.symbols, Words: x.symbols, With: x.values, of: &place{n.ID, i}}
		n.Terms = append(n.Terms, t)
		b.nodes = append(b.nodes, t)
	}
}

// value is what a node is in another answer.
func (n *Node) value(w *world) formula.Value {
	if n.of == nil {
		return w.numbers.Value(n.ID)
	}
	if all := w.pieces(n.of.path); n.of.i < len(all) {
		return all[n.of.i].value
	}
	return formula.Value{}
}

// enough is how many values of a key are tried past the first that moves the root: others may move more of its terms.
const enough = 3

// probe tries values of every key.
func (b *builder) probe(h *Host, root *Node) {
	b.prepare()
	for i := range b.sources {
		b.try(h, root, i)
	}
}

func (b *builder) prepare() {
	b.sources = Sources(b.r)
	b.moved = make([]moves, len(b.nodes))
	for i := range b.moved {
		b.moved[i] = moves{}
	}
	b.steps = make([][]Key, len(b.sources))
}

// try tries values of the key at place i.
func (b *builder) try(h *Host, root *Node, i int) {
	if b.most == 0 {
		return
	}
	s := &b.sources[i]
	after := -1
	list := tries(b.r, h, s)
	for _, value := range list[:min(len(list), b.most)] {
		if after++; after > enough && len(b.steps[i]) > 0 {
			break
		}
		x := b.other(s, value)
		if x == nil {
			continue
		}
		for j, n := range b.nodes {
			v := n.value(x)
			if v.Kind == formula.Null || v == n.Value {
				continue
			}
			b.moved[j][i] = true
			if n == root && len(b.steps[i]) == 0 {
				b.steps[i] = []Key{{Source: *s, Line: line(b.r, s), Try: value, Becomes: v}}
				after = 0
			}
		}
	}
}

// line is where a config says a key.
func line(r *report.Report, s *Source) int {
	if s.Asked || !s.Given {
		return 0
	}
	for _, set := range r.Query.Set {
		if set.Key == s.Name {
			return 0
		}
	}
	return at(r.Config, s.Name).Line
}

// settle gives every node the keys that move it and the root, and that none of its terms has.
func (b *builder) settle(root *Node) {
	place := map[*Node]int{}
	for i, n := range b.nodes {
		place[n] = i
	}
	done := map[*Node]moves{}
	var below func(n *Node) moves
	below = func(n *Node) moves {
		if all, ok := done[n]; ok {
			return all
		}
		all := moves{}
		done[n] = all
		for _, t := range n.Terms {
			for i := range b.sources {
				if below(t)[i] {
					all[i] = true
				}
			}
		}
		for i := range b.sources {
			if len(b.steps[i]) > 0 && (b.moved[place[n]][i] && !all[i] || n.names(&b.sources[i])) {
				n.Keys = append(n.Keys, b.steps[i]...)
				all[i] = true
			}
		}
		return all
	}
	below(root)
}

// names reports whether the node's own formula names a key of the question.
func (n *Node) names(s *Source) bool {
	for _, key := range n.asks {
		if s.Asked && key == s.Name {
			return true
		}
	}
	return false
}

// JSON is the tree as the command prints it. A figure that is in several formulas is taken apart once.
func (n *Node) JSON() jsonout.Value { return n.json(map[*Node]bool{}) }

func (n *Node) json(seen map[*Node]bool) jsonout.Value {
	o := jsonout.Object("figure", jsonout.Text(n.ID), "label", jsonout.Text(n.Label), "value", valueJSON(n.Value))
	set := func(key, s string) {
		if s != "" {
			o = o.Set(key, jsonout.Text(s))
		}
	}
	if n.Value.OK() {
		set("unit", n.Unit.String())
	}
	set("status", n.Status)
	if seen[n] {
		return o.Set("above", jsonout.Bool(true))
	}
	seen[n] = true
	set("formula", n.Formula)
	set("values", n.With)
	set("source", n.Source)
	terms, keys := jsonout.List(), jsonout.List()
	for _, t := range n.Terms {
		terms = terms.Append(t.json(seen))
	}
	for i := range n.Keys {
		k := &n.Keys[i]
		from := "config"
		if k.Asked {
			from = "question"
		}
		x := jsonout.Object("key", jsonout.Text(k.Name), "from", jsonout.Text(from), "value", jsonout.Of(k.Value), "given", jsonout.Bool(k.Given))
		if k.Line > 0 {
			x = x.Set("line", jsonout.Int(k.Line))
		}
		if k.Expr != "" {
			x = x.Set("default", jsonout.Text(k.Expr))
		}
		keys = keys.Append(x.Set("try", jsonout.Text(k.Try)).Set("becomes", valueJSON(k.Becomes)))
	}
	if terms.Len() > 0 {
		o = o.Set("terms", terms)
	}
	if keys.Len() > 0 {
		o = o.Set("keys", keys)
	}
	return o
}

func valueJSON(v formula.Value) jsonout.Value {
	switch v.Kind {
	case formula.Int:
		return jsonout.Int(v.N)
	case formula.Float:
		return jsonout.Float(v.F, 9)
	case formula.Bool:
		return jsonout.Bool(v.N != 0)
	case formula.Text:
		return jsonout.Text(v.Text)
	}
	return jsonout.Value{}
}

// Text is the tree as lines for people: each a depth and a line.
func (n *Node) Text(bytes string) string {
	return n.text(0, bytes, map[*Node]bool{})
}

func (n *Node) text(depth int, bytes string, seen map[*Node]bool) string {
	pad := ""
	for range depth {
		pad += "  "
	}
	s := pad + n.Label
	if n.Label != n.ID && n.of == nil {
		s += " (" + n.ID + ")"
	}
	s += ": " + n.Unit.Exact(n.Value, bytes)
	if short := n.Unit.Short(n.Value, bytes); n.Unit == figure.Bytes || n.Unit == figure.FLOPs || n.Unit == figure.Params && n.Value.N >= 10_000 {
		s += ", " + short
	}
	if n.Status != "" {
		s += ", " + n.Status
	}
	s += "\n"
	if seen[n] && len(n.Terms)+len(n.Keys) > 0 {
		return s + pad + "  as above\n"
	}
	seen[n] = true
	if n.Words != "" {
		s += pad + "  = " + n.Words + "\n" + pad + "  = " + n.With + "\n"
	}
	if n.Source != "" {
		s += pad + "  source: " + n.Source + "\n"
	}
	for _, t := range n.Terms {
		s += t.text(depth+1, bytes, seen)
	}
	for i := range n.Keys {
		k := &n.Keys[i]
		s += pad + "  " + k.Name + " = " + fault.Clip(k.Value.JSON(), 60)
		switch {
		case k.Asked && k.Given:
			s += ", asked"
		case k.Asked:
			s += ", the question's default"
		case k.Line > 0:
			s += ", line " + units.Itoa(int64(k.Line)) + " of the config"
		case k.Given:
			s += ", set"
		case k.Expr != "":
			s += ", by default " + k.Expr
		default:
			s += ", the class's default"
		}
		s += "\n"
	}
	return s
}
