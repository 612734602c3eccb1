package answers

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"llmsize/build/text"
	"llmsize/content/catalogue"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/model"
)

// shared is one for all tests: measuring every key takes seconds.
var shared *Reference

func newReference(t *testing.T) *Reference {
	t.Helper()
	if shared != nil {
		return shared
	}
	content := os.DirFS("../../content")
	c, err := catalogue.Load(content)
	if err != nil {
		t.Fatal(err)
	}
	shared = &Reference{Library: families.Library(), Catalogue: c, Content: content, Core: os.DirFS("../../core"), Docs: os.DirFS("../../docs"), Numbers: anyNumber{}}
	return shared
}

// anyNumber stands for the engine.
type anyNumber struct{}

func (anyNumber) Number(string, string) (text.Value, error) {
	return text.Value{Int: 1, Unit: text.Bytes}, nil
}

// TestEveryKeyHasAMeaning: a family that reads a new key gives it a line in
// content/keys.toml.
func TestEveryKeyHasAMeaning(t *testing.T) {
	without, ofTowers, superfluous, err := newReference(t).Unmatched()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range ofTowers {
		t.Logf("content/keys.toml has no line for %s", k)
	}
	for _, k := range without {
		t.Errorf("content/keys.toml has no line for %s", k)
	}
	for _, k := range superfluous {
		t.Errorf("content/keys.toml: no family reads %s", k)
	}
}

// TestMeaningsReadAlike: a phrase without a full stop, for a sentence of the page.
func TestMeaningsReadAlike(t *testing.T) {
	groups, err := newReference(t).Groups()
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range groups {
		if g.ID == "" || g.Title == "" || !strings.HasSuffix(g.About, ".") || len(g.Keys) == 0 {
			t.Errorf("group %+v is incomplete", g)
		}
		for k, text := range g.Keys {
			if text == "" || strings.HasSuffix(text, ".") || strings.ContainsAny(text, "!“”") {
				t.Errorf("%s: %q", k, text)
			}
		}
	}
}

var asks = regexp.MustCompile(`(?m)^::: figure kind=(keys|architectures|accuracy|sources|glossary|changes|devices) of=([a-z-]+)`)

