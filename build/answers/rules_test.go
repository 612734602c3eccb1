package answers

import (
	"os"
	"strings"
	"testing"

	"llmsize/core/units"
)

func TestRuleFigures(t *testing.T) {
	e := newEngine(t)
	for _, c := range []struct {
		kind, query string
		options     map[string]string
		want        []string
	}{
		// 12·32·4096² is 6.44 B of 8.03 B; the gate matrix is 32·4096·14336.
		{"waterfall", "v=1", map[string]string{"rule": "12lh2"}, []string{"12·L·h²", "6.44 B", "gate matrix", "+1.88 B", "<span>879</span><span>048</span><span>192</span>", "8.03 B"}},
		{"rule", "v=1", map[string]string{"rule": "2lh-token", "models": "gpt2 llama-3.1-70b"}, []string{"exact", "8.000", "grouped queries", "−2.29 MB", `href="/?v=1&amp;model=llama-3.1-70b"`}},
		{"rules", "v=1", map[string]string{"of": "cache"}, []string{"Two L k d", "Right for grouped-query models", "Pope et al."}},
		{"compare", "v=1&model=llama-2-7b&vs=llama-3.1-8b", map[string]string{"of": "parameters"}, []string{"Llama 2 7B", "feed-forward", "+1.31 B"}},
		// 64 heads of 128 on a width of 8,192, and 8 of keys and values: 8 · 128 = 1,024.
		{"pipeline", "v=1&model=llama-3.1-70b", nil, []string{"2 · h × k·d = 2 · 8,192 × 1,024", "h × V = 8,192 × 128,256", "80 times", `href="/attention-counted/#grouped"`}},
		// 151,936 × 1,024 and 2,048 × 1,024 numbers of two bytes; their header has 321 bytes, 328 with spaces: 0x0148.
		{"file", "v=1&model=qwen3-0.6b", nil, []string{">48</text>", ">01</text>", "328 bytes: the header", "BF16 [151936, 1024], bytes 0–311,164,928", "BF16 [2048, 1024], bytes 311,166,976–315,361,280", "the header has 328 bytes"}},
		// Of eight scores the two largest are 1.534 and 0.887: at a width of 64 the second gets e^(−8·0.647) = 0.0056 of the first.
		{"softmax", "v=1", nil, []string{"<th scope=\"row\">64<div", "99.4%", "0.6%"}},
		{"compare", "v=1", map[string]string{"to": "context=16384", "of": "bytes of the cache"}, []string{"8,192 → 16,384 tokens", "+1.07 GB"}},
		// 2·8,030,261,248 bytes whole, and an eighth of them; as much for gradients, so a bar's part is half or a sixteenth of 880.
		{"bars", "v=1", map[string]string{"rows": "all: zero=0; an eighth: zero=3&dp=8", "parts": "16-bit_weights=memory.training.terms.0.bytes gradients=memory.training.gradients"},
			[]string{"16-bit weights 16.1 GB, gradients 16.1 GB", "16-bit weights 2.01 GB", "<b>4.02 GB</b>", `width="440"`, `width="55"`, `href="/?v=1&amp;dp=8&amp;zero=3"`}},
		// What memory holds has memory's colours, as on the calculator's bar; what is computed has not.
		{"bars", "v=1", map[string]string{"rows": "one: batch=1", "parts": "weights=memory.weights.bytes cache=memory.kv_cache.bytes"}, []string{`"swatch m-weights"`, `"swatch m-cache"`, `<rect class="m-weights"`, `<rect class="m-cache"`}},
		{"bars", "v=1", map[string]string{"rows": "one: batch=1", "parts": "weights=compute.decode.matmul scores=compute.decode.scores"}, []string{`<rect class="r-attention"`, `<rect class="r-ffn"`}},
	} {
		html, err := e.Figure(c.kind, c.query, c.options)
		if err != nil {
			t.Errorf("%s: %v", c.kind, err)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(html, w) {
				t.Errorf("%s %v lacks %q", c.kind, c.options, w)
			}
		}
		if strings.Contains(html, "style=") || strings.Contains(html, "<script") {
			t.Errorf("%s: what the content policy forbids", c.kind)
		}
	}
}

func TestRuleFiguresSayWhatIsWrong(t *testing.T) {
	e := newEngine(t)
	for _, c := range []struct {
		kind    string
		options map[string]string
		want    string
	}{
		{"rule", map[string]string{"rule": "12lh3", "models": "gpt2"}, "there are 12lh2"},
		{"rule", map[string]string{"rule": "full-heads", "models": "gpt2"}, "says nothing about v=1&model=gpt2"},
		{"rule", map[string]string{"rule": "12lh2"}, "names no model"},
		{"waterfall", map[string]string{"size": "2"}, "size"},
		{"compare", nil, "with what"},
		{"bars", map[string]string{"rows": "all: zero=0"}, "names 0 parts"},
		{"bars", map[string]string{"rows": "all", "parts": "weights=memory.weights.bytes"}, "is not"},
		{"bars", map[string]string{"rows": "all: zero=0", "parts": "weights=memory.weights.bytes parameters=parameters.total"}, "an amount that can be added"},
		{"compare", map[string]string{"to": "context=1", "of": "weight"}, "a figure that both have"},
		{"keys", map[string]string{"of": "width"}, "UseReference"},
	} {
		if _, err := e.Figure(c.kind, "v=1", c.options); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v: error %v does not say %q", c.kind, c.options, err, c.want)
		}
	}
}

// TestOwnNumbers: prose takes rules and counts of the reference by name.
// TestInverseInProse: what fits by the step's peak is worked out for who asks for it, also when the same question was asked before;
// the words for it say the same.
func TestInverseInProse(t *testing.T) {
	e := newEngine(t)
	const question = "v=1&model=gpt2&seq=1024"
	if _, err := e.Number(question, "parameters.total"); err != nil {
		t.Fatal(err)
	}
	most, err := e.Number(question, "training.inverse_by_peak.seq.most")
	if err != nil || most.Int < 1024 {
		t.Fatalf("on 80 GB a step of GPT-2 has at most %d tokens, %v", most.Int, err)
	}
	if said, err := e.Number(question, "fits.sequence"); err != nil || said.Text != units.Group(most.Int) {
		t.Errorf("%d tokens fit, but said are %+v, %v", most.Int, said, err)
	}
}

func TestOwnNumbers(t *testing.T) {
	e := newEngine(t)
	e.UseReference(os.DirFS("../../content"), os.DirFS("../../core"), os.DirFS("../../docs"))
	for field, want := range map[string]int64{
		"rule.12lh2.value":      12 * 32 * 4096 * 4096,
		"rule.12lh2.exact":      8_030_261_248,
		"rule.12lh2.difference": 8_030_261_248 - 12*32*4096*4096,
		"rule.2lh-token.value":  2 * 32 * 4096 * 2,
	} {
		if got, err := e.Number("v=1", field); err != nil || got.Int != want {
			t.Errorf("%s: got %+v, %v; want %d", field, got, err, want)
		}
	}
	if got, err := e.Number("v=1", "reference.types"); err != nil || got.Int != int64(len(e.library.Types())) {
		t.Errorf("reference.types: %+v, %v", got, err)
	}
	for _, field := range []string{"rule.12lh2.size", "rule.none.value", "reference.none"} {
		if _, err := e.Number("v=1", field); err == nil {
			t.Errorf("%s: no error", field)
		}
	}
}
