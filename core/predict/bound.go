package predict

import (
	"math"

	"llmsize/core/compute"
	"llmsize/core/device"
)

// Bound is a pass at best on the arithmetic that an engine uses: no run is faster.
type Bound struct {
	compute.Time
	Rate   float64       // FLOP/s of one device; 0 where no source gives the rate of that arithmetic
	Format device.Format // whose rate it is
}

// Ceiling is the fastest rate at which an engine may multiply weights of a format on a device, in FLOP/s, and whose it is.
// It is 0 where no source gives the rate of that arithmetic: then bandwidth alone bounds.
//
// llama.cpp multiplies its blocks as 8-bit integers and 16-bit weights with fp16 sums where that is faster (ggml-cuda, mmq.cu
// and ggml-cuda.cu), and so do its relatives; ExLlama widens to fp16 with fp16 sums. The others multiply as
// [device.Device.Rate] has it, of 16-bit formats the faster.
func Ceiling(d *device.Device, engine, weights string) (float64, device.Format) {
	if gguf(weights) && weights != "f16" && weights != "gguf-bf16" {
		return known(d, device.INT8)
	}
	if device.Wanted(weights) == device.BF16 || device.Wanted(weights) == device.FP16 {
		formats := []device.Format{device.BF16, device.FP16}
		if halves(engine) {
			formats = append(formats, device.Half)
		}
		return known(d, formats...)
	}
	rate, f := d.Rate(weights)
	return float64(rate), f
}

// Scale is the speed that an engine's prefills are measured against, in FLOP/s: for llama.cpp on NVIDIA's cards, where it has
// kernels of its own that multiply on matrix units and unpack, scale and sum on vector units, the geometric mean of both, the
// arithmetic of [Ceiling] and fp32; for llama.cpp elsewhere twice the vector units; else, and where those are not known, [Rate].
// It is a scale, not a bound: what engines reach of it is fitted.
func Scale(d *device.Device, engine, weights string) float64 {
	if gguf(weights) {
		if r, _ := Ceiling(d, engine, weights); r > 0 && d.Maker == "NVIDIA" {
			vector := float64(d.Peak[device.FP32])
			if vector == 0 {
				vector = float64(r / 8) // as on most of its cards
			}
			return math.Sqrt(float64(r * vector))
		}
		if v := d.Peak[device.FP32]; v > 0 && d.Maker != "NVIDIA" {
			return float64(2 * float64(v))
		}
	}
	return Rate(d)
}

// halves reports whether an engine may sum in fp16.
func halves(engine string) bool {
	for _, p := range [...]string{"llama", "ik_llama", "ollama", "exllama"} {
		if len(engine) >= len(p) && engine[:len(p)] == p {
			return true
		}
	}
	return false
}

// known is the fastest of some formats that a device's sources state.
func known(d *device.Device, formats ...device.Format) (float64, device.Format) {
	best := formats[0]
	for _, f := range formats {
		if d.Peak[f] > d.Peak[best] {
			best = f
		}
	}
	return float64(d.Peak[best]), best
}

// Decode is the least seconds of a step: one token for each of some sequences, with the bytes that each has cached.
func (b *Bound) Decode(w *Work, sequences, cache float64) compute.Time {
	read := float64(w.Weights(int64(sequences+0.5)) + float64(cache*sequences))
	return b.pass(w, float64(sequences*float64(w.Matmul+w.Head)), read)
}

// Prefill is the least seconds of reading tokens of each of some sequences; scores is the FLOPs of attention for each.
func (b *Bound) Prefill(w *Work, tokens, sequences, scores float64) compute.Time {
	flops := float64(sequences * float64(float64(tokens*w.Matmul)+float64(w.Head+scores)))
	return b.pass(w, flops, w.Weights(int64(tokens*sequences+0.5)))
}

// Token is the least seconds between a user's tokens under load: a pass over that user's sequence, whoever else is served.
func (b *Bound) Token(w *Work, cache float64) float64 { return b.Decode(w, 1, cache).Seconds }

// First is the least seconds until a user's first token. Stages may read parts of one prompt at a time.
func (b *Bound) First(w *Work, tokens, scores float64) float64 {
	return float64(b.Prefill(w, tokens, 1, scores).Seconds / w.PP)
}

// Request is the least seconds of all devices together for a user's prompt and answer: what has to be multiplied, at the peak.
func (b *Bound) Request(w *Work, prompt, output, scores float64) float64 {
	if b.Rate == 0 {
		return 0
	}
	flops := float64(float64(float64(prompt+output-1)*w.Matmul) + float64(float64(output*w.Head)+scores))
	return float64(flops / float64(float64(b.Rate*w.TP)*float64(w.PP*w.DP)))
}

// pass is the roofline of a replica's devices.
func (b *Bound) pass(w *Work, flops, bytes float64) compute.Time {
	return compute.Roofline(compute.Machine{Peak: float64(b.Rate * w.TP), Bandwidth: float64(w.Bandwidth * w.TP)}, compute.Load{FLOPs: flops, Bytes: bytes})
}
