package chart

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"llmsize/build/oracle"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/model"
	"llmsize/core/units"
)

// described resolves a config.
func described(t testing.TB, lib *family.Library, text string) *model.Model {
	t.Helper()
	cfg, err := config.ParseObject(text)
	if err != nil {
		t.Fatal(err)
	}
	m, err := family.Describe(cfg, lib)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

const llama31 = `{"model_type":"llama","architectures":["LlamaForCausalLM"],"hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8,"vocab_size":128256}`

const mixtral = `{"model_type":"mixtral","architectures":["MixtralForCausalLM"],"hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8,"vocab_size":32000,"num_local_experts":8,"num_experts_per_tok":2}`

// boxes lays a model out and returns its boxes by name.
func boxes(t *testing.T, text string, width px) (map[string]box, sheet) {
	t.Helper()
	panels, _, ok := planOf(described(t, families.Library(), text))
	if !ok {
		t.Fatal("nothing to draw")
	}
	s := layOut(panels, width, 330_00, false)
	out := map[string]box{}
	for _, b := range s.boxes {
		if !b.item.vector {
			out[b.item.name] = b
		}
	}
	return out, s
}

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance*math.Max(a, b) }

// In Llama 3.1 8B every matrix of a layer has a side of 4,096; the other is 4,096
// (q, o), 8·128 = 1,024 (k, v) or 14,336 (gate, up, down). Areas are in the same
// proportion as parameters.
func TestAreaIsParameterCount(t *testing.T) {
	b, s := boxes(t, llama31, 880_00)
	unit := float64(s.scale.num) / float64(s.scale.den)
	for name, params := range map[string]float64{
		"q_proj": 4096 * 4096, "k_proj": 1024 * 4096, "v_proj": 1024 * 4096, "o_proj": 4096 * 4096,
		"gate_proj": 14336 * 4096, "up_proj": 14336 * 4096, "down_proj": 4096 * 14336,
	} {
		x, ok := b[name]
		if !ok {
			t.Errorf("%s is not drawn", name)
			continue
		}
		if area := float64(x.w) * float64(x.h) / unit / unit; !near(area, params, 0.01) {
			t.Errorf("%s has an area of %.0f elements, want %.0f", name, area, params)
		}
		if x.h != b["q_proj"].h {
			t.Errorf("%s does not have the hidden size upright", name)
		}
	}
	if got := float64(b["gate_proj"].w) / float64(b["q_proj"].w); !near(got, 3.5, 0.01) {
		t.Errorf("4,096 × 14,336 is drawn %.2f times as wide as 4,096 × 4,096, want 3.5", got)
	}
	// The vocabulary is 128,256 / 4,096 = 31.3 squares long: one is seen, 31 more are folded behind it.
	if e := b["embed_tokens"]; e.item.pleats != 31 {
		t.Errorf("the embedding has %d pleats, want 31", e.item.pleats)
	}
}

func TestTwiceTheWidthIsFourTimesTheArea(t *testing.T) {
	// The scale may change with the model, so areas are compared with k_proj, whose width stays 8·128.
	one, _ := boxes(t, llama31, 880_00)
	two, _ := boxes(t, strings.Replace(llama31, `"hidden_size":4096`, `"head_dim":128,"hidden_size":8192,"num_attention_heads_":0`, 1), 880_00)
	ratio := func(b map[string]box) float64 { return float64(b["q_proj"].h) / float64(b["k_proj"].w) }
	if !near(ratio(two), 2*ratio(one), 0.02) {
		t.Errorf("the hidden size is %.2f and then %.2f times as long as 1,024", ratio(one), ratio(two))
	}
}

func TestExpertsAreTiles(t *testing.T) {
	_, s := boxes(t, mixtral, 880_00)
	if len(s.tiles) != 1 {
		t.Fatalf("%d grids of tiles, want 1", len(s.tiles))
	}
	g := s.tiles[0]
	if g.n != 8 || g.active != 2 {
		t.Errorf("%d tiles, %d filled; want 8, 2", g.n, g.active)
	}
	// One expert is three matrices of 4,096 × 14,336, side by side 43,008 wide.
	if got := float64(g.w) / float64(g.h); !near(got, 43008.0/4096, 0.02) {
		t.Errorf("a tile is %.2f times as wide as high, want 10.5", got)
	}
	svg := Draw(Plan(described(t, families.Library(), mixtral), nil), 880, "wide")
	if !strings.Contains(svg, "8 experts, 2 at work on a token") {
		t.Error("the drawing does not say how many experts there are")
	}
}

// Gemma 2's layers differ in how far they look back and not in shape: they are drawn once.
func TestKindsThatLookAlikeAreDrawnOnce(t *testing.T) {
	panels, _, _ := planOf(described(t, families.Library(), `{"model_type":"gemma2","architectures":["Gemma2ForCausalLM"]}`))
	layers := 0
	for _, p := range panels {
		if p.layer {
			layers++
			if !strings.HasPrefix(p.title, "A: layers 0, 2, 4") || !strings.Contains(p.title, "; B: layers 1, 3, 5") {
				t.Errorf("title %q", p.title)
			}
		}
	}
	if layers != 1 {
		t.Errorf("%d kinds of layer are drawn, want 1", layers)
	}
}

