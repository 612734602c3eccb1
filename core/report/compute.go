package report

import (
	"llmsize/core/compute"
	"llmsize/core/fault"
	"llmsize/core/jsonout"
	"llmsize/core/model"
	"llmsize/core/query"
	"llmsize/core/units"
)

// Compute is the FLOPs of the query's passes.
type Compute struct {
	Prefill Work // over the prompt, the head at every position
	Decode  Work // one new token for each sequence; nothing where a model does not generate
	Train   TrainingRun
	Image   *UnitWork // a picture; nil where the model sees none, or nothing says how
	Audio   *UnitWork // a sound
	Series  *UnitWork // a window of a series
	// Conventions are the ways in which papers count training.
	Conventions []compute.Convention
	Scaling     Scaling
}

// Work is one pass.
type Work struct {
	FLOPs units.FLOPs
	Terms []compute.Term
	Pass  compute.Pass
}

// TrainingRun is the FLOPs of a whole training run.
type TrainingRun struct {
	Tokens    int64
	Sequences float64
	Forward   Work        // one sequence, forward
	FLOPs     units.FLOPs // model FLOPs: 3 × forward over all tokens
	Hardware  units.FLOPs // with what recomputation repeats
	Time      TrainingTime
}

// work counts the query's passes.
//
// A backward pass multiplies twice for each product of the forward pass, once
// for the gradient of the weights and once for that of the input, so training is
// 3 × forward (Kaplan et al. 2020, arXiv 2001.08361, section 2.1). Full
// recomputation runs the forward pass again, selective recomputation the
// attention scores only (Korthikanti et al. 2022, arXiv 2205.05198, sections 5
// and 6), ops every second product of a layer (compute.Alternate).
func (r *Report) work() *fault.Error {
	q := &r.Query
	c := &r.Compute
	var err *fault.Error
	if c.Train.Tokens, err = r.tokens(); err != nil {
		return err
	}
	scores := compute.Causal
	if q.Get(query.Attention) == "full" {
		scores = compute.Full
	}
	prompt, context := q.Int(query.Prompt), q.Int(query.Context)
	most := compute.Longest(r.Model)
	for _, p := range [...]query.Param{query.Prompt, query.Seq} {
		if n := q.Int(p); n > most {
			return &fault.Error{Field: query.About(p).Name, Given: units.Group(n), Problem: "the convolutions before the encoder see more places than we can count",
				Allowed: "up to " + units.Group(most) + " tokens", Hint: "check how many convolutions the config has"}
		}
	}
	pair := hasEncoder(r.Model)
	prefill := compute.Pass{Tokens: prompt, Batch: q.Int(query.Batch), Scores: scores}
	if pair {
		prefill.Tokens, prefill.Encoder, prefill.EncoderPass = context, prompt, true
	}
	c.Prefill = pass(r.Model, prefill)
	if generates(r.Model) {
		c.Decode = pass(r.Model, compute.Pass{Tokens: 1, Past: context - 1, Encoder: prompt, Batch: q.Int(query.Batch), Scores: scores, Absorbed: true})
	}
	seq := q.Int(query.Seq)
	c.Train.Forward = pass(r.Model, compute.Pass{Tokens: seq, Encoder: seq, EncoderPass: true, Batch: 1, Scores: scores})
	c.Train.Sequences = float64(c.Train.Tokens) / float64(seq)
	r.conventions()
	forward := float64(c.Train.Forward.FLOPs)
	again := 0.0
	switch q.Get(query.Recompute) {
	case "full", "host":
		again = forward
	case "selective":
		for _, t := range c.Train.Forward.Terms {
			again = float64(again + t.Score)
		}
	case "ops":
		again = compute.Alternate(r.Model, compute.Pass{Tokens: seq, Encoder: seq, EncoderPass: true, Batch: 1, Scores: scores}, q.Get(query.Flash) == "on")
	}
	c.Train.FLOPs = units.FLOPs(float64(3*forward) * c.Train.Sequences)
	c.Train.Hardware = units.FLOPs(float64(float64(3*forward)+again) * c.Train.Sequences)
	c.Train.Time = r.trainingTime()
	c.Scaling = r.scaling()
	return nil
}

// conventions counts the run as papers do.
func (r *Report) conventions() {
	seq := r.Query.Int(query.Seq)
	one := compute.Pass{Tokens: seq, Encoder: seq, EncoderPass: true, Batch: 1}
	causal, _ := compute.Forward(r.Model, one)
	one.Scores = compute.Full
	full, _ := compute.Forward(r.Model, one)
	run := compute.Measure(r.Model, seq, r.Compute.Train.Tokens, causal, full)
	p := &r.Parameters
	run.Params = float64(p.Active)
	run.Embedding = float64(p.Active-p.ActiveWithoutEmbedding) + float64(p.ByRole[model.Position])
	run.Head = float64(p.ByRole[model.Head])
	r.Compute.Conventions = compute.Conventions(&run)
}

