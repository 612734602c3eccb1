package view

import (
	"llmsize/core/model"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/site/chart"
)

// flowChart is the way of a token through the model: each kind of layer once, with
// what it reads from the stream and adds to it.
func flowChart(r *report.Report) *graph {
	hidden, _ := r.Model.Value("hidden_size")
	c := &chart.Flow{To: "a vector for each token"}
	g := &graph{head: []string{"Step", "What it does", "Parameters"}}
	letter, kinds, stream, streams := 0, 0, "", 0
	for bi := range r.Model.Blocks {
		if r.Model.Blocks[bi].Index != "" {
			kinds += len(r.Model.Blocks[bi].Kinds)
		}
	}
	for bi := range r.Model.Blocks {
		b := &r.Model.Blocks[bi]
		for ki := range b.Kinds {
			k := &b.Kinds[ki]
			s := chart.Stage{}
			if b.Index != "" {
				s.Times = k.Count
				s.Title = chart.LayersTitle(r.Model, bi, ki)
				if kinds > 1 {
					s.Title = chart.Letter(letter%26) + ": " + s.Title
				}
				letter++
			}
			norms := false
			for pi := range k.Parts {
				p := &k.Parts[pi]
				if s.Times > 0 && onlyScales(p) {
					norms = norms || p.Elements() > 0
					continue
				}
				if p.Elements() == 0 && p.Role != model.Head {
					continue
				}
				step := flowStep(r, p, s.Times > 0)
				if p.Role == model.Head {
					c.To = "a score for each token of the vocabulary"
				}
				if len(s.Steps) == 0 && (len(c.Stages) == 0 || p.Stream != stream) {
					s.From, stream = streamWords(p.Stream), p.Stream
					streams++
				}
				s.Steps = append(s.Steps, step)
				g.rows = append(g.rows, []string{step.Title, step.Detail, units.Params(p.Elements() * max(s.Times, 1)).String()})
			}
			if s.Times > 0 && norms {
				s.Title += ", with norms"
			}
			if len(s.Steps) > 0 && len(c.Stages) < mostStages {
				c.Stages = append(c.Stages, s)
			}
		}
	}
	if len(c.Stages) == 0 {
		return nil
	}
	c.Label = "The way of a token, from top to bottom, through " + plural(int64(len(c.Stages)), "stage") + "; the numbers behind it say each step in words."
	g.svg = c.SVG
	wide := ""
	if hidden > 0 && streams == 1 {
		wide = ", which is " + units.Group(hidden) + " wide,"
	}
	g.note = "Not to scale. A step of a layer reads the stream" + wide + " and adds to it what it makes (He et al. 2015, arXiv 1512.03385). Norms stand before or behind a step, by family."
	return g
}

// mostStages is how many stages are drawn: a model that has more has a kind of layer for every size.
const mostStages = 16

// flowStep is a part of a model as a step of the flow: what its properties say.
func flowStep(r *report.Report, p *model.Part, adds bool) chart.Step {
	s := chart.Step{Role: p.Role, Title: p.Title, Aside: !adds}
	if s.Title == "" || s.Title == p.Role.String() || has2(s.Title, '{') || !adds && !has2(s.Title, ' ') {
		s.Title = chart.RoleName(p.Role)
	}
	if s.Title == "ffn" { // of a tower, whose role is the tower's
		s.Title = "feed-forward"
	}
	if !adds && p.Role == model.Norm {
		s.Title = "last norm"
	}
	heads, kv := p.Get(model.Heads), p.Get(model.KVHeads)
	switch {
	case heads > 0:
		s.Heads, s.KV, s.Latent = heads, kv, p.Get(model.Latent) > 0
		s.Detail = attentionWords(p, heads, kv)
		w := max(p.Get(model.Window), p.Get(model.Chunk))
		s.Window = w > 0 && w < r.Query.Int(query.Context)
	case p.Get(model.Experts) > 1:
		s.Experts, s.TopK = p.Get(model.Experts), p.Get(model.TopK)
		s.Detail = units.Group(s.TopK) + " of " + plural(s.Experts, "expert") + " for each token"
		if n := p.Get(model.Width); n > 0 {
			s.Detail += ", " + units.Group(n) + " wide each"
		}
	case p.Get(model.Width) > 0:
		s.In, s.Mid = otherSide(p, p.Get(model.Width)), p.Get(model.Width)
		s.Detail = units.Group(s.Mid) + " wide"
		if s.In > 0 {
			s.Detail = units.Group(s.In) + " → " + units.Group(s.Mid) + " → " + units.Group(s.In)
		}
		if p.Get(model.Gated) == 1 {
			s.Detail += ", gated: two matrices widen"
		}
	case p.Has(model.StateSize) || p.Has(model.ConvState):
		s.State = true
		s.Detail = "keeps " + plural(p.Get(model.StateSize)+p.Get(model.ConvState), "number") + " for a text, however long"
	default:
		s.Detail = matrixWords(p)
	}
	return s
}