// Every model that the oracle knows has a drawing in which nothing leaves the
// sheet and no two matrices of a layer lie on each other.
func TestEveryModelFitsItsSheet(t *testing.T) {
	lib := families.Library()
	drawn := 0
	for _, folder := range []string{"causal", "seq2seq", "masked", "encoder", "vlm"} {
		files, err := oracle.LoadDir(os.DirFS("../../core/family/testdata"), folder)
		if err != nil {
			t.Fatal(err)
		}
		for name, f := range files {
			if _, ok := lib.File(f.ModelType); !ok || len(f.Cases) == 0 {
				continue
			}
			cfg, fault := config.ParseObject(string(f.Cases[0].Config))
			if fault != nil {
				t.Fatal(name, fault)
			}
			m, fault := family.Describe(cfg, lib)
			if fault != nil {
				continue // the oracle's tests say so
			}
			drawn++
			for _, width := range []int64{880, 300} {
				checkSheet(t, folder+"/"+name, m, width)
			}
		}
	}
	if drawn < 50 {
		t.Errorf("only %d models were drawn", drawn)
	}
}

func checkSheet(t *testing.T, name string, m *model.Model, width int64) {
	t.Helper()
	panels, _, ok := planOf(m)
	if !ok {
		t.Errorf("%s: nothing to draw", name)
		return
	}
	apart := width < 600
	s := layOut(panels, width*100, 330_00, apart)
	if apart && len(s.slides) != len(panels) {
		t.Errorf("%s: %d slides for %d panels", name, len(s.slides), len(panels))
	}
	on := func(box int) int { // the slide of a box
		return slices.IndexFunc(s.slides, func(x slide) bool { return box < x.end[0] })
	}
	if s.width > width*100 {
		widest := box{}
		for _, b := range s.boxes {
			if b.x+b.w > widest.x+widest.w {
				widest = b
			}
		}
		t.Errorf("%s at %d: the drawing is %d wide, up to %+v", name, width, s.width/100, widest)
	}
	for i, b := range s.boxes {
		if b.x < 0 || b.y < 0 || b.x+b.w > width*100 || b.y+b.h > s.height {
			t.Errorf("%s at %d: %s leaves the sheet: %+v", name, width, b.item.name, b)
		}
		if apart && b.y+b.h > s.slides[on(i)].height {
			t.Errorf("%s: %s leaves its slide: %+v", name, b.item.name, b)
		}
		for k, c := range s.boxes[:i] {
			if apart && on(i) != on(k) {
				continue
			}
			if b.x < c.x+c.w && c.x < b.x+b.w && b.y < c.y+c.h && c.y < b.y+b.h {
				t.Errorf("%s at %d: %s lies on %s", name, width, b.item.name, c.item.name)
			}
		}
	}
	one, two := Draw(Plan(m, nil), width, "w"), Draw(Plan(m, nil), width, "w")
	if one != two {
		t.Errorf("%s: two drawings differ", name)
	}
	if len(one) > 64<<10 {
		t.Errorf("%s at %d: the drawing has %d bytes", name, width, len(one))
	}
}

// TestOneLayerASwipe: on a narrow sheet a layer, what is before the layers and what is behind them each have a drawing, with
// their place among them, the layer first; all are to one scale, so that area is parameter count from one to the next.
func TestOneLayerASwipe(t *testing.T) {
	m := described(t, families.Library(), llama31)
	svg := Draw(Plan(m, nil), Narrow, "narrow")
	strip, rest, ok := strings.Cut(svg, "</div>")
	slides := strings.Split(strip, "<svg ")[1:]
	if !ok || len(slides) != 3 || strings.Count(rest, "<svg ") != 1 {
		t.Fatalf("%d drawings, then %s", len(slides), rest)
	}
	for i, want := range [][]string{
		{`aria-label="Weight matrices to scale, area is parameter count. 1 of 3. layers 0–31: q_proj 4,096 × 4,096`, ">1 of 3 › layers 0–31<"},
		{`aria-label="2 of 3. embed_tokens`, ">‹ 2 of 3 ›<"},
		{`aria-label="3 of 3. lm_head`, ">‹ 3 of 3<"},
	} {
		for _, w := range want {
			if !strings.Contains(slides[i], w) {
				t.Errorf("drawing %d has no %s:\n%s", i+1, w, slides[i])
			}
		}
	}
	panels, _, _ := planOf(m)
	s := layOut(panels, Narrow*100, 330_00, true)
	height := map[string]px{}
	for _, b := range s.boxes {
		height[b.item.name] = b.h
	}
	if height["embed_tokens"] != height["q_proj"] || height["lm_head"] != height["q_proj"] {
		t.Errorf("4,096 is as high as %v", height)
	}
	if one := Draw("h\t8\nb\t\t\nk\t\t1\nt\twte\t\t1\t1\t1\t1\t0\t64\t8\t\t8\t", Narrow, "narrow"); !strings.Contains(one, "wte") || strings.Contains(one, " of 1") {
		t.Errorf("a part that is alone: %s", one)
	}
}

