package predict

import (
	"llmsize/core/compute"
	"llmsize/core/device"
	"llmsize/core/fault"
	"llmsize/core/memory"
	"llmsize/core/model"
	"llmsize/core/query"
	"llmsize/core/report"
)

// Work is what a run asks of its devices, whatever engine does it.
type Work struct {
	Layers, Hidden  float64 // of the stack that a token passes through
	Launches        float64 // layers of a plain kind that launch as many kernels
	Always, Experts float64 // bytes of weights that every step reads; of all experts
	Total, Picked   int64   // experts of a layer, and how many a token picks
	Matmul          float64 // FLOPs of one token's products with weights, the LM head left out
	Head            float64 // FLOPs of one token's LM head
	Half            bool    // weights of 16 bits or more: nothing is widened before it is multiplied
	TP, PP, DP      float64
	Bandwidth       float64 // bytes a second of one device
	Rate            float64 // FLOP/s of one device: see [Rate]
	Link            float64 // bytes a second of one device's link, one direction; 0 where no source gives it

	report *report.Report
	cache  memory.CacheQuestion
}

// Rate is the speed that prefills are measured against, in FLOP/s: a device's matrix units in 16 bits, else twice its
// vector units, which is what they do with pairs of 16 bits. It is a scale, not a bound: what engines reach of it is fitted.
func Rate(d *device.Device) float64 {
	for _, f := range [...]device.Format{device.BF16, device.FP16} {
		if d.Peak[f] > 0 {
			return float64(d.Peak[f])
		}
	}
	return float64(2 * float64(d.Peak[device.FP32]))
}

// Of reads a report's run. ok is false where there is none to predict: no device, a layout that the model cannot
// have, or a model that writes no tokens one after the other.
func Of(r *report.Report) (w Work, ok bool) {
	x := &r.Running
	if x.Device == nil || x.Fault != nil || x.Speed.Decode.Seconds <= 0 {
		return w, false
	}
	for _, p := range r.Model.Parts() {
		if p.Get(model.Cross) > 0 {
			return w, false // encoder-decoders: nobody has measured enough of them
		}
	}
	q, err := r.CacheQuestion()
	if err != nil {
		return w, false
	}
	q.Policy, q.Batch = memory.Minimum, 1
	s := &x.Speed
	w = Work{Always: s.Always, Experts: s.Experts, Total: s.Total, Picked: s.Picked,
		TP: float64(x.Layout.TP), PP: float64(x.Layout.PP), DP: float64(x.Layout.DP),
		Bandwidth: float64(x.Device.Bandwidth), Rate: Rate(x.Device), Link: float64(x.Device.LinkRate), report: r, cache: q}
	w.Layers, w.Launches = stack(r.Model)
	_, hidden := memory.HeadSize(r.Model)
	w.Hidden = float64(hidden)
	terms, _ := compute.Forward(r.Model, compute.Pass{Tokens: 1, Past: 1, Batch: 1})
	for i := range terms {
		t := &terms[i]
		if t.Role == model.Head {
			w.Head = float64(w.Head + t.Matmul)
		} else {
			w.Matmul = float64(w.Matmul + t.Matmul)
		}
	}
	w.Half = float64(r.Weights.Bytes) > 1.5*float64(r.Weights.Elements)
	return w, true
}

// plain is how many matrices a layer of Llama's kind multiplies by, and how many other kernels it launches: two norms, positions, the
// cache's write, attention, the activation, the sum.
const plain = 7

// stack is how many layers a token that is written passes through, and how many plain layers launch as many kernels: one for each
// matrix, where all experts of a layer share one, and as many others as in a plain layer. Layers of towers see images or sound before.
func stack(m *model.Model) (layers, launches float64) {
	for b, k := range m.Kinds() {
		if b.Index == "" || len(b.Pattern) == 0 || k.Tower() {
			continue
		}
		matrices := 0
		for i := range k.Parts {
			for j := range k.Parts[i].Tensors {
				if t := &k.Parts[i].Tensors[j]; !t.Buffer && t.Uses > 0 && (t.Op == model.MatMul || t.Op == model.Conv) {
					matrices++
				}
			}
		}
		layers = float64(layers + float64(k.Count))
		launches = float64(launches + float64(float64(k.Count)*float64(matrices+plain))/(2*plain))
	}
	return layers, launches
}

// Cache is the bytes that a step reads of what one sequence of that length keeps.
func (w *Work) Cache(context int64) float64 {
	_, n, err := memory.Reads(w.report.Model, w.at(context))
	return orNothing(n, err)
}

func (w *Work) at(context int64) memory.CacheQuestion {
	q := w.cache
	q.Context = context
	return q
}

func orNothing(n int64, err *fault.Error) float64 {
	if err != nil {
		return 0
	}
	return float64(n)
}

// Scores is the FLOPs of attention, convolutions and scans for new tokens of one sequence after others.
func (w *Work) Scores(tokens, past int64) float64 {
	terms, _ := compute.Forward(w.report.Model, compute.Pass{Tokens: tokens, Past: past, Batch: 1})
	n := 0.0
	for i := range terms {
		n = float64(n + float64(terms[i].Score+float64(terms[i].Conv+terms[i].Scan)))
	}
	return n
}

// Weights is the bytes of weights that a step over that many tokens reads.
func (w *Work) Weights(tokens int64) float64 {
	if w.Experts == 0 {
		return w.Always
	}
	return float64(w.Always + float64(w.Experts*compute.Coverage(w.Total, w.Picked, tokens)))
}

// Learning is the FLOPs that one token of sequences of such length takes in training: three forward passes, which see what
// is before them.
func (w *Work) Learning(seq int64) float64 {
	_, n := compute.Forward(w.report.Model, compute.Pass{Tokens: seq, Batch: 1})
	return float64(3 * n / float64(seq))
}

// Prompt is the tokens that a prefill reads, and those that are cached before them.
func (w *Work) Prompt() (tokens, past int64) {
	q := &w.report.Query
	tokens = q.Int(query.Prompt)
	return tokens, max(q.Int(query.Context)-tokens, 0)
}
