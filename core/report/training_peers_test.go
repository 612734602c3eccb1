package report_test

import (
	"math"
	"strings"
	"testing"

	"llmsize/core/compute"
	"llmsize/core/report"
	"llmsize/core/train"
)

const (
	gibibyte = 1 << 30
	vh       = 128256 * 4096 // Llama-3.1-8B's embedding, and its head
	params8b = 8_030_261_248
	mixtral  = `{"model_type":"mixtral","architectures":["MixtralForCausalLM"],"sliding_window":null}`
	gpt3     = `{"model_type":"gpt2","architectures":["GPT2LMHeadModel"],"vocab_size":51200,"n_positions":2048,"n_embd":12288,"n_layer":96,"n_head":96}`
)

// missing is a wrong answer about training, as a program gave it when it was read
// in November 2026, and the term that it omits or overcounts: exact − said.
type missing struct {
	term        string
	said, exact float64
	want        float64 // the term, worked out from the config
}

func (m *missing) check(t *testing.T) {
	t.Helper()
	if got := m.exact - m.said; math.Abs(got-m.want) > 1e-9*math.Abs(m.exact) {
		t.Errorf("%s: %.0f is said, %.0f is exact; the difference is %.0f, want %.0f", m.term, m.said, m.exact, got, m.want)
	}
}

// parts is what a part of a device's memory takes.
func parts(r *report.Report, p train.Part) float64 { return float64(r.Training.Memory.Parts[p]) }

// states is weights, gradients and optimizer.
func states(r *report.Report) float64 {
	return parts(r, train.Weights) + parts(r, train.Gradients) + parts(r, train.States)
}

// saved is the bytes of a layer that are kept for one reason, in the first kind of layer that has them.
func saved(t *testing.T, r *report.Report, what string) float64 {
	t.Helper()
	for i := range r.Training.Memory.Saved {
		if s := &r.Training.Memory.Saved[i]; s.What == what && !s.Again {
			return s.Layer
		}
	}
	return 0
}

// convention is a run's FLOPs for a token.
func convention(t *testing.T, r *report.Report, name string) float64 {
	t.Helper()
	for i := range r.Compute.Conventions {
		if c := &r.Compute.Conventions[i]; c.Name == name {
			return c.Token
		}
	}
	t.Fatal("no convention " + name)
	return 0
}

// TestPeersStates: bytes of weights, gradients and optimizer.
func TestPeersStates(t *testing.T) {
	mixed := answer(t, "seq=1", llama8b)
	// accelerate's "training with Adam" in 16 bits: 55.9 GiB, the largest of 4, 6 and 8 bytes for each
	// parameter of the base class. It adds nothing up, and has no head.
	said := 8 * float64(params8b-vh)
	if got := said / gibibyte; math.Abs(got-55.9) > 0.05 {
		t.Errorf("accelerate: %.2f GiB, it says 55.9", got)
	}
	(&missing{"the head's eight bytes, and the eight of 16-bit weights, gradients and fp32 weights", said, states(mixed), 8*vh + 8*params8b}).check(t)
	for precision, each := range map[string]float64{"megatron": 18, "deepspeed": 20} { // 16 to 20: 120 to 150 GiB
		if got := states(answer(t, "seq=1&precision="+precision, llama8b)); got != each*params8b {
			t.Errorf("%s: %.0f bytes of states, want %.0f for each parameter", precision, got, each)
		}
	}

	// DeepSpeed's estimators: 2P + 18P/N under ZeRO-2, which is its own recipe; 18P/N under ZeRO-3, where
	// its recipe keeps 20 and ZeRO's paper counts 16. No activations in any.
	const n = 64
	two := answer(t, "seq=4096&precision=deepspeed&zero=2&dp=64", llama8b)
	(&missing{"nothing of the states", 2*params8b + 18*params8b/float64(n), states(two), 0}).check(t)
	if parts(two, train.Activations) < 10*gibibyte {
		t.Error("no activations under ZeRO-2")
	}
	three := answer(t, "seq=4096&precision=deepspeed&zero=3&dp=64", llama8b)
	(&missing{"16-bit gradients, and the largest layer's weights, gathered", 18 * params8b / float64(n), states(three) + parts(three, train.Gathered), 2*params8b/float64(n) + 2*vh}).check(t)
	paper := answer(t, "seq=4096&zero=3&dp=64", llama8b)
	(&missing{"two bytes too many for the paper's recipe", 18 * params8b / float64(n), states(paper), -2 * params8b / float64(n)}).check(t)
	// Frozen parameters as trained ones: a base under adapters has neither gradients nor states.
	lora := answer(t, "seq=1&lora-rank=8", llama8b)
	(&missing{"gradients and states of the frozen base", 16*params8b + 16*float64(lora.Training.Trainable), states(lora), -14 * params8b}).check(t)

	// The cookbook's ZeRO-3 divides weights by TP·PP, and then by all devices; stages 0 and 1 leave
	// gradients whole under TP.
	const norms = (2*32 + 1) * 4096
	sharded := answer(t, "seq=1&zero=3&tp=2&dp=4", llama8b)
	each := 2 * (float64(params8b-norms)/2 + norms) // of one slice
	(&missing{"divided by tensor parallelism twice", each / 8, parts(sharded, train.Weights), each / 8}).check(t)
	whole := answer(t, "seq=1&zero=1&tp=2&dp=4", llama8b)
	(&missing{"gradients, halved by tensor parallelism", 2 * params8b, parts(whole, train.Gradients), each - 2*params8b}).check(t)
}

