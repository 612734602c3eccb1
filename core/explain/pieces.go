package explain

import (
	"llmsize/core/compute"
	"llmsize/core/figure"
	"llmsize/core/formula"
	"llmsize/core/memory"
	"llmsize/core/model"
	"llmsize/core/report"
	"llmsize/core/units"
)

// piece is a term that the JSON does not have: a run of tensors in a count, a product in the FLOPs of a pass, the scores
// of a part. With a path it is one that the JSON has.
type piece struct {
	path  string
	name  string
	value formula.Value
	factors
}

// factors are a product, in letters and in numbers.
type factors struct{ symbols, values string }

func (f *factors) times(symbol, value string) {
	if f.symbols != "" {
		f.symbols, f.values = f.symbols+" · ", f.values+" · "
	}
	f.symbols, f.values = f.symbols+symbol, f.values+value
}

// count is times where a number is more than 1.
func (f *factors) count(symbol string, n int64) {
	if n != 1 {
		f.times(symbol, units.Group(n))
	}
}

// size is times with an expression of a family's file.
func (f *factors) size(expr string, n int64) { f.times(inSum(expr), units.Group(n)) }

func (f *factors) dims(dims []model.Dim) {
	for _, d := range dims {
		f.size(d.Expr, d.Size)
	}
}

// inSum is an expression as it is in a product.
func inSum(expr string) string {
	n, problem := formula.Parse(expr)
	if problem != "" {
		return expr
	}
	if expr = n.Format(formula.People, nil); n.Op == formula.Add || n.Op == formula.Sub || n.Op == formula.Cond {
		expr = "(" + expr + ")"
	}
	return expr
}

// often are formulas of figures that many questions have and some do not: where engines pad, ranks share, adapters are trained,
// a mixture of experts reads more. Like any formula they stand only where they come to the value.
var often = [...]struct{ path, formula string }{
	{"memory.kv_cache.bytes_per_token", "bytes / (ask.batch * ask.context)"},
	{"memory.kv_cache.terms.*.bytes_each", "elements * bits / 8"},
	{"memory.weights.types.*.bytes", "elements * memory.weights.bits / 8"},
	{"memory.training.saved.*.bytes", "layers * layer_bytes"},
	{"memory.*.timeline.peak_*", "sum(peak_split.*)"},
	{"compute.conventions.*.per_run", "per_token * compute.train.tokens"},
	{"running.time.critical_batch", "ceil(running.device.peak / running.device.bandwidth * memory.weights.bits / 16)"},
	{"running.time.decode.flops", "compute.decode.flops"},
	{"running.time.*.cache_bytes", "memory.kv_cache.bytes"},
	{"running.time.*.weight_bytes", "parameters.active_without_embedding * memory.weights.bits / 8"},
	{"running.time.*.weight_bytes", "(parameters.active - sum(0, parameters.by_role.position)) * memory.weights.bits / 8"},
	{"running.per_device.bytes", "max(running.stages.*.bytes)"},
	{"training.trainable", "parameters.total"},
	{"memory.training.terms.*.values", "training.trainable"},
	{"memory.weights.elements", "parameters.stored"},
	{"compute.train.tokens", "20 * parameters.total"},
}

// world is an answer, with what was asked of it.
type world struct {
	r       *report.Report
	numbers *report.Numbers
	taken   map[string][]piece
}

// pieces are what a figure is the sum of, where no formula says it: nil where that is not known.
func (w *world) pieces(path string) []piece {
	all, ok := w.taken[path]
	if !ok {
		if all = w.take(path); w.taken == nil {
			w.taken = map[string][]piece{}
		}
		w.taken[path] = all
	}
	return all
}

