package rules

import (
	"llmsize/core/memory"
	"llmsize/core/model"
	"llmsize/core/report"
)

// edit is a set of changes to the properties of a model's layers that make its
// cache what a rule thinks it is.
type edit uint16

const (
	hiddenWide  edit = 1 << iota // keys and values are h wide
	dividedHead                  // heads are h/a wide
	valueHead                    // keys are as wide as values
	fullKeys                     // as many heads of keys and values as of queries
	oneHead                      // a single head of keys and values
	heads                        // latents are read as heads
	unshared                     // layers that read another's cache have one of their own
	everyLayer                   // layers without attention have it
	windowless                   // windows and chunks are dropped
	crossless                    // no cross attention
	indexless                    // no index keys
	stateless                    // no recurrent state
)

// plainKeys is what every formula of the form 2·L·…·s takes for granted.
const plainKeys = heads | unshared | everyLayer | windowless | crossless | indexless | stateless

// steps are the edits in the order in which they are undone. Latents come first: with
// them in place, what a rule thinks of heads no longer matters to those layers, and
// the whole difference has one name.
var steps = [...]struct {
	edit  edit
	cause Cause
}{
	{heads, LatentAttention}, {hiddenWide, HeadWidth}, {dividedHead, HeadWidth}, {valueHead, HeadWidth}, {fullKeys, GroupedQueries}, {oneHead, GroupedQueries},
	{unshared, SharedCache}, {everyLayer, NoAttention}, {windowless, Windows}, {crossless, CrossAttention},
	{indexless, IndexKeys}, {stateless, State},
}

// cacheRule is a rule about the cache: the edits, and how often it counts the
// result (numerator / denominator).
type cacheRule struct {
	edits    edit
	num, den int64
	latents  bool // it only speaks of latent attention
	hybrids  bool // only of models with layers that keep no keys
	windows  bool // only of models with windows
}

// eval works the rule out. The last edit undone is the engine's own count of what
// the next token needs; what a program's layout adds to it comes after.
func (c *cacheRule) eval(r *report.Report, of Quantity) (int64, []Term, bool) {
	ed := editor{r: r}
	ed.h, _ = r.Model.Value("hidden_size")
	ed.a, _ = r.Model.Value("num_attention_heads")
	if c.edits&(hiddenWide|dividedHead) != 0 && (ed.h <= 0 || ed.a <= 0) || !ed.look() {
		return 0, nil, false
	}
	if c.latents && !ed.latents || c.hybrids && !ed.hybrid || c.windows && !ed.windows {
		return 0, nil, false
	}
	edits := c.edits
	value, ok := ed.bytes(edits, of)
	if !ok {
		return 0, nil, false
	}
	var terms []Term
	said := value
	if c.num != c.den {
		said = value * c.num / c.den
		terms = append(terms, Term{KeysAndValues, value - said})
	}
	for _, s := range steps {
		if edits&s.edit == 0 {
			continue
		}
		edits &^= s.edit
		next, ok := ed.bytes(edits, of)
		if !ok {
			return 0, nil, false
		}
		terms = append(terms, Term{s.cause, next - value})
		value = next
	}
	if of == Cache {
		terms = append(terms, Term{Layout, int64(r.Cache.Bytes) - value})
	}
	return said, terms, true
}

// editor makes the cache of an edited model.
type editor struct {
	r                        *report.Report
	h, a                     int64
	plain                    *model.Part // attention as a layer with it has it, unwindowed if there is one
	latents, hybrid, windows bool
}

// keeps reports whether a part keeps keys and values of the sequence's own tokens.
func keeps(p *model.Part) bool {
	return p.Stream == "" && p.Get(model.Cross) == 0 && p.Get(model.Whole)&1 == 0 && p.Get(model.Unused) == 0 && p.Get(model.Encodes) == 0 && (p.Get(model.KVHeads) > 0 || p.Get(model.Latent) > 0)
}

// look finds what the model has. ok is false when it keeps no keys at all.
func (ed *editor) look() bool {
	m := ed.r.Model
	for bi := range m.Blocks {
		b := &m.Blocks[bi]
		if !stack(b) {
			continue
		}
		for ki := range b.Kinds {
			k := &b.Kinds[ki]
			any := false
			for pi := range k.Parts {
				p := &k.Parts[pi]
				if !keeps(p) {
					continue
				}
				any = true
				window := p.Get(model.Window) > 0 || p.Get(model.Chunk) > 0
				ed.windows = ed.windows || window
				ed.latents = ed.latents || p.Get(model.Latent) > 0
				if ed.plain == nil || !window && ed.plain.Get(model.Window) > 0 {
					ed.plain = p
				}
			}
			ed.hybrid = ed.hybrid || !any
		}
	}
	return ed.plain != nil
}