// TestPeersActivations: what is kept for the backward pass.
func TestPeersActivations(t *testing.T) {
	const s, h, f = 4096, 4096, 14336
	sbh := float64(s * h)
	// The cookbook's --checkpoint-activations: 34·s·b·h, which is selective recomputation of GPT. All but a
	// layer's input is 32 too many.
	full := answer(t, "seq=4096&recompute=full", llama8b)
	(&missing{"only the layer's input stays", 34 * sbh, saved(t, full, "layer inputs"), -32 * sbh}).check(t)

	// Megatron's 18 + 4f/h is 32·s·b·h for a layer of Llama-3-8B: an activation function of f values and
	// its input. A gate has two more of f: its own result and the product.
	plain := answer(t, "seq=4096", llama8b)
	(&missing{"the gate's result and the product", float64(2*2*s*f) + 2*sbh, saved(t, plain, "feed-forward"), 2 * 2 * s * f}).check(t)
	layer := 0.0
	for i := range plain.Training.Memory.Saved {
		if x := &plain.Training.Memory.Saved[i]; x.Layers == 32 && !x.Again {
			layer += x.Layer
		}
	}
	if said := 18 + 4.0*f/h; said != 32 || layer/sbh < 34 {
		t.Errorf("a layer keeps %.1f·s·b·h, where a formula without a gate says %.1f", layer/sbh, said)
	}
	// Experts as one feed-forward: two of them work on each token.
	moe := answer(t, "seq=4096", mixtral)
	if one, both := saved(t, plain, "feed-forward"), saved(t, moe, "experts"); both < 2*one {
		t.Errorf("two experts keep %.2f of what one feed-forward keeps; the second one is missing", both/one)
	}

	// A calculator that always stores the softmax: with flash attention none of it is kept.
	off := answer(t, "seq=4096&flash=off", llama8b)
	const a = 32
	if got, want := saved(t, off, "scores"), float64(6*a*s*s); math.Abs(got/want-1) > 0.01 {
		t.Errorf("scores: %.0f bytes a layer, want about %.0f", got, want)
	}
	if saved(t, plain, "scores") != 0 {
		t.Error("scores are stored with flash attention")
	}
	// The same one has no cache when it serves: 131,072 bytes a token.
	if got := float64(answer(t, "context=4096", llama8b).Cache.Bytes); got != 131072*4096 {
		t.Errorf("the cache that is missing is %.0f bytes", got)
	}
}

// TestPeersAdapters: gpu_poor adapts four square matrices in each layer, with rank 8.
// Totals that were reported of it (177 GB for a 7B, 43 GB where 28 were measured)
// and of DeepSpeed's estimator (0.49 GB for 14.7) do not say what was asked, so no
// test works them out; what they lack is here and in TestPeersStates.
func TestPeersAdapters(t *testing.T) {
	const said = 32 * 4 * 8 * (4096 + 4096)
	llama2 := `{"model_type":"llama","architectures":["LlamaForCausalLM"],"vocab_size":32000,"hidden_size":4096,"intermediate_size":11008,"num_hidden_layers":32,"num_attention_heads":32}`
	(&missing{"nothing where keys and values are as wide", said, float64(answer(t, "lora-rank=8&lora-targets=q,k,v,o", llama2).Training.Trainable), 0}).check(t)
	(&missing{"narrower keys and values", said, float64(answer(t, "lora-rank=8&lora-targets=q,k,v,o", llama8b).Training.Trainable), -32 * 2 * 8 * (4096 - 1024)}).check(t)
	(&missing{"the feed-forward matrices", said, float64(answer(t, "lora-rank=8", llama8b).Training.Trainable), 32*3*8*(4096+14336) - 32*2*8*(4096-1024)}).check(t)
	(&missing{"another rank", said, float64(answer(t, "lora-rank=16&lora-targets=q,k,v,o", llama2).Training.Trainable), said}).check(t)
}

