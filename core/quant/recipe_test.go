package quant_test

import (
	"testing"

	"llmsize/core/quant"
	"llmsize/core/query"
)

// TestNames holds the recipes against the names that a query may hold.
func TestNames(t *testing.T) {
	all := quant.Recipes()
	if len(all)+1 != len(query.WeightFormats) {
		t.Errorf("%d recipes, the query knows %d beside auto", len(all), len(query.WeightFormats)-1)
	}
	for i, r := range all {
		if i+1 < len(query.WeightFormats) && query.WeightFormats[i+1] != r.Name {
			t.Errorf("recipe %d is %s, in the query %s", i, r.Name, query.WeightFormats[i+1])
		}
		if back, ok := quant.Named(r.Name); !ok || back.Name != r.Name {
			t.Errorf("%s is not found by its name", r.Name)
		}
		if r.Text == "" || quant.SourceOf(&r) == "" {
			t.Errorf("%s has no text or no source", r.Name)
		}
	}
	if _, ok := quant.Named("q4_k"); ok {
		t.Error("q4_k is a type, not a recipe, and was found")
	}
}

// Llama-3.1-8B: 32 layers of 4096·4096·2 + 4096·1024·2 + 3·4096·14336 elements
// in linear layers; an embedding and a head of 128256·4096; 65 norms of 4096.
const (
	linear = 32 * (2*4096*4096 + 2*4096*1024 + 3*4096*14336) // 6,979,321,856
	outer  = 2 * 128256 * 4096                               // 1,050,673,152
	norms  = 65 * 4096                                       // 266,240
	left   = 2 * (outer + norms)                             // what stays in 16 bits
	rows   = 32 * (2*4096 + 2*1024 + 2*14336 + 4096)         // outputs of all linear layers
	inputs = 32 * (6*4096 + 14336)                           // inputs of all linear layers
)

func TestLlama(t *testing.T) {
	m, cfg := describe(t, "llama-3.1-8b")
	for _, c := range []struct {
		recipe string
		want   int64
	}{
		{"fp32", 4 * (linear + outer + norms)},
		{"bf16", 2 * (linear + outer + norms)},
		{"fp16", 2 * (linear + outer + norms)},
		{"fp8", linear + outer + norms},
		{"int8", linear + outer + norms},
		// four bits, a 16-bit scale and a 4-bit zero point for 128: 5,727,854,592
		// (not 4.0 GB, half a byte for each parameter, which leaves embedding, head and
		// scales out)
		{"awq-g128", left + linear/2 + linear/128*2 + linear/128/2},
		{"gptq-g128", left + linear/2 + linear/128*2 + linear/128/2},
		{"gptq-g64", left + linear/2 + linear/64*2 + linear/64/2},
		{"gptq-g32", left + linear/2 + linear/32*2 + linear/32/2},
		{"gptq-g128-gidx", left + linear/2 + linear/128*2 + linear/128/2 + 4*inputs},
		{"w4a16-g128", left + linear/2 + linear/128*2}, // symmetric: no zero points
		{"w4a16", left + linear/2 + 2*rows},            // a scale for each row
		{"gptq8-g128", left + linear + linear/128*2 + linear/128},
		{"w8a8", left + linear + 2*rows},
		{"llm-int8", left + linear + 4*rows},
		{"fp8-block", left + linear + linear/(128*128)*4},
		{"mxfp8", left + linear + linear/32},
		{"nvfp4", left + linear/2 + linear/16 + 4*32*7},
		{"nf4", left + linear/2 + linear/64*4},
		// scales in one byte, and one of four bytes for 256 of them: 5.70 GB
		{"nf4-dq", left + linear/2 + linear/64 + linear/64/256*4},
		{"mxfp4", 2 * (linear + outer + norms)}, // experts only: it has none
		// embedding and head too; a scale and a bias of 16 bits for 64
		{"mlx-q4", (linear+outer)/2 + (linear+outer)/64*4 + 2*norms},
		{"mlx-q8", linear + outer + (linear+outer)/64*4 + 2*norms},
	} {
		if w := weigh(t, m, cfg, c.recipe); w.Bytes != c.want || w.Elements != linear+outer+norms {
			t.Errorf("%s: %d bytes of %d elements, want %d of %d", c.recipe, w.Bytes, w.Elements, c.want, int64(linear+outer+norms))
		}
	}
	if w := weigh(t, m, cfg, "awq-g128"); w.Bytes != 5_727_854_592 {
		t.Errorf("AWQ: %d bytes, published are 5,727,854,592", w.Bytes)
	}
}

