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

// TestPacked holds what quantizers write against the class: the formats' own
// shapes, written out beside each.
func TestPacked(t *testing.T) {
	const modules, layers = 7, 2
	const q = modules * layers
	// Elements of packing data, by what there is one of for so many.
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
		{"fp8 that the config does not name", "", func(b string, out, in int64) []one {
			return []one{{b + ".weight", "F8_E4M3", []int64{out, in}}}
		}, fmt.Sprintf("precision; precision other %d/%d", q, layers*llamaMatrix)},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg, m := describe(t, fmt.Sprintf(llama, c.quant))
			l := mustRead(t, replaced(c.pack))
			v := checkpoint.Verify(l, cfg, m)
			if got := summary(&v); got != c.want || v.Parameters != llamaParameters || v.Config != llamaParameters {
				t.Errorf("%s; %d parameters of %d, want %s; %d\n%+v", got, v.Parameters, v.Config, c.want, llamaParameters, v.Differences)
			}
		})
	}
}