func (w *world) take(path string) []piece {
	c := &w.r.Compute
	for _, of := range [...]struct {
		path string
		work *report.Work
	}{{"compute.prefill.", &c.Prefill}, {"compute.decode.", &c.Decode}, {"compute.train.forward.", &c.Train.Forward}} {
		rest, ok := after(path, of.path)
		switch {
		case !ok || of.work.Pass.Batch == 0:
		case rest == "matmul":
			return products(compute.Products(w.r.Model, of.work.Pass, model.MatMul), of.work.Pass)
		case rest == "convolution":
			return products(compute.Products(w.r.Model, of.work.Pass, model.Conv), of.work.Pass)
		case rest == "scores":
			return looks(compute.Looks(w.r.Model, of.work.Pass), of.work.Pass)
		}
	}
	if path == "running.time.prefill.flops" && c.Prefill.Pass.Batch > 0 { // the LM head reads a sequence's last token alone
		list := compute.Products(w.r.Model, c.Prefill.Pass, model.MatMul)
		for i := range list {
			if x := &list[i]; x.Tensor.Role == model.Head && x.Tokens > 1 {
				x.FLOPs, x.Tokens = x.FLOPs/float64(x.Tokens), 1
			}
		}
		out := products(list, c.Prefill.Pass)
		for _, rest := range [...]string{"scores", "convolution", "scan"} {
			if v := w.numbers.Value("compute.prefill." + rest); v.OK() {
				out = append(out, piece{path: "compute.prefill." + rest, value: v})
			}
		}
		return out
	}
	if figure.Fits("running.*terms.*.bytes", path) || figure.Fits("memory.total.terms.*.bytes", path) { // a device that holds all of it
		for _, of := range [...][2]string{{"weights", "memory.weights.bytes"}, {"cache", "memory.kv_cache.bytes"}} {
			if w.numbers.Value(figure.Beside(path, "what")).Text == of[0] {
				return []piece{{path: of[1], value: w.numbers.Value(of[1])}}
			}
		}
	}
	if path == "running.time.decode.cache_bytes" {
		return w.read(path)
	}
	if part, ok := after(path, "memory.training."); ok {
		return append(w.parts("memory.training.terms.", part), w.parts("memory.training.saved.", part)...)
	}
	return w.tensors(path)
}

func after(path, prefix string) (string, bool) {
	if len(path) <= len(prefix) || path[:len(prefix)] != prefix {
		return "", false
	}
	return path[len(prefix):], true
}

// parts are the entries of a list of the JSON that say which part they belong to.
func (w *world) parts(list, part string) (out []piece) {
	for i := int64(0); ; i++ {
		at := list + units.Itoa(i) + "."
		switch v := w.numbers.Value(at + "part"); {
		case v.Kind != formula.Text:
			return out
		case v.Text == part:
			out = append(out, piece{path: at + "bytes", value: w.numbers.Value(at + "bytes")})
		}
	}
}

// tensors are what a number of parameters is the sum of: the runs of tensors of its role, or those that work on a token.
func (w *world) tensors(path string) (out []piece) {
	const active, buffers = "parameters.active", "parameters.buffers"
	role, byRole := after(path, "parameters.by_role.")
	place, component := after(path, "parameters.components.")
	if !byRole && !component && path != active && path != buffers {
		return nil
	}
	components := w.r.Parameters.Components
	for i := range components {
		c := &components[i]
		if component && place != units.Itoa(int64(i))+".total" && place != units.Itoa(int64(i))+".each" {
			continue
		}
		for j := range c.Rows {
			row := &c.Rows[j]
			if row.TiedTo != "" || row.Buffer != (path == buffers) || byRole && role != row.Role.String() {
				continue
			}
			x := piece{name: row.Full, value: formula.Whole(int64(row.Total))}
			if c.InLayers {
				x.times("layers", units.Group(c.Layers))
			}
			copies := row.Copies
			if path == active {
				x.value = formula.Whole(int64(row.Active))
				if row.Active != row.Total && copies > 1 {
					x.times("experts of a token", units.Group(int64(row.Active/(row.Total/units.Params(copies)))))
					copies = 1
				}
			}
			x.count("copies", copies)
			if x.dims(row.Dims); path == active && row.Copies == 1 && row.Active != row.Total {
				x.symbols, x.values = "the share of "+x.symbols+" that works on a token", "a share of "+x.values
			}
			out = append(out, x)
		}
	}
	return out
}

// pass are the factors that all products of a pass have: a multiply and an add, in layers, for each token of each sequence.
func pass(x *compute.Piece, q compute.Pass) factors {
	f := factors{"2", "2"}
	if x.Block.Index != "" {
		f.times("layers", units.Group(x.Kind.Count))
	}
	f.count("sequences", q.Batch)
	return f
}

func products(list []compute.Piece, q compute.Pass) (out []piece) {
	for i := range list {
		x, t := &list[i], list[i].Tensor
		f := pass(x, q)
		f.count("tokens", x.Tokens)
		f.count("uses", t.Uses)
		if t.Copies > 1 && t.Active != t.ActiveOf {
			f.times("experts of a token", units.Group(t.Copies)+" · "+units.Group(t.Active)+" / "+units.Group(t.ActiveOf))
		} else if f.count("copies", t.Copies); t.Active != t.ActiveOf {
			f.times("share that works on a token", units.Group(t.Active)+" / "+units.Group(t.ActiveOf))
		}
		f.dims(t.Dims)
		out = append(out, piece{name: t.Name, value: flops(x.FLOPs), factors: f})
	}
	return out
}

