package rules

import (
	"llmsize/core/model"
	"llmsize/core/report"
)

// shape says how a rule counts each group of parameters. The zero shape counts
// everything as it is; a rule sets what it does otherwise.
type shape struct {
	attention attentionWay
	channels  channelWay
	matrices  int64 // in a feed-forward part, for byFormula
	wide      int64 // its width in multiples of h; 0 is the config's f
	tables    int64 // matrices of V·h that are counted, for formulas; -1 none
	noHead    bool  // the head is left out, all else as it is
	positions int64 // 1 counts positions·h whether they are learned or not; -1 counts none
	norms     int64 // 1 counts 8hL + 2h; -1 none
	bare      bool  // nothing else: no state, towers, projectors
}

// attentionWay is how attention is counted.
type attentionWay uint8

const (
	attentionAsIs attentionWay = iota
	square                     // 4·h² in each of L layers
	divided                    // heads of h/a
	fullHeads                  // latent attention as full heads of the value width
)

// channelWay is how feed-forward parts and experts are counted.
type channelWay uint8

const (
	channelsAsIs channelWay = iota
	byFormula               // matrices · h · width in each of L layers
	oneExpert               // one of the routed experts
	everySparse             // experts in the layers that have none, too
)

// eval counts by the shape.
func (s *shape) eval(r *report.Report, _ Quantity) (int64, []Term, bool) {
	c := take(r)
	v, terms := s.count(c, int64(r.Parameters.Total))
	if c.bad || v < 0 {
		return 0, nil, false
	}
	return v, terms, s.fits(c)
}

// fits reports whether the model has what the shape speaks of.
func (s *shape) fits(c *census) bool {
	formula := s.attention == square || s.channels == byFormula
	if formula && (c.L <= 0 || c.h <= 0 || len(c.attention) == 0) || s.tables > 0 && c.V <= 0 || s.positions > 0 && c.positions <= 0 {
		return false
	}
	latents, heads, sparse, dense := false, false, false, false
	for i := range c.attention {
		latents = latents || c.attention[i].latent > 0
		heads = heads || c.attention[i].latent == 0 && c.attention[i].heads > 0
	}
	for i := range c.channels {
		sparse = sparse || c.channels[i].experts
		dense = dense || !c.channels[i].experts
	}
	switch {
	case s.attention == fullHeads && s.channels == everySparse:
		return latents || sparse && dense
	case s.attention == fullHeads:
		return latents
	case s.attention == divided:
		return heads && c.a > 0 && c.h > 0
	case s.channels == oneExpert:
		return sparse
	case s.channels == everySparse:
		return sparse && dense
	}
	return true
}

// count works the shape out. The value is the exact total less the terms, so
// that both always add up.
func (s *shape) count(c *census, total int64) (int64, []Term) {
	var terms []Term
	add := func(cause Cause, n int64) { terms = append(terms, Term{cause, n}) }
	s.countAttention(c, add)
	s.countChannels(c, add)
	vh := c.product(c.V, c.h)
	switch {
	case s.tables > 0:
		add(Embedding, c.sum(c.role[model.Embedding], -vh))
		add(Head, c.sum(c.role[model.Head], -c.product(s.tables-1, vh)))
	case s.tables < 0:
		add(Embedding, c.role[model.Embedding])
		add(Head, c.role[model.Head])
	case s.noHead:
		add(Head, c.role[model.Head])
	}
	switch {
	case s.positions > 0:
		add(Positions, c.sum(c.role[model.Position], -c.product(c.positions, c.h)))
	case s.positions < 0:
		add(Positions, c.role[model.Position])
	}
	switch {
	case s.norms > 0:
		add(Norms, c.sum(c.role[model.Norm], -c.product(8, c.h, c.L), -c.product(2, c.h)))
	case s.norms < 0:
		add(Norms, c.role[model.Norm])
	}
	if s.bare {
		for _, x := range [...]struct {
			role  model.Role
			cause Cause
		}{{model.State, StateLayers}, {model.Vision, Vision}, {model.Audio, Audio}, {model.Projector, Projector}, {model.Other, Other},
			{model.Attention, OtherAttention}, {model.Expert, Experts}, {model.Router, Routers}} {
			add(x.cause, c.role[x.role])
		}
	}
	value := total
	for _, t := range terms {
		value = c.sum(value, -t.Amount)
	}
	return value, terms
}

