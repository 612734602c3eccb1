package quant

// nf4 is bitsandbytes' four-bit NormalFloat (or FP4): half a byte an element and
// one absmax for 64 of them, in 32 bits: 4 + 32/64 = 4.5 bits a weight. With
// double quantization the absmax has eight bits, and 256 of them share one of
// 32: 4 + 8/64 + 32/(64·256) = 4.127 (Dettmers et al. 2023, arXiv 2305.14314,
// section 3). Files also keep the code's 16 values (and 256 for the nested
// scales) beside each tensor: metadata.
func nf4(name string, double bool) scheme {
	s := scheme{name: name, bits: 4, spread: perFlat, size: 64, scale: 32, meta: 16 * 4}
	if double {
		s.name += " dq"
		s.scale, s.second = 8, 256
		s.meta += 256 * 4
	}
	return s
}
