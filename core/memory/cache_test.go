package memory_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"llmsize/build/oracle"
	"llmsize/build/oracle/oracletest"
	"llmsize/content/catalogue"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/memory"
	"llmsize/core/model"
)

// TestTransformersCache holds the cache under the policy "transformers" against
// every cache tensor that transformers makes, byte for byte.
func TestTransformersCache(t *testing.T) {
	oracletest.Runs(t, "../family/testdata", func(t *testing.T, _ string, m *model.Model, run *oracle.Runtime) { checkCache(t, m, run) })
}

var bf16, _ = memory.FormatNamed("bf16")

func checkCache(t *testing.T, m *model.Model, run *oracle.Runtime) {
	for _, pass := range run.Passes {
		want := map[string]int64{}
		all, xerr := expandCache(pass.Cache)
		if xerr != nil {
			t.Fatal(xerr)
		}
		for _, c := range all {
			if len(c.Shape) == 0 || c.DType == "int64" || c.DType == "int32" || c.DType == "bool" {
				continue
			}
			n := int64(1)
			for _, d := range c.Shape {
				n *= d
			}
			want[c.DType] += n
		}
		terms, _, err := memory.Cache(m, memory.CacheQuestion{Policy: memory.Transformers, Context: pass.Tokens, Encoder: pass.Tokens, Batch: 1, Format: bf16, State: 16})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int64{}
		for _, x := range terms {
			name, size := "bfloat16", int64(2)
			if x.Format == "fp32" {
				name, size = "float32", 4
			}
			got[name] += x.Bytes / size
		}
		for _, d := range []string{"bfloat16", "float32"} {
			if got[d] != want[d] {
				t.Errorf("%d tokens: %d elements of %s, want %d", pass.Tokens, got[d], d, want[d])
				for _, c := range pass.Cache {
					t.Logf("  %s %v %s", c.Name, c.Shape, c.DType)
				}
				for _, x := range terms {
					t.Logf("  have %+v", x)
				}
				return
			}
		}
	}
}

func expandCache(list []oracle.CacheTensor) ([]oracle.CacheTensor, error) {
	var out []oracle.CacheTensor
	for _, c := range list {
		ts, err := oracle.Expand([]oracle.Tensor{c.Tensor})
		if err != nil {
			return nil, err
		}
		for _, x := range ts {
			out = append(out, oracle.CacheTensor{Tensor: x, DType: c.DType})
		}
	}
	return out, nil
}

// catalogueModel is a model of the catalogue, resolved.
func catalogueModel(t *testing.T, slug string) *model.Model {
	t.Helper()
	c, err := catalogue.AllModels()
	if err != nil {
		t.Fatal(err)
	}
	entry, ok := c.Find(slug)
	if !ok {
		t.Fatalf("the catalogue has no %s", slug)
	}
	s, err := entry.Subject()
	if err != nil {
		t.Fatal(err)
	}
	m, fail := family.Describe(s.Config, families.Library())
	if fail != nil {
		t.Fatal(fail)
	}
	return m
}