// stack reports whether a block is layers that keep something: not an encoder's.
func stack(b *model.Block) bool {
	if b.Index == "" {
		return false
	}
	for ki := range b.Kinds {
		for pi := range b.Kinds[ki].Parts {
			p := &b.Kinds[ki].Parts[pi]
			if keeps(p) || p.Get(model.StateSize) > 0 && p.Stream == "" {
				return true
			}
		}
	}
	return false
}

// perEdit is what a part takes in an edited model, in steps: it is written anew for each edit of each rule.
const perEdit = 60

// bytes is the cache of the edited model under the policy minimum.
func (ed *editor) bytes(edits edit, of Quantity) (int64, bool) {
	q, err := ed.r.CacheQuestion()
	if err != nil {
		return 0, false
	}
	q.Policy = memory.Minimum
	if of == CachePerToken {
		q.Context, q.Batch = 1, 1
	}
	m := &model.Model{}
	parts := 0
	for _, k := range ed.r.Model.Kinds() {
		parts += len(k.Parts)
	}
	if !ed.r.Model.Work.Times(int64(parts), perEdit) {
		return 0, false
	}
	for bi := range ed.r.Model.Blocks {
		m.Blocks = append(m.Blocks, ed.block(&ed.r.Model.Blocks[bi], edits))
	}
	terms, total, err := memory.Cache(m, q)
	if err != nil {
		return 0, false
	}
	if of == CachePerToken {
		total = report.PerToken(terms)
	}
	return total, true
}

func (ed *editor) block(b *model.Block, edits edit) model.Block {
	out := model.Block{Index: b.Index, Title: b.Title}
	grows := stack(b)
	for ki := range b.Kinds {
		k := &b.Kinds[ki]
		kind := model.Kind{Label: k.Label, Count: k.Count}
		any := false
		for pi := range k.Parts {
			p := &k.Parts[pi]
			any = any || keeps(p)
			if edits&crossless != 0 && p.Get(model.Cross) != 0 {
				continue
			}
			kind.Parts = append(kind.Parts, ed.part(p, edits))
		}
		if grows && !any && edits&everyLayer != 0 {
			kind.Parts = append(kind.Parts, ed.part(ed.plain, edits))
		}
		out.Kinds = append(out.Kinds, kind)
	}
	return out
}

// dropped are the properties that an edit takes away.
var dropped = [...]struct {
	edit  edit
	props []model.Property
}{
	{windowless, []model.Property{model.Window, model.Chunk}},
	{unshared, []model.Property{model.Shared}},
	{indexless, []model.Property{model.IndexWidth}},
	{stateless, []model.Property{model.StateSize, model.ConvState}},
	{heads, []model.Property{model.Latent, model.Rope, model.Compress, model.Pending}},
}

// part is a part with its properties edited; a cache needs no tensors.
func (ed *editor) part(p *model.Part, edits edit) model.Part {
	out := model.Part{Role: p.Role, Title: p.Title, Stream: p.Stream}
next:
	for _, x := range p.Props {
		for _, d := range dropped {
			for _, name := range d.props {
				if edits&d.edit != 0 && x.Name == name {
					continue next
				}
			}
		}
		out.Props = append(out.Props, x)
	}
	if !keeps(p) {
		return out
	}
	set := func(name model.Property, n int64) {
		for i := range out.Props {
			if out.Props[i].Name == name {
				out.Props[i].Value = n
				return
			}
		}
		out.Props = append(out.Props, model.Prop{Name: name, Value: n})
	}
	unlatent := edits&heads != 0 || p.Get(model.Latent) == 0
	if !unlatent {
		return out
	}
	if edits&fullKeys != 0 {
		set(model.KVHeads, p.Get(model.Heads))
	}
	if edits&oneHead != 0 {
		set(model.KVHeads, 1)
	}
	if edits&valueHead != 0 && p.Has(model.VDim) {
		set(model.HeadDim, p.Get(model.VDim))
	}
	if edits&dividedHead != 0 {
		set(model.HeadDim, ed.h/ed.a)
		set(model.VDim, ed.h/ed.a)
	}
	if edits&hiddenWide != 0 {
		set(model.KVHeads, 1)
		set(model.HeadDim, ed.h)
		set(model.VDim, ed.h)
	}
	return out
}
