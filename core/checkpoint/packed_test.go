package checkpoint_test

import (
	"fmt"
	"strings"
	"testing"

	"llmsize/core/checkpoint"
)

// replaced packs every matrix of the layers.
func replaced(pack func(module string, out, in int64) []one) []one {
	var list []one
	for _, t := range llamaTensors() {
		if len(t.shape) == 2 && strings.HasPrefix(t.name, "model.layers.") {
			list = append(list, pack(strings.TrimSuffix(t.name, ".weight"), t.shape[0], t.shape[1])...)
		} else {
			list = append(list, t)
		}
	}
	return list
}

// hqq is a config of HQQ's, in groups of 32.
func hqq(bits int) string {
	return fmt.Sprintf(`,"quantization_config":{"quant_method":"hqq","quant_config":{"weight_quant_params":{"nbits":%d,"group_size":32,"axis":1}}}`, bits)
}

// hqqModules is the same, module by module, for all but mlp.down_proj.
func hqqModules(bits int) string {
	var out []string
	for _, m := range llamaMatrices[:6] {
		out = append(out, fmt.Sprintf(`%q:{"weight_quant_params":{"nbits":%d,"group_size":32}}`, m.name, bits))
	}
	return strings.Join(out, ",")
}

// hqqBeside is what HQQ writes beside a matrix: one scale and one zero for each group of 32, and values of its config.
func hqqBeside(b string, out, in int64) []one {
	return []one{{b + ".scale", "BF16", []int64{out * in / 32, 1}}, {b + ".zero", "BF16", []int64{out * in / 32, 1}}, {b + ".nbits", "I32", []int64{1}}, {b + ".shape", "I32", []int64{2}}, {b + ".axis", "I32", []int64{1}}}
}