// streamWords is what a stream begins with.
func streamWords(stream string) string {
	switch stream {
	case "":
		return "tokens"
	case "encoder":
		return "tokens of the encoder"
	case "pooled":
		return "one vector for a text"
	}
	return stream
}

// onlyScales reports whether a part holds no matrix and is nothing beyond its
// numbers: a norm, a scale.
func onlyScales(p *model.Part) bool {
	for i := range p.Tensors {
		if len(p.Tensors[i].Dims) > 1 {
			return false
		}
	}
	return len(p.Props) == 0
}

// otherSide is the side of a part's matrices that is not of a width: what a
// feed-forward reads and writes; 0 when no matrix has the width.
func otherSide(p *model.Part, width int64) int64 {
	for i := range p.Tensors {
		d := p.Tensors[i].Dims
		if len(d) != 2 {
			continue
		}
		for side := range d {
			if d[side].Size == width || d[side].Size == 2*width {
				return d[1-side].Size
			}
		}
	}
	return 0
}

// attentionWords says an attention's heads, and what it keeps and sees.
func attentionWords(p *model.Part, heads, kv int64) string {
	s := plural(heads, "head")
	if d := p.Get(model.HeadDim); d > 0 {
		s += ", " + units.Group(d) + " wide"
	}
	switch {
	case p.Get(model.Latent) > 0:
		s += "; a latent of " + units.Group(p.Get(model.Latent)+p.Get(model.Rope)) + " numbers stands for keys and values"
	case kv > 0 && kv < heads:
		s += "; " + units.Group(heads/kv) + " at a time share keys and values (" + units.Group(kv) + ")"
	case kv == heads:
		s += ", each with keys and values of its own"
	}
	if w := p.Get(model.Window); w > 0 {
		s += "; sees " + units.Group(w) + " tokens back"
	}
	if w := p.Get(model.Chunk); w > 0 {
		s += "; sees inside chunks of " + units.Group(w) + " tokens"
	}
	if p.Get(model.Cross) > 0 {
		s += "; looks at the encoder"
	}
	return s
}

// matrixWords lists the matrices of a part, the first few.
func matrixWords(p *model.Part) string {
	s := ""
	n := 0
	for i := range p.Tensors {
		t := &p.Tensors[i]
		if len(t.Dims) < 2 {
			continue
		}
		if n++; n > 3 {
			return s + " …"
		}
		if s != "" {
			s += ", "
		}
		for d := range t.Dims {
			if d > 0 {
				s += " × "
			}
			s += units.Group(t.Dims[d].Size)
		}
		if t.TiedTo != "" {
			s += ", the embedding again"
		}
	}
	if s == "" && len(p.Tensors) > 0 && len(p.Tensors[0].Dims) == 1 {
		s = units.Group(p.Tensors[0].Dims[0].Size) + " numbers"
	}
	return s
}
