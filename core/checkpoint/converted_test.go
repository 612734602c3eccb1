package checkpoint_test

import (
	"strings"
	"testing"

	"llmsize/core/checkpoint"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/model"
	"llmsize/core/query"
	"llmsize/core/report"
)

// TestConverted holds what llama.cpp's converter makes of a model (build/oracle/ggufs.py) against the model: the file's own metadata
// describe every tensor that is there, as many parameters as torch counts, and the cache and FLOPs of the config on the hub.
func TestConverted(t *testing.T) {
	cases := readWritten(t, "testdata/gguf.txt")
	if len(cases) < 70 {
		t.Errorf("only %d files", len(cases))
	}
	q, _, fail := query.Parse("v=1&context=256")
	if fail != nil {
		t.Fatal(fail)
	}
	lib := families.Library()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			l := &checkpoint.List{}
			if err := read(l, c.files[0].name, c.files[0].head, c.files[0].size, 1000); err != nil {
				t.Fatal(err)
			}
			if err := l.Finish(); err != nil {
				t.Fatal(err)
			}
			if len(l.Types()) < 2 {
				t.Error("its types are not mixed")
			}
			cfg := l.Config()
			if c.verdict == checkpoint.Alone {
				projector(t, l, cfg, c.elements)
				return
			}
			m, fail := family.Describe(cfg, lib)
			if fail != nil {
				t.Fatal(fail)
			}
			v := checkpoint.Verify(l, cfg, m)
			if v.Verdict != checkpoint.Equal || v.Config != c.elements || !m.Exact() {
				t.Errorf("%s, %d elements, want %d: %+v %v", v.Verdict, v.Config, c.elements, v.Differences, m.Warnings)
			}
			hub, fail := config.ParseObject(c.config)
			if fail != nil {
				t.Fatal(fail)
			}
			a, fail := report.Answer(q, report.Subject{Config: hub}, lib)
			if fail != nil {
				t.Fatal(fail)
			}
			b, fail := report.Answer(q, report.Subject{Config: cfg}, lib)
			if fail != nil {
				t.Fatal(fail)
			}
			for _, path := range []string{"memory kv_cache bytes", "compute prefill flops", "compute decode flops"} {
				x, y := a.Tree(), b.Tree()
				for _, key := range strings.Fields(path) {
					x, y = x.Get(key), y.Get(key)
				}
				if x.String() != y.String() {
					t.Errorf("%s: %s by the file's metadata, %s by the hub's config", path, y.String(), x.String())
				}
			}
		})
	}
}

// architectures are those that the gguf library names (0.19.0, constants.py, MODEL_ARCH_NAMES).
const architectures = `afmoe apertus arcee arctic arwkv7 baichuan bailingmoe bailingmoe2 bert bitnet bloom chameleon chatglm clip codeshell cogvlm cohere2 command-r dbrx deci deepseek deepseek2 deepseek2-ocr dots1 dream
ernie4_5 ernie4_5-moe eurobert exaone exaone-moe exaone4 falcon falcon-h1 gemma gemma-embedding gemma2 gemma3 gemma3n gemma4 glm-dsa glm4 glm4moe gpt-oss gpt2 gptj gptneox granite granitehybrid
granitemoe grok grovemoe hunyuan-dense hunyuan-moe hunyuan_vl internlm2 jais jais2 jamba jina-bert-v2 jina-bert-v3 kimi-linear lfm2 lfm2moe llada llada-moe llama llama-embed llama4 maincoder mamba
mamba2 mimo2 minicpm minicpm3 minimax-m2 mistral3 mistral4 modern-bert mpt nemotron nemotron_h nemotron_h_moe neo-bert nomic-bert nomic-bert-moe olmo olmo2 olmoe openelm orion paddleocr pangu-embedded
phi2 phi3 phimoe plamo plamo2 plamo3 plm qwen qwen2 qwen2moe qwen2vl qwen3 qwen35 qwen35moe qwen3moe qwen3next qwen3vl qwen3vlmoe refact rnd1 rwkv6 rwkv6qwen2 rwkv7 seed_oss smallthinker smollm3
stablelm starcoder starcoder2 step35 t5 t5encoder wavtokenizer-dec xverse`

// notDescribed are architectures whose files answer for themselves, exactly, with what is in the way of a family.
var notDescribed = map[string]string{
	"clip":             "a tower beside a model: the metadata don't say how wide its last matrices are",
	"wavtokenizer-dec": "a decoder of sound: the metadata say nothing of its convolutions",
	"gptj":             "llama.cpp has no loader for it",
	"chameleon":        "llama.cpp calls its loader half-implemented",
	"rwkv6":            "no class of transformers to hold it to", "rwkv6qwen2": "no class of transformers to hold it to", "rwkv7": "no class of transformers to hold it to", "arwkv7": "no class of transformers to hold it to",
	"neo-bert": "no class of transformers to hold it to", "plamo2": "no class of transformers to hold it to", "plamo3": "no class of transformers to hold it to", "grovemoe": "no class of transformers to hold it to",
	"cogvlm": "no class of transformers to hold it to",
}

// TestArchitectures: every architecture has a family, or a reason why it has none.
func TestArchitectures(t *testing.T) {
	lib := families.Library()
	for _, name := range strings.Fields(architectures) {
		_, known := lib.File("gguf-" + name)
		if why := notDescribed[name]; known == (why != "") {
			t.Errorf("%s: described: %v, the reason why not: %q", name, known, why)
		}
	}
}

// projector: a tower and a projector, which llama.cpp keeps in a file of their own, answer for themselves, and nothing there is a cache.
func projector(t *testing.T, l *checkpoint.List, cfg config.Value, elements int64) {
	t.Helper()
	if _, fail := family.Describe(cfg, families.Library()); fail == nil {
		t.Error("a family describes it")
	}
	v := checkpoint.Verify(l, cfg, nil)
	m := checkpoint.Model(l, cfg)
	n := int64(0)
	m.Each(func(_ *model.Block, _ *model.Kind, p *model.Part, x *model.Tensor, layers int64) {
		n += x.Elements * x.Copies * layers
		if p.Role != model.Vision && p.Role != model.Projector || p.Get(model.KVHeads) != 0 {
			t.Errorf("%s is %s, %v", x.Name, p.Role, p.Props)
		}
	})
	if v.Verdict != checkpoint.Alone || v.Parameters != elements || n != elements {
		t.Errorf("%s, %d elements, %d of the model, want %d", v.Verdict, v.Parameters, n, elements)
	}
}
