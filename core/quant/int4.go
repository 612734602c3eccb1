package quant

// Whole numbers of four bits, one scale for a group of inputs. All keep
// embeddings, head, norms and routers in 16 bits.

// awq is AutoAWQ's GEMM layout: qweight [in, out/8] of 32-bit words, qzeros
// [in/g, out/8], scales [in/g, out] in 16 bits: 4 + 16/g + 4/g bits a weight,
// 4.15625 at 128. Source: Lin et al. 2023, arXiv 2306.00978, section 3;
// AutoAWQ, awq/modules/linear/gemm.py.
func awq(bits, group int64) scheme {
	s := scheme{name: "int" + itoa(bits) + " g" + itoa(group), bits: bits, spread: perGroup, size: group, scale: 16, zero: bits, in: group, out: 32 / bits}
	if group <= 0 {
		s.name, s.spread, s.in = "int"+itoa(bits)+" rows", perRow, 0
	}
	return s
}

// gptq is AutoGPTQ's layout: qweight [in·bits/32, out], qzeros [⌈in/g⌉,
// out·bits/32], scales [⌈in/g⌉, out] in 16 bits; with act-order also g_idx [in]
// in 32 bits. Matrices whose sides aren't multiples of 32 are left alone.
// Source: Frantar et al. 2022, arXiv 2210.17323, section 3; AutoGPTQ,
// auto_gptq/nn_modules/qlinear/qlinear_cuda.py, pack.
func gptq(bits, group int64, order bool) scheme {
	s := scheme{name: "int" + itoa(bits) + " g" + itoa(group), bits: bits, spread: perGroup, size: group, scale: 16, zero: bits, in: 32, out: 32}
	if group <= 0 {
		s.name, s.spread = "int"+itoa(bits)+" rows", perRow
	}
	if order {
		s.index = 32
	}
	return s
}

// packed is compressed-tensors' pack-quantized layout: weight_packed [out,
// in·bits/32] of 32-bit words, weight_scale [out, in/g] in 16 bits, and, when
// not symmetric, weight_zero_point packed likewise; g_idx with act-order.
// weight_shape, two 64-bit numbers, is metadata. Source: compressed-tensors,
// compressors/quantized_compressors/pack_quantized.py.
func packed(bits, group int64, symmetric, order bool) scheme {
	s := scheme{name: "int" + itoa(bits) + " g" + itoa(group), bits: bits, spread: perGroup, size: group, scale: 16, in: group, meta: 16}
	if group <= 0 {
		s.name, s.spread, s.in = "int"+itoa(bits)+" rows", perRow, 0
	}
	if !symmetric {
		s.zero = bits
	}
	if order {
		s.index = 32
	}
	return s
}

// mlx is MLX's affine layout: weight [out, in·bits/32] of 32-bit words, scales
// and biases [out, in/g] in 16 bits: bits + 32/g. Embedding and head are packed
// too; a matrix whose rows aren't a multiple of the group stays as it was.
// Source: mlx, mlx/nn/layers/quantized.py; mlx-lm, mlx_lm/utils.py,
// quantize_model.
func mlx(bits, group int64) scheme {
	return scheme{name: "int" + itoa(bits) + " g" + itoa(group), bits: bits, spread: perGroup, size: group, scale: 16, zero: 16, in: group}
}