// number reads a whole number of a table.
func number(t *testing.T, s string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestPaged holds the policy "paged" against vLLM's own planner, to the byte.
func TestPaged(t *testing.T) {
	rows, err := oracle.LoadTable(os.DirFS("testdata"), "vllm.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		m := catalogueModel(t, r["model"])
		_, got, fail := memory.Cache(m, memory.CacheQuestion{Policy: memory.Paged, Context: number(t, r["context"]), Chunk: number(t, r["in_flight"]), Batch: 1, Format: bf16, State: 16})
		if fail != nil {
			t.Fatal(fail)
		}
		if want := number(t, r["bytes"]); got != want {
			t.Errorf("%s, %s tokens, %s in flight: %d, want %d", r["model"], r["context"], r["in_flight"], got, want)
		}
	}
	// gemma-3-27b: 52 windowed and 10 full layers; six groups of 10 and one, so 8 layers of padding.
	terms, _, fail := memory.Cache(catalogueModel(t, "gemma-3-27b"), memory.CacheQuestion{Policy: memory.Paged, Context: 8192, Chunk: 2048, Batch: 1, Format: bf16, State: 16})
	if fail != nil {
		t.Fatal(fail)
	}
	padding := int64(0)
	for _, x := range terms {
		padding += x.Padding
	}
	if padding != 8 {
		t.Errorf("%d layers of padding, want 8", padding)
	}
}

// TestPagedStates: vLLM makes attention's blocks as large as a recurrent layer's
// state, and pads the state to the block.
func TestPagedStates(t *testing.T) {
	for _, c := range []struct {
		slug         string
		context      int64
		layers, page int64 // of attention; bytes of a page of every layer
		blocks       int64 // that a request of the context takes in a layer with attention
		states       int64
	}{
		// Qwen3-Next: a state of 32 · 128 · 128 and 3 tokens of 8,192 channels in 16 bits are 1,097,728 bytes;
		// a token takes 2 · 2 · 256 · 2 = 2,048: 536 tokens, 544 in steps of 16, which is what its log says.
		{"qwen3-next-80b-a3b", 8192, 12, 544 * 2048, 16, 36},
		// Jamba: 8,192 · 16 and 3 · 8,192 in 16 bits are 311,296 bytes; a token takes 4,096: 76, 80 in steps of 16.
		{"jamba-v0.1", 8192, 4, 80 * 4096, 103, 28},
	} {
		m := catalogueModel(t, c.slug)
		terms, total, err := memory.Cache(m, memory.CacheQuestion{Policy: memory.Paged, Context: c.context, Chunk: 2048, Batch: 1, Format: bf16, State: 16})
		if err != nil {
			t.Fatal(err)
		}
		if want := c.page * (c.layers*c.blocks + c.states); total != want {
			t.Errorf("%s: %d, want %d: %+v", c.slug, total, want, terms)
		}
	}
	// Without attention there is nothing to be made equal: Mamba-130M keeps 1,536 · (16 + 3) in 24 layers.
	if _, total, _ := memory.Cache(catalogueModel(t, "mamba-130m"), memory.CacheQuestion{Policy: memory.Paged, Context: 8192, Chunk: 2048, Batch: 2, Format: bf16, State: 16}); total != 2*24*1536*19*2 {
		t.Errorf("mamba-130m: %d", total)
	}
}

// TestLlamaCpp holds the policy "llama.cpp" against what it allocates, in MiB
// with two decimals, for keys and for values.
func TestLlamaCpp(t *testing.T) {
	rows, err := oracle.LoadTable(os.DirFS("testdata"), "llamacpp.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		m := catalogueModel(t, r["model"])
		format := r["type_k"]
		if format == "f16" {
			format = "fp16"
		}
		f, ok := memory.FormatNamed(format)
		if !ok {
			t.Fatalf("no format %s", format)
		}
		streams := number(t, r["n_seq_max"])
		terms, total, fail := memory.Cache(m, memory.CacheQuestion{Policy: memory.LlamaCpp, Context: number(t, r["n_ctx"]) / streams, Batch: streams, Chunk: number(t, r["n_ubatch"]), Format: f, State: 16})
		if fail != nil {
			t.Fatal(fail)
		}
		want := 0.0
		var cells []string
		for _, c := range strings.Fields(r["caches"]) {
			part := strings.Split(c, ",")
			k, _ := strconv.ParseFloat(part[3], 64)
			v, _ := strconv.ParseFloat(part[4], 64)
			want += k + v
			cells = append(cells, part[0])
		}
		slack := 0.005 * 2 * float64(len(cells))
		if got := float64(total) / (1 << 20); got < want-slack || got > want+slack {
			t.Errorf("%s n_ctx %s, %s streams, ubatch %s, %s: %.3f MiB, want %.3f (cells %v): %+v", r["model"], r["n_ctx"], r["n_seq_max"], r["n_ubatch"], format, got, want, cells, terms)
		}
	}
}

// TestCrossAlone: a decoder that stands alone has cross-attention's weights, and
// keeps nothing for it, because nothing is there to look at: the cache of GPT-2
// and its kin is the same with and without add_cross_attention. Behind an encoder
// it is kept.
func TestCrossAlone(t *testing.T) {
	q := memory.CacheQuestion{Policy: memory.Minimum, Context: 64, Encoder: 64, Batch: 1, Chunk: 512, Format: bf16, State: 16}
	for _, typ := range []string{"gpt2", "xglm", "gpt_bigcode"} {
		var held [2]int64
		for i, extra := range []string{"", `,"add_cross_attention":true,"multi_query":false`} {
			if typ != "gpt_bigcode" {
				extra = strings.TrimSuffix(extra, `,"multi_query":false`)
			} else if i == 0 {
				extra = `,"multi_query":false`
			}
			cfg, fail := config.ParseObject(`{"model_type":"` + typ + `"` + extra + "}")
			if fail != nil {
				t.Fatal(fail)
			}
			m, fail := family.Describe(cfg, families.Library())
			if fail != nil {
				t.Fatal(fail)
			}
			if _, held[i], fail = memory.Cache(m, q); fail != nil {
				t.Fatal(fail)
			}
		}
		if held[0] != held[1] || held[0] == 0 {
			t.Errorf("%s: %d bytes alone, %d with cross-attention that never runs", typ, held[0], held[1])
		}
	}
	for _, c := range [][2]string{{"encoder-decoder", "bert"}, {"speech-encoder-decoder", "wav2vec2"}, {"vision-encoder-decoder", "vit"}} {
		cfg, fail := config.ParseObject(`{"model_type":"` + c[0] + `","encoder":{"model_type":"` + c[1] + `"},"decoder":{"model_type":"gpt2","add_cross_attention":true}}`)
		if fail != nil {
			t.Fatal(fail)
		}
		m, fail := family.Describe(cfg, families.Library())
		if fail != nil {
			t.Fatal(fail)
		}
		// 12 layers · 2 · 768 · 2 bytes for 64 tokens, twice
		if _, n, _ := memory.Cache(m, q); n != 2*12*2*768*2*64 {
			t.Errorf("%s: behind an encoder: %d bytes", c[0], n)
		}
	}
}

// TestReads: of a cache from which an index picks, a step reads the index keys, and keys and values of what is picked.
func TestReads(t *testing.T) {
	for _, c := range []struct {
		slug           string
		context, batch int64
		unread         int64 // of what is kept, by the keys of the configs
	}{
		// 61 layers that pick 2,048 tokens, of a latent of 512 and a rotary key of 64 in 16 bits.
		{"deepseek-v3.2", 131072, 2, 2 * 61 * (131072 - 2048) * (512 + 64) * 2},
		{"deepseek-v3.2", 2048, 1, 0},
		// Every layer with one entry for 4 tokens picks 1,024 of them, of 512 in 16 bits; the window and the entries for 128 are read whole.
		{"deepseek-v4-pro", 131072, 1, 30 * (131072/4 - 1024) * 512 * 2},
		{"deepseek-v3", 131072, 1, 0},
		{"gemma-3-27b", 131072, 1, 0},
	} {
		m, q := catalogueModel(t, c.slug), memory.CacheQuestion{Context: c.context, Batch: c.batch, Format: bf16, State: 16}
		_, held, err := memory.Cache(m, q)
		if err != nil {
			t.Fatal(err)
		}
		if _, read, err := memory.Reads(m, q); err != nil || held-read != c.unread {
			t.Errorf("%s, %d tokens: %d of %d are not read, want %d (%v)", c.slug, c.context, held-read, held, c.unread, err)
		}
	}
}