// TestBitsPerWeight holds whole files of Llama-3.1-8B against what llama.cpp
// publishes (tools/quantize/README.md), rounded there to four digits.
func TestBitsPerWeight(t *testing.T) {
	m, cfg := describe(t, "llama-3.1-8b")
	for name, want := range map[string]float64{
		"q2_k": 3.159, "q3_k_s": 3.643, "q3_k_l": 4.298, "iq4_xs": 4.460, "q4_k_s": 4.667, "q4_k_m": 4.894, "q5_k_s": 5.570, "q5_k_m": 5.704,
		"q6_k": 6.563, "q8_0": 8.501, "iq2_xxs": 2.382, "iq3_xxs": 3.255, "f16": 16.0005,
	} {
		w := weigh(t, m, cfg, name)
		if got := float64(w.BitsPerWeight()) / 1e6; got < want-0.0011 || got > want+0.0011 {
			// IQ3_XXS is published from a run with an importance matrix, which spares
			// ffn_down the raise to Q4_K and Q3_K.
			if name == "iq3_xxs" && got > 3.37 && got < 3.38 {
				continue
			}
			t.Errorf("%s: %.4f bits per weight, published are %.4f", name, got, want)
		}
	}
}

// TestGPTOSS holds gpt-oss against the total_size of its index: experts in MXFP4,
// the rest in bf16.
func TestGPTOSS(t *testing.T) {
	for slug, want := range map[string]int64{
		// experts 24·32·3·2880·2880 = 19,110,297,600 at 17 bytes for 32, and 1,804,459,584 others
		"gpt-oss-20b": 19_110_297_600/32*17 + 2*1_804_459_584, // 13,761,264,768, as published
		// experts 36·128·3·2880·2880 = 114,661,785,600, and 2,167,371,072 others
		"gpt-oss-120b": 114_661_785_600/32*17 + 2*2_167_371_072, // 65,248,815,744
	} {
		m, cfg := describe(t, slug)
		if w := weigh(t, m, cfg, "mxfp4"); w.Bytes != want {
			t.Errorf("%s: %d bytes, want %d", slug, w.Bytes, want)
		}
		if r, why, _ := quant.Own(&cfg); r.Name != "mxfp4" || why != "quantization_config" {
			t.Errorf("%s: its own recipe is %q by %q", slug, r.Name, why)
		}
	}
}

// TestMLX holds mlx-q4 against a published file: model.safetensors of
// Llama-3-8B-Instruct-Gradient-1048k-4bit, whose matrices are those of Llama-3.1-8B, is 4.52 GB
// (ml-explore/mlx-examples#754, 2024-05-05): to half a unit of the last digit, 0.11%.
func TestMLX(t *testing.T) {
	m, cfg := describe(t, "llama-3.1-8b")
	if w := weigh(t, m, cfg, "mlx-q4"); w.Bytes < 4_515_000_000 || w.Bytes >= 4_525_000_000 {
		t.Errorf("%d bytes, published are 4.52 GB", w.Bytes)
	}
}

// TestDeepSeekV3 takes the published checkpoint apart. The class has no layer that
// predicts further tokens; the checkpoint has one, with embedding and head again.
func TestDeepSeekV3(t *testing.T) {
	m, cfg := describe(t, "deepseek-v3")
	w := weigh(t, m, cfg, "fp8-block")
	const (
		h        = 7168
		again    = 2*129280*h + 2*h*h + 256*h    // embedding, head, eh_proj, router: 16 bits
		vectors  = 2*h + 1536 + 512 + 2*h + h    // norms
		all      = 684_489_845_504               // elements with that layer, without scales
		extra    = all - 671_026_419_200         // elements of that layer
		eighth   = extra - again - vectors - 256 // in eight bits
		squares  = eighth/(128*128) + 28         // kv_a is 4½ squares high: 56 half squares
		extraRaw = eighth + 4*squares + 2*(again+vectors) + 4*256
	)
	var fp8 quant.Of
	for _, x := range w.Types {
		if x.Type == "fp8 128×128" {
			fp8 = x
		}
	}
	// The checkpoint's stored elements are published with the scales.
	if scales := (fp8.Bytes-fp8.Elements)/4 + squares; all+scales != 684_531_386_000 {
		t.Errorf("%d scales, published are %d", scales, int64(684_531_386_000-all))
	}
	// 163 files take 688,586,727,753 bytes with their headers of 73 kB.
	if got := w.Bytes + extraRaw; got > 688_586_727_753 || got < 688_586_727_753-163*75_000 {
		t.Errorf("%d bytes of tensors; the files take 688,586,727,753 with headers", got)
	}
	if r, _, _ := quant.Own(&cfg); r.Name != "fp8-block" {
		t.Errorf("its own recipe is %s", r.Name)
	}
}