// countAttention takes the difference of attention apart: how many layers have
// it, latents, the heads' width, the heads of keys and values, what else there is.
func (s *shape) countAttention(c *census, add func(Cause, int64)) {
	if s.attention == attentionAsIs {
		return
	}
	h2 := c.product(4, c.h, c.h)
	layers := int64(0)
	var latent, width, grouped, other, biases int64
	for i := range c.attention {
		x := &c.attention[i]
		layers += x.layers
		n := func(per int64) int64 { return c.product(x.layers, per) }
		both := x.dk + x.dv
		full := c.product(2, c.h, x.heads, both)           // every head with keys and values of its own
		mine := c.product(c.h, c.sum(x.heads, x.kv), both) // with those that it has
		switch {
		case s.attention == divided && x.latent == 0 && c.a > 0:
			d := c.h / c.a
			width = c.sum(width, n(c.sum(mine, -c.product(2, c.h, c.sum(x.heads, x.kv), d))))
		case s.attention == fullHeads && x.latent > 0:
			latent = c.sum(latent, n(c.sum(x.own(), -c.product(4, c.h, x.heads, x.dv))))
		case s.attention == square && x.latent > 0:
			latent = c.sum(latent, n(c.sum(x.matrices, -h2)))
			biases = c.sum(biases, n(x.biases))
		case s.attention == square:
			width = c.sum(width, n(c.sum(full, -h2)))
			grouped = c.sum(grouped, n(c.sum(mine, -full)))
			other = c.sum(other, n(c.sum(x.matrices, -mine)))
			biases = c.sum(biases, n(x.biases))
		}
	}
	if s.attention == square {
		add(LayerCount, c.product(h2, c.sum(layers, -c.L)))
	}
	add(LatentAttention, latent)
	add(HeadWidth, width)
	add(GroupedQueries, grouped)
	add(OtherAttention, other)
	add(AttentionBiases, biases)
}

// countChannels does the same for feed-forward parts and experts.
func (s *shape) countChannels(c *census, add func(Cause, int64)) {
	if s.channels == channelsAsIs {
		return
	}
	expect := c.product(s.matrices, c.h, c.f)
	if s.wide > 0 {
		expect = c.product(s.matrices, s.wide, c.h, c.h)
	}
	var sparse *channel
	for i := range c.channels {
		if c.channels[i].experts {
			sparse = &c.channels[i]
			break
		}
	}
	layers := int64(0)
	var width, gate, other, biases, experts, shared, routers, dense int64
	for i := range c.channels {
		x := &c.channels[i]
		layers += x.layers
		n := func(per int64) int64 { return c.product(x.layers, per) }
		switch {
		case s.channels == oneExpert:
			experts = c.sum(experts, n(x.routed-x.one))
		case s.channels == everySparse:
			if !x.experts && sparse != nil {
				dense = c.sum(dense, n(x.own()-sparse.own()))
			}
		case x.experts:
			experts = c.sum(experts, n(c.sum(x.routed, -expect)))
			shared = c.sum(shared, n(x.matrices))
			biases = c.sum(biases, n(x.biases))
			routers = c.sum(routers, n(x.router))
		default:
			own := int64(2)
			if x.gated {
				own = 3
			}
			w := x.width
			if w == 0 { // the family names no width: the matrices say it
				w = x.matrices / c.product(own, max(c.h, 1))
			}
			width = c.sum(width, n(c.sum(c.product(s.matrices, c.h, w), -expect)))
			gate = c.sum(gate, n(c.product(own-s.matrices, c.h, w)))
			other = c.sum(other, n(c.sum(x.matrices, -c.product(own, c.h, w))))
			biases = c.sum(biases, n(x.biases))
		}
	}
	if s.channels == byFormula {
		add(FFNCount, c.product(expect, c.sum(layers, -c.L)))
	}
	add(FFNWidth, width)
	add(Gate, gate)
	add(OtherFFN, other)
	add(FFNBiases, biases)
	add(Experts, experts)
	add(SharedExperts, shared)
	add(Routers, routers)
	add(DenseLayers, dense)
}