func looks(list []compute.Piece, q compute.Pass) (out []piece) {
	for i := range list {
		x := &list[i]
		p := x.Part
		f := pass(x, q)
		f.size(exprOf(p, model.Heads), p.Get(model.Heads))
		switch {
		case x.Width == 2*p.Get(model.HeadDim) && !p.Has(model.VDim):
			f.times("2", "2")
			f.size(exprOf(p, model.HeadDim), p.Get(model.HeadDim))
		case q.Absorbed && p.Get(model.Latent) > 0:
			f.times("(2 · "+inSum(exprOf(p, model.Latent))+" + "+inSum(exprOf(p, model.Rope))+")", units.Group(x.Width))
		default:
			f.times("("+exprOf(p, model.HeadDim)+" + "+exprOf(p, model.VDim)+")", units.Group(x.Width))
		}
		f.times("pairs of a query and a key", figure.Count.Brief(x.Pairs, ""))
		name := p.Title
		if x.Block.Index != "" {
			name = x.Block.Title + ", " + name
			if x.Kind.Label != "" {
				name += ", " + x.Kind.Label
			}
		}
		out = append(out, piece{name: name, value: flops(x.FLOPs), factors: f})
	}
	return out
}

// flops is a number of FLOPs: whole where floats are exact.
func flops(x float64) formula.Value {
	if x < 1<<53 && x == float64(int64(x)) {
		return formula.Whole(int64(x))
	}
	return formula.Number(x)
}

func exprOf(p *model.Part, name model.Property) string {
	for i := range p.Props {
		if p.Props[i].Name == name {
			return p.Props[i].Expr
		}
	}
	return "0"
}

// read is what a step reads of a replica's caches, term by term: of tokens that an index picks from, those that it picks.
func (w *world) read(path string) (out []piece) {
	q, err := w.r.CacheQuestion()
	l := &w.r.Running.Layout
	if err != nil || l.DP == 0 {
		return nil
	}
	q.Batch = (q.Batch + l.DP - 1) / l.DP
	q.Policy = memory.Minimum
	_, held, err := memory.Cache(w.r.Model, q)
	terms, n, fail := memory.Reads(w.r.Model, q)
	if err != nil || fail != nil || n == held {
		return nil
	}
	devices := int64(1)
	if w.numbers.Value(path) != formula.Whole(n) { // each device reads a latent whole
		devices = l.TP
	}
	for i := range terms {
		t := &terms[i]
		tokens := max(t.Tokens, 1)
		x := piece{name: t.What + ", read", value: formula.Whole(t.Bytes * devices)}
		if t.Layers*tokens*t.Each*q.Batch == t.Bytes {
			x.count("devices", devices)
			x.count("sequences", q.Batch)
			x.times("layers", units.Group(t.Layers))
			x.count("tokens", tokens)
			x.times("bytes of one", units.Group(t.Each))
		}
		out = append(out, x)
	}
	return out
}

// cached is what a layer keeps of a token, for the elements of the cache's term i.
func (w *world) cached(i int) (f factors) {
	if i >= len(w.r.Cache.Terms) {
		return f
	}
	t := &w.r.Cache.Terms[i]
	for b, k := range w.r.Model.Kinds() {
		for pi := range k.Parts {
			p := &k.Parts[pi]
			if b.Title != t.Block || t.Kind != "" && k.Label != t.Kind {
				continue
			}
			if f = keeps(p, t); f.symbols != "" {
				return f
			}
		}
	}
	return f
}

// keeps is what a part keeps of a token, if that is the term's elements.
func keeps(p *model.Part, t *memory.CacheTerm) (f factors) {
	kv, d, v := p.Get(model.KVHeads), p.Get(model.HeadDim), p.Get(model.VDim)
	latent, rope := p.Get(model.Latent), p.Get(model.Rope)
	switch {
	case latent > 0 && latent+rope == t.Elements:
		f.symbols, f.values = exprOf(p, model.Latent), units.Group(latent)
		if rope > 0 {
			f.symbols, f.values = f.symbols+" + "+exprOf(p, model.Rope), f.values+" + "+units.Group(rope)
		}
	case latent == 0 && kv > 0 && !p.Has(model.VDim) && 2*kv*d == t.Elements:
		f = factors{"2", "2"}
		f.size(exprOf(p, model.KVHeads), kv)
		f.size(exprOf(p, model.HeadDim), d)
	case latent == 0 && kv > 0 && p.Has(model.VDim) && kv*(d+v) == t.Elements:
		f.size(exprOf(p, model.KVHeads), kv)
		f.times("("+exprOf(p, model.HeadDim)+" + "+exprOf(p, model.VDim)+")", "("+units.Group(d)+" + "+units.Group(v)+")")
	}
	return f
}