// TestPagesShowEverything: each group and each part stands on exactly one page.
func TestPagesShowEverything(t *testing.T) {
	r := newReference(t)
	shown := map[string]int{}
	pages, err := filepath.Glob("../../content/pages/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range pages {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range asks.FindAllStringSubmatch(string(text), -1) {
			shown[m[1]+" "+m[2]]++
			if _, err := r.Figure(m[1], m[2]); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
	want := []string{"keys groups", "keys index", "keys rest"}
	groups, err := r.Groups()
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range groups {
		want = append(want, "keys "+g.ID)
	}
	glossary, err := loadGlossary(r.Content)
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []string{"letters", "roles", "link", "formats"} {
		want = append(want, "glossary "+of)
	}
	for _, g := range glossary.Groups {
		want = append(want, "glossary "+g.ID)
	}
	for kind, parts := range Kinds {
		for _, of := range parts {
			want = append(want, kind+" "+of)
		}
	}
	for _, w := range want {
		if shown[w] != 1 {
			t.Errorf("%s stands on %d pages, want one", w, shown[w])
		}
	}
}

// TestKeysSayWhatTheyChange: measured in the default configs, with the arithmetic of
// what a key is.
func TestKeysSayWhatTheyChange(t *testing.T) {
	r := newReference(t)
	if err := r.load(); err != nil {
		t.Fatal(err)
	}
	effects := r.measure()
	for key, want := range map[string]string{
		"num_key_value_heads":     "attention", // and biases, and the cache
		"sliding_window":          "the cache, no tensor",
		"index_topk":              "the FLOPs, no tensor",
		"max_position_embeddings": "positions",
		"kv_lora_rank":            "attention and norms; the cache too", // the latent, its norm, what is kept
	} {
		if got := effects[key].String(); !strings.Contains(got, want) {
			t.Errorf("%s changes %q, want %q in it", key, got, want)
		}
	}
}

// TestArchitecturesListEveryTypeOnce across the tables.
func TestArchitecturesListEveryTypeOnce(t *testing.T) {
	r := newReference(t)
	all := ""
	for _, of := range Kinds["architectures"] {
		html, err := r.Figure("architectures", of)
		if err != nil {
			t.Fatal(err)
		}
		all += html
	}
	for _, typ := range r.Library.Types() {
		if n := strings.Count(all, "<code>"+typ+"</code>"); n != 1 {
			t.Errorf("%s stands %d times", typ, n)
		}
	}
	for of, types := range map[string][]string{
		"decoders": {"llama", "gpt2", "deepseek_v3", "mamba", "rwkv"}, "pairs": {"t5", "bart"}, "encoders": {"bert", "modernbert"},
		"seeing": {"llava", "gemma3", "qwen2_5_vl", "clip", "siglip"}, "hearing": {"whisper", "voxtral"}, "omni": {"qwen3_omni_moe", "gemma3n"},
		"vision": {"vit", "swin", "convnext", "hiera", "resnet", "detr", "segformer"}, "sound": {"wav2vec2", "hubert", "encodec"},
		"series": {"timesfm", "informer", "patchtst"}, "towers": {"clip_vision_model", "siglip_vision_model", "qwen3_vl_vision", "sam_mask_decoder"},
	} {
		html, _ := r.Figure("architectures", of)
		for _, typ := range types {
			if !strings.Contains(html, "<code>"+typ+"</code>") {
				t.Errorf("%s is not among %s", typ, of)
			}
		}
	}
}

// TestReadmeSaysHowMany: README.md names as many types as there are.
func TestReadmeSaysHowMany(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("It knows %d model types.", len(newReference(t).Library.Types())); !strings.Contains(string(text), want) {
		t.Errorf("README.md does not say %q", want)
	}
}

// TestNumbers: counts are there by name, and agree with the library.
func TestNumbers(t *testing.T) {
	r := newReference(t)
	n, ok, err := r.Number("types")
	if err != nil || !ok || n != int64(len(r.Library.Types())) {
		t.Errorf("types: %d %v %v", n, ok, err)
	}
	for _, name := range []string{"keys", "cases", "tensors", "real", "passes", "exceptions", "built_models"} {
		if n, ok, err := r.Number(name); err != nil || !ok || n <= 0 {
			t.Errorf("%s: %d %v %v", name, n, ok, err)
		}
	}
	if _, ok, _ := r.Number("nothing"); ok {
		t.Error("a number that is not there")
	}
}

func TestFigureSaysWhatThereIs(t *testing.T) {
	r := newReference(t)
	for _, c := range [][3]string{{"keys", "nothing", "width"}, {"sources", "nothing", "devices"}} {
		if _, err := r.Figure(c[0], c[1]); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s: %v", c[0], err)
		}
	}
}

// TestPublishedAreTheSame: a published count without a named difference is what is
// counted here, with or without buffers.
func TestPublishedAreTheSame(t *testing.T) {
	r := newReference(t)
	n := 0
	for i := range r.Catalogue.Models {
		m := &r.Catalogue.Models[i]
		if m.Published == nil || m.Published.Difference != "" {
			continue
		}
		s, err := m.Subject()
		if err != nil {
			t.Fatal(err)
		}
		counted, fail := family.Describe(s.Config, r.Library)
		if fail != nil {
			t.Fatal(fail)
		}
		var parameters, buffers int64
		counted.Each(func(_ *model.Block, _ *model.Kind, _ *model.Part, x *model.Tensor, layers int64) {
			if x.Buffer {
				buffers += x.Elements * x.Copies * layers
			} else {
				parameters += x.Elements * x.Copies * layers
			}
		})
		n++
		if p := m.Published.Total; p != parameters && p != parameters+buffers {
			t.Errorf("%s: %d published, %d + %d counted", m.Slug, p, parameters, buffers)
		}
	}
	t.Log(n, "published counts are the same")
}