// TestPeersFLOPs: FLOPs of training as EleutherAI's cookbook works them out.
func TestPeersFLOPs(t *testing.T) {
	const L, h, V, s, f = 32.0, 4096.0, 128256.0, 2048.0, 14336.0
	r := answer(t, "seq=2048&tokens=300B", gpt3)
	// GPT-3 on 300 B tokens: 4.29e23, because layers run four times unless it is told otherwise.
	exact := 300e9 * convention(t, r, "model-full")
	said := 300e9 * convention(t, r, "megatron")
	if math.Abs(said/4.29e23-1) > 0.01 || math.Abs(300e9*convention(t, r, "6nd")/3.14e23-1) > 0.01 {
		t.Errorf("%.3g and %.3g, want 4.29e23 and 3.14e23", said, 300e9*convention(t, r, "6nd"))
	}
	again := 300e9 * 96 * (24*12288*12288 + 4*2048*12288.0)
	(&missing{"layers run again", said, exact, -again}).check(t)

	// Its head is not multiplied by three: a forward pass of 2·V·h in place of 6·V·h.
	forward := 3*96*(24*12288*12288+4*2048*12288.0) + 2*51200*12288
	(&missing{"the head's backward pass", forward, convention(t, r, "model-full"), 4 * 51200 * 12288}).check(t)

	// --ffn-hidden-size is read and not used: f = 4h, two matrices, where Llama-3.1-8B has three of 14,336.
	llama := answer(t, "seq=2048", llama8b)
	other := 3 * (L*(2*h*(2*h+2*1024)+4*s*h) + 2*V*h) // attention, scores, head
	(&missing{"the gate, and the width that the config has", other + 3*L*2*2*h*4*h, convention(t, llama, "model-full"), 3 * L * 2 * (3*h*f - 2*h*4*h)}).check(t)

	// Experts in every other layer: the feed-forward part of the layers between is dropped.
	half := answer(t, "seq=2048", `{"model_type":"llama4_text","architectures":["Llama4ForCausalLM"],"interleave_moe_layer_step":2,"num_hidden_layers":48,"hidden_size":5120,"intermediate_size":8192,"intermediate_size_mlp":16384,"num_local_experts":128,"vocab_size":202048,"num_attention_heads":40,"num_key_value_heads":8,"head_dim":128}`)
	dense := 0.0
	for _, x := range half.Compute.Train.Forward.Terms {
		if x.Role.String() == "ffn" {
			dense += x.Matmul
		}
	}
	if want := 24 * 2 * 3 * 5120 * 16384 * 2048.0; dense != want {
		t.Errorf("24 dense layers multiply %.0f in their feed-forward part, want %.0f", dense, want)
	}
}

// TestPeersUtilisation: an MFU is a rate by a convention. The same run is 33.7% of
// an H100's peak with all pairs and 30.0% with those that are seen; with layers
// that run again counted as work it is 44.4%.
func TestPeersUtilisation(t *testing.T) {
	r := answer(t, "seq=8192", llama8b)
	for name, want := range map[string]float64{"model-full": 0.337, "model": 0.300, "palm": 0.356, "6nd": 0.281, "megatron": 0.444} {
		if got := compute.Utilisation(5762, convention(t, r, name), 989e12); math.Abs(got-want) > 0.0006 {
			t.Errorf("%s: %.4f, want %.3f", name, got, want)
		}
	}
}

// TestWithoutTables: N without embeddings has neither the table nor the head, nor learned positions; GPT's head
// is its table.
func TestWithoutTables(t *testing.T) {
	llama, gpt := answer(t, "seq=4096", llama8b), answer(t, "seq=2048", gpt3)
	layers := float64(params8b - 2*vh)
	for name, want := range map[string]float64{"6nd": 6 * params8b, "6nd-without-embedding": 6 * layers, "kaplan": 2*layers + 2*32*4096*4096} {
		if got := convention(t, llama, name); got != want {
			t.Errorf("llama, %s: %.0f a token, want %.0f", name, got, want)
		}
	}
	const inner = 96*(12*12288*12288+13*12288) + 2*12288 // matrices, biases and norms
	for name, want := range map[string]float64{"6nd": 6 * (inner + (51200+2048)*12288), "6nd-without-embedding": 6 * inner, "kaplan": 2*inner + 2*96*2048*12288} {
		if got := convention(t, gpt, name); got != want {
			t.Errorf("gpt, %s: %.0f a token, want %.0f", name, got, want)
		}
	}
}

// TestFrozenFormat: a frozen base that nobody names a format for is in the recipe's, whatever its file is in.
func TestFrozenFormat(t *testing.T) {
	const adapters = 32 * 8 * 2 * (4096 + 4096)
	wide := strings.Replace(llama8b, "{", `{"torch_dtype":"float32",`, 1)
	for link, want := range map[string]float64{"": 2*params8b + 2*adapters, "&weights=fp32": 4*params8b + 2*adapters, "&precision=fp32": 4*params8b + 4*adapters} {
		if got := parts(answer(t, "lora-rank=8&lora-targets=q,o"+link, wide), train.Weights); got != want {
			t.Errorf("%q: %.0f bytes of weights, want %.0f", link, got, want)
		}
	}
}
