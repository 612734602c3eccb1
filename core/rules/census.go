package rules

import (
	"llmsize/core/config"
	"llmsize/core/model"
	"llmsize/core/report"
)

// census is a model's parameters in the groups that rules speak of: every stored
// parameter is in exactly one place.
type census struct {
	checked
	L, h, V, a, f int64 // 0 where the model has no such figure
	positions     int64 // max_position_embeddings

	attention []attention
	channels  []channel
	role      [model.NumRoles]int64 // what is neither in attention nor in a channel mixer
}

// attention is a part with attention in the layers of one kind.
type attention struct {
	layers           int64
	heads, kv        int64
	dk, dv           int64 // width of a key head and of a value head
	latent           int64
	matrices, biases int64 // in one layer: elements of tensors with two sides or more, and of the others
}

// own is the whole part in one layer.
func (x *attention) own() int64 { return x.matrices + x.biases }

// channel is a feed-forward part, or experts in its place, in the layers of one kind.
type channel struct {
	layers           int64
	width            int64
	gated            bool
	experts          bool
	matrices, biases int64 // in one layer, of a dense part; of shared experts
	routed, one      int64 // all routed experts, and one of them
	router           int64
}

func (x *channel) own() int64 { return x.matrices + x.biases + x.routed + x.router }

// take sorts a model's parameters.
func take(r *report.Report) *census {
	m := r.Model
	c := &census{positions: positions(&r.Config)}
	figure := func(names ...string) int64 {
		for _, n := range names {
			if v, ok := m.Value(n); ok && v > 0 {
				return v
			}
		}
		return 0
	}
	c.L = figure("num_hidden_layers", "num_layers", "n_layers", "decoder_layers")
	c.h = figure("hidden_size", "d_model")
	c.V = figure("vocab_size")
	c.a = figure("num_attention_heads", "num_heads", "n_heads", "decoder_attention_heads")
	c.f = figure("intermediate_size", "ffn_dim", "ffn_hidden_size", "d_ff")
	for k, p := range m.Parts() {
		c.part(p, k.Count)
	}
	if c.f == 0 && c.h > 0 {
		c.f = c.product(4, c.h)
		for _, x := range c.channels {
			if x.width > 0 {
				c.f = x.width
				break
			}
		}
	}
	return c
}

// part adds one part of the layers of a kind.
func (c *census) part(p *model.Part, layers int64) {
	at := attention{layers: layers, heads: p.Get(model.Heads), kv: p.Get(model.KVHeads), dk: p.Get(model.HeadDim), dv: p.Get(model.HeadDim), latent: p.Get(model.Latent)}
	if p.Has(model.VDim) {
		at.dv = p.Get(model.VDim)
	}
	ch := channel{layers: layers, width: p.Get(model.Width), gated: p.Get(model.Gated) != 0, experts: p.Get(model.Experts) > 0}
	for i := range p.Tensors {
		t := &p.Tensors[i]
		if t.TiedTo != "" || t.Buffer {
			continue
		}
		n := c.product(t.Elements, t.Copies)
		switch {
		case t.Role == model.Attention && at.heads > 0:
			at.put(t, n)
		case t.Role == model.FFN:
			ch.put(t, n)
		case t.Role == model.Expert && ch.experts:
			ch.routed += n
			ch.one += n / max(t.ActiveOf, 1)
		case t.Role == model.Router && ch.experts:
			ch.router += n
		default:
			c.role[t.Role] = c.sum(c.role[t.Role], c.product(n, layers))
		}
	}
	if at.own() > 0 {
		c.attention = append(c.attention, at)
	}
	if ch.own() > 0 {
		c.channels = append(c.channels, ch)
	}
}

func (x *attention) put(t *model.Tensor, n int64) {
	if len(t.Dims) > 1 {
		x.matrices += n
	} else {
		x.biases += n
	}
}

func (x *channel) put(t *model.Tensor, n int64) {
	if len(t.Dims) > 1 {
		x.matrices += n
	} else {
		x.biases += n
	}
}

// positions is how many positions a config says, which most models do not learn.
func positions(cfg *config.Value) int64 {
	for _, name := range [...]string{"max_position_embeddings", "n_positions", "n_ctx"} {
		for _, x := range [...]*config.Value{cfg, cfg.Get("text_config")} {
			if n, ok := x.Get(name).Int(); ok && n > 0 && n < 1<<40 {
				return n
			}
		}
	}
	return 0
}