// TestEmptyIsNotDrawn: DINOv3 stores a matrix for its register tokens, and by default has none of these.
func TestEmptyIsNotDrawn(t *testing.T) {
	t.Parallel()
	for tokens, want := range map[string]bool{"0": false, "4": true} {
		b, _ := boxes(t, `{"model_type":"dinov3_vit","num_register_tokens":`+tokens+`}`, 880_00)
		if _, drawn := b["register_tokens"]; drawn != want {
			t.Errorf("%s register tokens: drawn %v", tokens, drawn)
		}
	}
}

// A strip's roles fill its whole area: the sum over its paths is width × height.
func TestStripIsFilled(t *testing.T) {
	runs, total, _ := runsOf(described(t, families.Library(), llama31))
	// 8,030,261,248 parameters: embedding, 32 layers, final norm, head.
	if total != 8_030_261_248 {
		t.Errorf("the strip adds up to %d", total)
	}
	if len(runs) != 4 || runs[1].layers != 32 {
		t.Errorf("runs %+v", runs)
	}
}

func TestBarAddsUp(t *testing.T) {
	var roles [model.NumRoles]units.Params
	roles[model.Embedding], roles[model.FFN], roles[model.Norm] = 250, 750, 1
	svg := Bar(&roles)
	for _, want := range []string{
		`<rect class="r-embedding" x="0" width="219.78"`, // 250 of 1,001 is 219.78 of 880
		`<rect class="r-ffn" x="219.78" width="659.34"`,
		`<rect class="r-norm" x="879.12" width="0.88"`,
		`embedding 25.0%, feed-forward 74.9%, norms 0.1%`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in\n%s", want, svg)
		}
	}
	roles = [model.NumRoles]units.Params{}
	if strings.Contains(Bar(&roles), "NaN") {
		t.Error("an empty bar")
	}
}

// Sizes that no machine has are drawn or left out, never a crash, an endless
// loop or a page that is wider than its column.
func TestAbsurdSizes(t *testing.T) {
	lib := families.Library()
	for _, text := range []string{
		`{"model_type":"llama","hidden_size":1000000000,"num_hidden_layers":1,"vocab_size":1,"intermediate_size":1,"num_attention_heads":1}`,
		`{"model_type":"llama","hidden_size":8,"num_hidden_layers":1,"vocab_size":1000000000000,"intermediate_size":1,"num_attention_heads":1}`,
		`{"model_type":"llama","hidden_size":1,"num_hidden_layers":4000,"vocab_size":1,"intermediate_size":1,"num_attention_heads":1}`,
		`{"model_type":"mixtral","num_local_experts":100000,"num_experts_per_tok":1}`,
		`{"model_type":"mixtral","num_local_experts":1,"num_experts_per_tok":1}`,
	} {
		cfg, _ := config.ParseObject(text)
		m, err := family.Describe(cfg, lib)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		checkSheet(t, text, m, 880)
		checkSheet(t, text, m, 300)
	}
}

func TestKindName(t *testing.T) {
	for label, want := range map[string]string{
		"window 4096":                          "window 4096",
		"window 0, dense":                      "whole context, dense",
		"moe true, window 8":                   "moe, window 8",
		"shared_kv false":                      "no shared kv",
		"":                                     "",
		"hybrid, stores, owner 2":              "hybrid, weights held here",
		"linear_attention, no stores, owner 0": "linear attention",
		"no first, window 129":                 "window 129",
		"again":                                "weights used again",
		"window 512, shared null, width 6144":  "window 512, own keys and values, width 6144",
		"window 512, shared 1":                 "window 512, keys and values of another layer",
		"linear_attention":                     "linear attention",
		"window null, values":                  "whole context, values",
	} {
		if got := KindName(label); got != want {
			t.Errorf("KindName(%q) = %q, want %q", label, got, want)
		}
	}
}

func TestMulDiv(t *testing.T) {
	for _, c := range []struct{ a, b, c, want int64 }{
		{7, 3, 2, 11}, // 10.5 rounds up
		{0, 5, 1, 0}, {5, 5, 0, 0},
		{1 << 60, 1 << 20, 1 << 60, 1 << 20},
		{1 << 62, 1 << 62, 1, 1 << 62}, // saturates
	} {
		if got := mulDiv(c.a, c.b, c.c); got != c.want {
			t.Errorf("mulDiv(%d, %d, %d) = %d, want %d", c.a, c.b, c.c, got, c.want)
		}
	}
}

func BenchmarkDrawing(b *testing.B) {
	m := described(b, families.Library(), llama31)
	for b.Loop() {
		Draw(Plan(m, nil), 880, "wide")
	}
}