// TestPacked holds what quantizers write against the class: the formats' own
// shapes, written out beside each.
func TestPacked(t *testing.T) {
	const modules, layers = 7, 2
	const q = modules * layers
	// Elements of packing data, by what one of them serves.
	groups := func(size int64) (n int64) { // rows × groups of the inputs
		for _, m := range llamaMatrices {
			n += m.shape[0] * ((m.shape[1] + size - 1) / size)
		}
		return layers * n
	}
	ins, outs := int64(layers*(6*64+160)), int64(layers*(64+32+32+64+160+160+64))
	group := func(in, size int64) int64 { return (in + size - 1) / size }
	for _, c := range []struct {
		name, quant string
		pack        func(b string, out, in int64) []one
		want        string
	}{
		{"gptq 4 bits", `,"quantization_config":{"quant_method":"gptq","bits":4,"group_size":32}`, func(b string, out, in int64) []one {
			return []one{{b + ".qweight", "I32", []int64{in * 4 / 32, out}}, {b + ".qzeros", "I32", []int64{group(in, 32), out * 4 / 32}}, {b + ".scales", "F16", []int64{group(in, 32), out}}, {b + ".g_idx", "I32", []int64{in}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 3*q, groups(32)/8+groups(32)+ins)},
		{"gptq 3 bits, nothing said", `,"quantization_config":{"quant_method":"gptq"}`, func(b string, out, in int64) []one {
			return []one{{b + ".qweight", "I32", []int64{in * 3 / 32, out}}, {b + ".qzeros", "I32", []int64{group(in, 32), out * 3 / 32}}, {b + ".scales", "F16", []int64{group(in, 32), out}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 2*q, groups(32)*3/32+groups(32))},
		{"awq", `,"quantization_config":{"quant_method":"awq","bits":4,"group_size":32}`, func(b string, out, in int64) []one {
			return []one{{b + ".qweight", "I32", []int64{in, out * 4 / 32}}, {b + ".qzeros", "I32", []int64{group(in, 32), out * 4 / 32}}, {b + ".scales", "F16", []int64{group(in, 32), out}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 2*q, groups(32)/8+groups(32))},
		{"bitsandbytes nf4", `,"quantization_config":{"quant_method":"bitsandbytes","load_in_4bit":true}`, func(b string, out, in int64) []one {
			return []one{{b + ".weight", "U8", []int64{out * in / 2, 1}}, {b + ".weight.absmax", "F32", []int64{out * in / 64}}, {b + ".weight.quant_map", "F32", []int64{16}}, {b + ".weight.quant_state.bitsandbytes__nf4", "U8", []int64{80}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 3*q, layers*llamaMatrix/64+q*96)},
		{"bitsandbytes int8", `,"quantization_config":{"quant_method":"bitsandbytes","load_in_8bit":true}`, func(b string, out, in int64) []one {
			return []one{{b + ".weight", "I8", []int64{out, in}}, {b + ".SCB", "F32", []int64{out}}, {b + ".weight_format", "U8", nil}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 2*q, outs+q)},
		{"compressed-tensors w4a16", `,"quantization_config":{"quant_method":"compressed-tensors","format":"pack-quantized","config_groups":{"group_0":{"targets":["Linear"],"weights":{"num_bits":4,"group_size":32,"strategy":"group"}}}}`, func(b string, out, in int64) []one {
			return []one{{b + ".weight_packed", "I32", []int64{out, in * 4 / 32}}, {b + ".weight_scale", "BF16", []int64{out, group(in, 32)}}, {b + ".weight_shape", "I64", []int64{2}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 2*q, groups(32)+2*q)},
		{"compressed-tensors nvfp4", `,"quantization_config":{"quant_method":"compressed-tensors","format":"nvfp4-pack-quantized","config_groups":{"group_0":{"targets":["Linear"],"weights":{"num_bits":4,"type":"float","group_size":16}}}}`, func(b string, out, in int64) []one {
			return []one{{b + ".weight_packed", "U8", []int64{out, in / 2}}, {b + ".weight_scale", "F8_E4M3", []int64{out, in / 16}}, {b + ".weight_global_scale", "F32", []int64{1}}, {b + ".input_global_scale", "F32", []int64{1}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 3*q, groups(16)+2*q)},
		{"model optimizer nvfp4", `,"quantization_config":{"quant_method":"modelopt","quant_algo":"NVFP4"}`, func(b string, out, in int64) []one {
			return []one{{b + ".weight", "U8", []int64{out, in / 2}}, {b + ".weight_scale", "F8_E4M3", []int64{out, in / 16}}, {b + ".weight_scale_2", "F32", nil}, {b + ".input_scale", "F32", nil}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 3*q, groups(16)+2*q)},
		{"fp8 in blocks", `,"quantization_config":{"quant_method":"fp8","weight_block_size":[128,128]}`, func(b string, out, in int64) []one {
			return []one{{b + ".weight", "F8_E4M3", []int64{out, in}}, {b + ".weight_scale_inv", "F32", []int64{group(out, 128), group(in, 128)}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", q, layers*(4+2+2+2))},
		{"mx floats with exponents", `,"quantization_config":{"quant_method":"fp8"}`, func(b string, out, in int64) []one {
			return []one{{b + ".weight", "I8", []int64{out, in / 2}}, {b + ".scale", "F8_E8M0", []int64{out, in / 32}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", q, groups(32))},
		{"mlx 4 bits", `,"quantization":{"bits":4,"group_size":32}`, func(b string, out, in int64) []one {
			return []one{{b + ".weight", "U32", []int64{out, in * 4 / 32}}, {b + ".scales", "BF16", []int64{out, in / 32}}, {b + ".biases", "BF16", []int64{out, in / 32}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 2*q, 2*groups(32))},
		{"mlx, a module in 8 bits", `,"quantization":{"bits":4,"group_size":32,"model.layers.1.mlp.down_proj":{"bits":8,"group_size":32}}`, func(b string, out, in int64) []one {
			bits := int64(4)
			if b == "model.layers.1.mlp.down_proj" {
				bits = 8
			}
			return []one{{b + ".weight", "U32", []int64{out, in * bits / 32}}, {b + ".scales", "BF16", []int64{out, in / 32}}, {b + ".biases", "BF16", []int64{out, in / 32}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 2*q, 2*groups(32))},
		{"mlx, a module in bits that nobody names", `,"quantization":{"bits":4,"group_size":32}`, func(b string, out, in int64) []one {
			bits := int64(4)
			if strings.HasSuffix(b, "v_proj") {
				bits = 6
			}
			return []one{{b + ".weight", "U32", []int64{out, in * bits / 32}}, {b + ".scales", "BF16", []int64{out, in / 32}}, {b + ".biases", "BF16", []int64{out, in / 32}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 2*q, 2*groups(32))},
		{"compressed-tensors w3a16, ten to an integer", `,"quantization_config":{"quant_method":"compressed-tensors","format":"pack-quantized","config_groups":{"group_0":{"targets":["Linear"],"weights":{"num_bits":3,"group_size":32,"strategy":"group"}}}}`, func(b string, out, in int64) []one {
			return []one{{b + ".weight_packed", "I32", []int64{out, group(in, 10)}}, {b + ".weight_scale", "BF16", []int64{out, group(in, 32)}}, {b + ".weight_shape", "I64", []int64{2}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 2*q, groups(32)+2*q)},
		{"compressed-tensors with a mask of bits", `,"quantization_config":{"quant_method":"compressed-tensors","sparsity_config":{"format":"sparse-bitmask"}}`, func(b string, out, in int64) []one {
			return []one{{b + ".weight.compressed", "BF16", []int64{out * in / 3}}, {b + ".weight.bitmask", "U8", []int64{out, in / 8}}, {b + ".weight.row_offsets", "I64", []int64{out}}, {b + ".weight.shape", "I64", []int64{2}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 3*q, layers*llamaMatrix/8+outs+2*q)},
		{"quanto", `,"quantization_config":{"quant_method":"quanto","weights":"int8"}`, func(b string, out, in int64) []one {
			return []one{{b + ".weight._data", "I8", []int64{out, in}}, {b + ".weight._scale", "BF16", []int64{out, 1}}, {b + ".input_scale", "BF16", nil}, {b + ".output_scale", "BF16", nil}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 3*q, outs+2*q)},
		{"eetq, inputs first", `,"quantization_config":{"quant_method":"eetq"}`, func(b string, out, in int64) []one {
			return []one{{b + ".weight", "I8", []int64{in, out}}, {b + ".weight_scales", "F16", []int64{out}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", q, outs)},
		{"bitnet, four rows in a byte", `,"quantization_config":{"quant_method":"bitnet"}`, func(b string, out, in int64) []one {
			return []one{{b + ".weight", "U8", []int64{out / 4, in}}, {b + ".weight_scale", "BF16", []int64{1}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", q, q)},
		{"awq for one vector", `,"quantization_config":{"quant_method":"awq","bits":4,"group_size":32,"version":"gemv"}`, func(b string, out, in int64) []one {
			zeros := group(group(in, 32), 8) // eight zero points to an integer
			return []one{{b + ".qweight", "I32", []int64{out, in / 8}}, {b + ".qzeros", "I32", []int64{out, zeros}}, {b + ".scales", "F16", []int64{out, 8 * zeros}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 2*q, 9*outs)},
		{"fbgemm", `,"quantization_config":{"quant_method":"fbgemm_fp8"}`, func(b string, out, in int64) []one {
			return []one{{b + ".weight", "F8_E4M3", []int64{out, in}}, {b + ".weight_scale", "F32", []int64{out, 1}}, {b + ".input_scale_ub", "F32", []int64{1}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 2*q, outs+q)},
		{"hqq 4 bits", hqq(4), func(b string, out, in int64) []one {
			return append([]one{{b + ".W_q", "U8", []int64{out * in / 32 / 2, 32}}}, hqqBeside(b, out, in)...)
		}, fmt.Sprintf("extra; extra scale %d/%d", 5*q, 2*groups(32)+q*(1+2+1))},
		{"hqq 3 bits, ten in 32", hqq(3), func(b string, out, in int64) []one {
			return append([]one{{b + ".W_q", "I32", []int64{group(out*in/32, 10), 32}}}, hqqBeside(b, out, in)...)
		}, fmt.Sprintf("extra; extra scale %d/%d", 5*q, 2*groups(32)+q*(1+2+1))},
		{"hqq 2 bits, seen as 16-bit floats", hqq(2), func(b string, out, in int64) []one {
			return append([]one{{b + ".W_q", "F16", []int64{out * in / 32 / 4, 32 / 2}}}, hqqBeside(b, out, in)...)
		}, fmt.Sprintf("extra; extra scale %d/%d", 5*q, 2*groups(32)+q*(1+2+1))},
		{"hqq, a module of its own", `,"quantization_config":{"quant_method":"hqq","quant_config":{` + hqqModules(4) + `,"mlp.down_proj":{"weight_quant_params":{"nbits":8,"group_size":32}}}}`, func(b string, out, in int64) []one {
			per := int64(2)
			if strings.HasSuffix(b, "down_proj") {
				per = 1
			}
			return append([]one{{b + ".W_q", "U8", []int64{out * in / 32 / per, 32}}}, hqqBeside(b, out, in)...)
		}, fmt.Sprintf("extra; extra scale %d/%d", 5*q, 2*groups(32)+q*(1+2+1))},
		{"aqlm, groups of 8, two books of 256", `,"quantization_config":{"quant_method":"aqlm","in_group_size":8,"out_group_size":1,"num_codebooks":2,"nbits_per_codebook":8}`, func(b string, out, in int64) []one {
			return []one{{b + ".codes", "I8", []int64{out, in / 8, 2}}, {b + ".codebooks", "BF16", []int64{2, 256, 1, 8}}, {b + ".scales", "BF16", []int64{out, 1, 1, 1}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 2*q, q*2*256*8+outs)},
		{"compressed-tensors marlin-24", `,"quantization_config":{"quant_method":"compressed-tensors","format":"marlin-24","config_groups":{"group_0":{"targets":["Linear"],"weights":{"num_bits":4,"strategy":"channel"}}}}`, func(b string, out, in int64) []one {
			return []one{{b + ".weight_packed", "I32", []int64{in / 2 / 16, out * 16 * 4 / 32}}, {b + ".scale_packed", "F16", []int64{1, out}}, {b + ".meta", "I16", []int64{out / 2, in / 8}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 2*q, outs+layers*llamaMatrix/16)},
		{"marlin", `,"quantization_config":{"quant_method":"gptq","checkpoint_format":"marlin","bits":4,"group_size":-1}`, func(b string, out, in int64) []one {
			return []one{{b + ".B", "I32", []int64{in / 16, out * 16 / 8}}, {b + ".s", "F16", []int64{1, out}}, {b + ".workspace", "I32", []int64{16}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 2*q, outs+16*q)},
		{"torchao, eight-bit floats", `,"quantization_config":{"quant_method":"torchao","quant_type":{"default":{"_type":"Float8WeightOnlyConfig","_data":{}}}}`, func(b string, out, in int64) []one {
			return []one{{b + "._weight_qdata", "F8_E4M3", []int64{out, in}}, {b + "._weight_scale", "F32", []int64{out, 1}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", q, outs)},
		{"torchao, four bits", `,"quantization_config":{"quant_method":"torchao","quant_type":{"default":{"_type":"Int4WeightOnlyConfig","_data":{"group_size":32}}}}`, func(b string, out, in int64) []one {
			return []one{{b + "._weight_qdata", "U8", []int64{out, in / 2}}, {b + "._weight_scale", "BF16", []int64{in / 32, out}}, {b + "._weight_zero_point", "BF16", []int64{in / 32, out}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 2*q, 2*groups(32))},
		{"fp-quant", `,"quantization_config":{"quant_method":"fp_quant","forward_dtype":"mxfp4"}`, func(b string, out, in int64) []one {
			return []one{{b + ".qweight", "U8", []int64{out, in / 2}}, {b + ".scales", "U8", []int64{out, in / 32}}, {b + ".weight_global_scale", "BF16", []int64{1}}, {b + ".act_global_scale", "BF16", []int64{1}}, {b + ".forward_hadamard_matrix", "BF16", []int64{32, 32}}, {b + ".backward_hadamard_matrix", "BF16", []int64{32, 32}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 5*q, groups(32)+q*(1+1+2*32*32))},
		{"higgs", `,"quantization_config":{"quant_method":"higgs","bits":4,"group_size":32}`, func(b string, out, in int64) []one {
			return []one{{b + ".weight", "I16", []int64{out * 4 / 16, in}}, {b + ".scales", "BF16", []int64{out, in / 32}}, {b + ".tables", "BF16", []int64{16}}, {b + ".tables2", "BF16", []int64{16, 16, 2}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 3*q, groups(32)+q*(16+16*16*2))},
		// A bias that the class lacks, as AutoGPTQ's modules write one: 14 of them, as long as the outputs.
		{"gptq with biases", `,"quantization_config":{"quant_method":"gptq","bits":4,"group_size":32}`, func(b string, out, in int64) []one {
			return []one{{b + ".qweight", "I32", []int64{in * 4 / 32, out}}, {b + ".qzeros", "I32", []int64{group(in, 32), out * 4 / 32}}, {b + ".scales", "F16", []int64{group(in, 32), out}}, {b + ".bias", "F16", []int64{out}}}
		}, fmt.Sprintf("extra; extra buffer %d/%d; extra scale %d/%d", q, outs, 2*q, groups(32)/8+groups(32))},
		// What is packed in a way that nobody here unpacks: three tensors in place of each matrix.
		{"vptq", `,"quantization_config":{"quant_method":"vptq"}`, func(b string, out, in int64) []one {
			return []one{{b + ".indices", "I32", []int64{1, out, in / 32}}, {b + ".centroids.weight", "BF16", []int64{1, 256 * 8}}, {b + ".perm", "I16", []int64{in}}}
		}, fmt.Sprintf("extra; extra scale %d/%d", 3*q, layers*llamaMatrix/32+q*256*8+ins)},
		{"fp8 that the config does not name", "", func(b string, out, in int64) []one {
			return []one{{b + ".weight", "F8_E4M3", []int64{out, in}}}
		}, fmt.Sprintf("precision; precision other %d/%d", q, layers*llamaMatrix)},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg, m := describe(t, fmt.Sprintf(llama, c.quant))
			l := mustRead(t, replaced(c.pack))
			v := checkpoint.Verify(l, cfg, m)
			biases := int64(0)
			if c.name == "gptq with biases" {
				biases = outs
			}
			if unread := c.name == "vptq"; unread && (v.Unread != q || v.Assumed != layers*llamaMatrix) || !unread && v.Unread != 0 {
				t.Errorf("%d matrices of %d elements are not unpacked", v.Unread, v.Assumed)
			}
			if got := summary(&v); got != c.want || v.Parameters != llamaParameters+biases || v.Config != llamaParameters {
				t.Errorf("%s; %d parameters of %d, want %s; %d\n%+v", got, v.Parameters, v.Config, c.want, llamaParameters, v.Differences)
			}
		})
	}
}
