package train

import (
	"strings"

	"llmsize/core/model"
	"llmsize/core/units"
)

// Beyond is memory that PyTorch's fully_shard and its allocator take for a run, and
// [Hold] leaves out: it belongs to one program, and isn't part of a sum.
type Beyond struct {
	What    string
	Formula string
	Values  string // the same with numbers
	Bytes   float64
	Source  string
}

// PyTorch works out what fully_shard (ZeRO stage 3) takes beyond what is counted, as torchtitan
// calls it and at its peak, while the loss goes back:
//
//	w·R − g      all that is in no layer is one group, gathered from the first pass's begin to the other's
//	             end; g, its largest part or a layer, is counted
//	w·L          the last layer is not given back between the passes
//	w·max(R, L)  a group is gathered into a buffer, then copied, on a stream whose memory no other stream gets
//	2·n·V/t      logits in 16 bits are freed before the loss goes back, but no tensor in fp32 fits in their place
//	4·n·V/t      the loss over slices has one tensor more at its peak
//	2·2·n·h      slices gather whole sequences for attention and for the feed-forward
//
// with R the weights outside of layers and L those of the largest layer on a slice, w bytes of a weight as it
// is multiplied, n tokens of a micro-batch, V the vocabulary, h the width, t slices. The last two only with
// slices. Stages of a pipeline, adapters, offloading and fp32 are other cases, of which nothing is said.
func PyTorch(m *model.Model, q *Question) (out []Beyond) {
	l := &q.Layout
	if !gathers(q) || l.PP > 1 || q.Offload != OffloadNone || len(q.Adapters) > 0 || !q.Precision.half() {
		return nil
	}
	p, err := prepare(m, q)
	if err != nil {
		return nil
	}
	w, n, t := q.Precision.multiplied(), q.Saving.Micro*q.Saving.Seq/max(l.CP, 1), l.TP
	f := trafficOf(m)
	outside, layer, h, v := int64(0), int64(0), f.hidden, int64(0)
	for i := range p.units {
		u := &p.units[i]
		if u.block.Index == "" {
			outside += u.whole
		} else {
			layer = max(layer, u.whole)
		}
	}
	if head := output(m); head != nil {
		_, out := head.Sides()
		v = out.Size
	}
	counted := w * p.stages[0].whole
	add := func(what, formula string, bytes int64, source string, values ...string) {
		if bytes <= 0 {
			return
		}
		out = append(out, Beyond{What: what, Formula: formula, Values: strings.Join(values, ", "), Bytes: float64(bytes), Source: source})
	}
	of := func(name string, n int64) string { return name + " = " + units.Group(n) }
	each, weights, whole, logits := of("w", w), of("R", outside), of("L", layer), []string{of("n", n), of("V", v), of("t", t)}
	add("weights outside of layers, gathered as one group", "w·R − g", w*outside-counted, "pytorch/torchtitan#1091; pytorch/pytorch#131965", each, weights, of("g", counted))
	add("the last layer, not given back between the passes", "w·L", w*layer, titan+": reshard_after_forward", each, whole)
	add("the buffer that a group is gathered into", "w·max(R, L)", w*max(outside, layer),
		"pytorch/pytorch, torch/distributed/_composable/fsdp/_fsdp_collectives.py, foreach_all_gather; "+allocator+": a freed block stays with its stream", each, weights, whole)
	add("16-bit logits, freed where no fp32 tensor fits", "2·n·V/t", 2*n*v/t, "pytorch/torchtitan, train.py, commit 9dec370: del pred; "+allocator, logits...)
	if t > 1 {
		add("one tensor more in the loss over slices", "4·n·V/t", 4*n*v/t, "pytorch/pytorch, torch/distributed/tensor/parallel/loss.py, _nll_loss_and_log_softmax_backward", logits...)
	}
	if t > 1 && q.Saving.Sequence {
		add("whole sequences, gathered for attention and for the feed-forward", "2·2·n·h", 2*2*n*h, titan+": PrepareModuleInput", of("n", n), of("h", h))
	}
	return out
}

// Where these are read.
const (
	titan     = "pytorch/torchtitan, torchtitan/parallelisms/parallelize_llama.py, commit 9dec370"
	allocator = "pytorch/pytorch, c10/cuda/CUDACachingAllocator.cpp"
)
