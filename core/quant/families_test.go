package quant_test

import (
	"os"
	"sort"
	"strings"
	"testing"

	"llmsize/build/oracle"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/model"
	"llmsize/core/quant"
)

// TestEveryFamily weighs the defaults of every type in every recipe: nothing is
// lost or counted twice, and no recipe takes more than 32 bits a weight.
func TestEveryFamily(t *testing.T) {
	lib := families.Library()
	recipes := quant.Recipes()
	for _, folder := range []string{"causal", "seq2seq", "masked", "encoder", "vlm"} {
		files, err := oracle.LoadDir(os.DirFS("../family/testdata"), folder)
		if err != nil {
			t.Fatal(err)
		}
		names := make([]string, 0, len(files))
		for n := range files {
			names = append(names, n)
		}
		sort.Strings(names)
		for _, n := range names {
			if _, ok := lib.File(files[n].ModelType); !ok || len(files[n].Cases) == 0 {
				continue
			}
			cfg, bad := config.ParseObject(string(files[n].Cases[0].Config))
			if bad != nil {
				t.Fatal(bad)
			}
			m, fail := family.Describe(cfg, lib)
			if fail != nil {
				continue
			}
			t.Run(folder+"/"+n, func(t *testing.T) { weighAll(t, m, &cfg, recipes) })
		}
	}
}

func weighAll(t *testing.T, m *model.Model, cfg *config.Value, recipes []quant.Recipe) {
	var stored, dropped int64
	m.Each(func(_ *model.Block, _ *model.Kind, _ *model.Part, x *model.Tensor, layers int64) {
		n := x.Elements * x.Copies * layers
		stored += n
		if n := "." + x.Name; strings.Contains(n, ".pooler.") || strings.Contains(n, ".predictions.") {
			dropped += x.Elements * x.Copies * layers // a GGUF file has no such tensors
		}
	})
	for _, r := range recipes {
		w, err := quant.Weigh(m, &r, cfg)
		if err != nil {
			t.Fatalf("%s: %v", r.Name, err)
		}
		want, extra := stored, int64(0)
		if r.GGUF() {
			want -= dropped
		}
		var sum, elements, bytes int64
		for _, x := range w.Types {
			elements, bytes = elements+x.Elements, bytes+x.Bytes
		}
		for _, s := range w.Runs {
			n := s.Tensors
			sum += s.Elements * n
			if strings.HasPrefix(s.Name, "rope_") {
				extra += s.Elements * n
			}
		}
		if r.Bits == 0 && sum-extra != want || elements-extra != want || bytes != w.Bytes {
			t.Errorf("%s: %d elements in runs, %d in types, want %d; %d bytes in types, %d in all", r.Name, sum-extra, elements-extra, want, bytes, w.Bytes)
		}
		if w.Bytes > 4*w.Elements || w.Bytes <= 0 {
			t.Errorf("%s: %d bytes for %d elements", r.Name, w.Bytes, w.Elements)
		}
	}
}

// TestCareful: what llama.cpp's quantiser spares beside norms and routers
// (tensor_allows_quantization in src/llama-quant.cpp): MiniMax's indexer, and in
// GLM-5.3 what steers the recurrence, the latent's keys and values and the streams'
// mixing; its queries' latent stays in eight bits.
func TestCareful(t *testing.T) {
	for model, want := range map[string]map[string]string{
		"glm5_next_text": {"ssm_f_a": "F16", "ssm_beta": "F16", "attn_kv_a_mqa": "F16", "attn_k_b": "F16", "attn_v_b": "F16", "indexer.attn_k": "F16", "hc_ffn_fn": "F16", "attn_q_a": "Q8_0", "attn_q_b": "Q8_0", "ffn_up_exps": "Q4_K", "attn_q": "Q4_K"},
		`minimax_m3_vl_text","num_hidden_layers":1,"layer_types":["minimax_m3_sparse"],"x":"`: {"indexer.q_proj": "F16", "indexer.k_proj": "F16", "attn_q": "Q4_K"},
	} {
		cfg, _ := config.ParseObject(`{"model_type":"` + model + `"}`)
		m, err := family.Describe(cfg, families.Library())
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, s := range weigh(t, m, cfg, "q4_k_s").Runs {
			got[strings.TrimSuffix(strings.TrimPrefix(s.Name, "blk.{i}."), ".weight")] = s.Type
		}
		for name, kind := range want {
			if got[name] != kind {
				t.Errorf("%s: %s is %q, want %s", model, name, got[name], kind)
			}
		}
	}
}