// A matrix that a recipe cannot take stays in 16 bits, and a recipe that reaches
// nothing says so.
func TestFallbacks(t *testing.T) {
	// GPT-2's heads and widths are multiples of 64 but not of 128 (n_embd = 64·25).
	m, cfg := describe(t, "gpt2-xl")
	w := weigh(t, m, cfg, "awq-g128")
	const h, layers = 1600, 48
	// c_fc reads 1600 inputs, which 128 does not divide; its own output, 6400, it does.
	packed := int64(layers * h * 4 * h) // mlp.c_proj alone reads 6400
	want := 2*(w.Elements-packed) + packed/2 + packed/128*2 + packed/128/2
	if w.Bytes != want {
		t.Errorf("gpt2-xl in awq-g128: %d bytes, want %d", w.Bytes, want)
	}
	m, cfg = describe(t, "llama-3.1-8b")
	if w := weigh(t, m, cfg, "mxfp4"); len(w.Notes) != 1 {
		t.Errorf("mxfp4 of a model without experts: notes %v", w.Notes)
	}
	if w := weigh(t, m, cfg, "nf4-dq"); w.Metadata != 224*(16+256)*4 {
		t.Errorf("nf4-dq: %d bytes of metadata, want 224 tables of 16 and of 256 numbers", w.Metadata)
	}
}

// TestRouterNote says what files made by convert_hf_to_gguf add to the dry run.
func TestRouterNote(t *testing.T) {
	m, cfg := describe(t, "mixtral-8x7b")
	w := weigh(t, m, cfg, "q4_k_m")
	want := "routers are counted in F16; files made by convert_hf_to_gguf keep them in F32, which is 2,097,152 bytes more" // 32·8·4096·2
	if len(w.Notes) != 1 || w.Notes[0].Text != want {
		t.Errorf("notes: %v", w.Notes)
	}
}

// TestRefusedNote: matrices that a recipe cannot take keep 16 bits, or the type
// that stands in, and the answer says how many they are.
func TestRefusedNote(t *testing.T) {
	for _, c := range [][3]string{
		// 30 layers: q, k, v, o, gate and up have rows of 576 = 4.5 · 128; down has 1,536.
		{"smollm-135m", "awq-g128", "180 matrices stay in bf16: int4 g128 takes rows of a multiple of 128, and a multiple of 8 of them"},
		// 24 layers: all but down have rows of 896 = 3.5 · 256, and the embedding.
		{"qwen2.5-0.5b", "q4_k_m", "145 matrices have rows that blocks of 256 do not divide; they take the type that stands in: Q5_0 for Q4_K"},
		{"llama-3.1-8b", "q4_k_m", ""}, {"llama-3.1-8b", "awq-g128", ""},
	} {
		m, cfg := describe(t, c[0])
		w := weigh(t, m, cfg, c[1])
		got := ""
		if len(w.Notes) > 0 {
			got = w.Notes[0].Text
		}
		if got != c[2] {
			t.Errorf("%s in %s: %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

func BenchmarkWeigh(b *testing.B) {
	for _, slug := range []string{"llama-3.1-8b", "deepseek-v3"} {
		m, cfg := describe(b, slug)
		for _, name := range []string{"bf16", "awq-g128", "q4_k_m"} {
			r, _ := quant.Named(name)
			b.Run(slug+"/"+name, func(b *testing.B) {
				for b.Loop() {
					quant.Weigh(m, &r, &cfg)
				}
			})
		}
	}
}