// tokens is how many tokens the query trains on: a count, or a number for each parameter.
func (r *Report) tokens() (int64, *fault.Error) {
	s := r.Query.Get(query.Tokens)
	if n := len(s); s[n-1] == 'x' {
		per, _ := units.ParseCount(s[:n-1])
		total, ok := units.Mul(per, int64(r.Parameters.Total))
		if !ok {
			return 0, &fault.Error{Field: query.About(query.Tokens).Name, Given: s, Problem: "that many tokens for each of " + r.Parameters.Total.String() + " parameters pass what can be counted"}
		}
		return max(total, 1), nil
	}
	n, _ := units.ParseCount(s)
	return n, nil
}

func pass(m *model.Model, p compute.Pass) Work {
	terms, total := compute.Forward(m, p)
	return Work{units.FLOPs(total), terms, p}
}

// hasEncoder reports whether cross attention reads an encoder's tokens.
func hasEncoder(m *model.Model) bool {
	return anyPart(m, func(p *model.Part) bool { return p.Stream == "encoder" })
}

// reads reports whether some part multiplies for each token of a sequence. Image
// and sound towers alone do not: their places are pixels' and moments'.
func reads(m *model.Model) bool {
	return anyPart(m, func(p *model.Part) bool {
		if p.Stream != "" && p.Stream != "encoder" {
			return false
		}
		for i := range p.Tensors {
			if x := &p.Tensors[i]; !x.Buffer && (x.Op == model.MatMul || x.Op == model.Conv) {
				return true
			}
		}
		return p.Get(model.Heads) > 0 || p.Get(model.Scan) > 0
	})
}

// generates reports whether some layer looks back only, so that a token can be added to those before it.
func generates(m *model.Model) bool {
	return anyPart(m, func(p *model.Part) bool {
		return p.Stream == "" && (p.Get(model.Heads) > 0 && p.Get(model.Whole)&1 == 0 && p.Get(model.Cross) == 0 && p.Get(model.Encodes) == 0 || p.Get(model.StateSize) > 0)
	})
}

func anyPart(m *model.Model, is func(p *model.Part) bool) bool {
	for _, p := range m.Parts() {
		if is(p) {
			return true
		}
	}
	return false
}

// computeTree is the FLOPs as JSON.
func (r *Report) computeTree() jsonout.Value {
	c := &r.Compute
	t := object()
	if reads(r.Model) {
		t = t.Set("prefill", workTree(&c.Prefill))
	}
	for _, u := range c.Units() {
		t = t.Set([...]string{"image", "audio", "series"}[u.Kind], u.tree())
	}
	if !reads(r.Model) {
		return t
	}
	if c.Decode.FLOPs > 0 {
		t = t.Set("decode", workTree(&c.Decode))
	}
	list := jsonout.List()
	for i := range c.Conventions {
		x := &c.Conventions[i]
		o := object("name", text(x.Name), "title", text(x.Title), "pass", text(x.Pass), "per_token", flops(units.FLOPs(x.Token)), "per_run", flops(units.FLOPs(x.Total)),
			"formula", text(x.Formula), "source", text(x.Source))
		if u := c.Train.Utilisation(x); u > 0 {
			o = o.Set("percent_of_peak", thousandths(100*u))
		}
		list = list.Append(o)
	}
	train := object("flops", flops(c.Train.FLOPs), "hardware_flops", flops(c.Train.Hardware), "tokens", number(c.Train.Tokens),
		"flops_per_token", flops(c.Train.FLOPs/units.FLOPs(c.Train.Tokens)), "forward", workTree(&c.Train.Forward))
	if c.Train.Time.Peak > 0 {
		train = train.Set("time", c.Train.Time.tree())
	}
	return t.Set("conventions", list).Set("scaling", r.scalingTree()).Set("train", train)
}

func workTree(w *Work) jsonout.Value {
	parts := [...]string{"matmul", "scores", "convolution", "scan"}
	var sums [4]float64
	for i := range w.Terms {
		t := &w.Terms[i]
		for j, x := range [...]float64{t.Matmul, t.Score, t.Conv, t.Scan} {
			sums[j] = float64(sums[j] + x)
		}
	}
	o := object("flops", flops(w.FLOPs))
	for j, x := range sums {
		if x > 0 {
			o = o.Set(parts[j], flops(units.FLOPs(x)))
		}
	}
	return o
}
