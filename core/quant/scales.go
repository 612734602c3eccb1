package quant

import (
	"llmsize/core/config"
	"llmsize/core/model"
)

// Scales is how many scales a checkpoint in the config's own quantization stores,
// as elements: one in 32 bits for each block or matrix of fp8 weights, one in
// eight for every 32 weights of MXFP4. ok is false for formats whose packing data are
// not of one kind. Without quantization there are none.
func Scales(m *model.Model, cfg *config.Value) (n int64, ok bool) {
	if !Quantized(cfg) {
		return 0, true
	}
	q := cfg.Get("quantization_config")
	method := q.Get("quant_method").Text
	if method != "fp8" && method != "mxfp4" || cfg.Get("expert_dtype").Kind != config.Absent {
		return 0, false
	}
	r, _, warnings := Own(cfg)
	if len(warnings) > 0 || r.plan.linear == nil {
		return 0, false
	}
	w, err := r.plan.weigh(m, r.Name)
	if err != nil {
		return 0, false
	}
	s := r.plan.linear
	for _, x := range w.Runs {
		if x.Type != s.name {
			continue
		}
		packed, fits := product(x.Elements, s.bits)
		if !fits || s.scale <= 0 {
			return 0, false
		}
		each, fits := product((x.Bytes-packed/8)*8/s.scale, x.Tensors)
		if n += each; !fits || n < 0 {
			return 0, false
		}
	}
	return n, true
}
