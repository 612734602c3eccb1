package view

import (
	"strings"
	"testing"

	"llmsize/core/config"
	"llmsize/core/family/families"
	"llmsize/core/model"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/site/markup"
)

const llama31 = `{"model_type":"llama","architectures":["LlamaForCausalLM"],"hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8,"vocab_size":128256,"torch_dtype":"bfloat16","tie_word_embeddings":false}`

// answer is the report for a query about a config.
func answer(t testing.TB, link, text string) *report.Report {
	t.Helper()
	q, issues, err := query.Parse(link)
	if err != nil || len(issues) > 0 {
		t.Fatal(err, issues)
	}
	cfg, err := config.ParseObject(text)
	if err != nil {
		t.Fatal(err)
	}
	r, err := report.Answer(q, report.Subject{Name: "A model", Slug: "a", Config: cfg}, families.Library())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// digits is the text of markup, spaces folded, in which numbers are joined again.
func digits(html string) string {
	html = strings.NewReplacer(`<span class="n">`, "", "</span>", "", "<span>", "").Replace(html)
	return strings.Join(strings.Fields(markup.Plain(html)), " ")
}

func TestCount(t *testing.T) {
	html := count(answer(t, "v=1", llama31))
	if !strings.Contains(html, `<output class="exactly"><span class="n">8<span>030</span><span>261</span><span>248</span></span></output>`) {
		t.Errorf("the exact count is not there:\n%s", html)
	}
	for _, want := range []string{"8.03 B parameters", `class="status exact"`, "LlamaForCausalLM"} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s in\n%s", want, html)
		}
	}
}

func TestAnEstimateSaysWhy(t *testing.T) {
	html := count(answer(t, "v=1", strings.Replace(llama31, "{", `{"mystery_width":7,`, 1)))
	for _, want := range []string{`class="status estimate"`, "<code>mystery_width</code> is not a key known"} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s in\n%s", want, html)
		}
	}
}

// A query matrix is [a·d, h] = [32·128, 4096] = 16,777,216 in each of 32 layers.
func TestTensorsExplainThemselves(t *testing.T) {
	html := parts(answer(t, "v=1", llama31))
	i := strings.Index(html, "self_attn.q_proj.weight</code>")
	if i < 0 {
		t.Fatal("no q_proj")
	}
	if got, want := spaced(html[i:]), "self_attn.q_proj.weight a·d × h 32·128 × 4096 16777216 × 32 L 536870912"; got != want {
		t.Errorf("the row reads\n%s\nwant\n%s", got, want)
	}
}

// spaced is the text of a table row, its cells apart.
func spaced(html string) string {
	html = html[:strings.Index(html, "</tr>")]
	return digits(strings.NewReplacer("</td>", " </td>", "</th>", " </th>").Replace(html))
}

func TestTiedHeadIsNotCounted(t *testing.T) {
	html := parts(answer(t, "v=1", `{"model_type":"gpt2","architectures":["GPT2LMHeadModel"]}`))
	if !strings.Contains(digits(html), "tied to transformer.wte.weight") {
		t.Error("the tied head does not say what it is tied to")
	}
	if !strings.Contains(digits(html), "In all124439808") {
		t.Errorf("GPT-2 has 124,439,808 parameters, the table ends:\n%s", digits(html[strings.Index(html, "<tfoot"):]))
	}
}

// 1 sequence · 32 layers · 8,192 tokens · 2·8·128 elements · 2 bytes = 2^30.
func TestCacheIsWorkedOut(t *testing.T) {
	got := digits(bytes(answer(t, "v=1", llama31)))
	for _, want := range []string{
		"b · layers · s · 2·k·d · bytes = 1 · 32 · 8192 · 2048 · 2 = 1073741824 bytes",
		"1.07 GB = 1.00 GiB",
		"stored parameters × bytes of each = 8030261248 × 2 = 16060522496 bytes",
		"The config says so, in torch_dtype",
		"One more token adds 131072 bytes",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestUnits(t *testing.T) {
	if got := digits(bytes(answer(t, "v=1&units=gib", llama31))); !strings.Contains(got, "Weights bf16 15.0 GiB") {
		t.Errorf("in GiB: %s", got)
	}
}

func TestAWindowBoundsTheCache(t *testing.T) {
	got := digits(bytes(answer(t, "v=1", `{"model_type":"gemma2","architectures":["Gemma2ForCausalLM"]}`)))
	for _, want := range []string{
		"keys and values, window 4096 in 13 layers",
		"b · layers · min(s, window) · 2·k·d · bytes = 1 · 13 · 4096 · 2048 · 2 = 218103808 bytes",
		"keys and values, whole context in 13 layers",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestSymbols(t *testing.T) {
	r := answer(t, "v=1", llama31)
	sp := speaker{r.Model}
	for _, c := range []struct {
		expr            string
		size            int64
		symbols, values string
	}{
		{"hidden_size", 4096, "h", "4096"},
		{"num_attention_heads * head_dim", 4096, "a·d", "32·128"},
		{"2 * (num_key_value_heads + num_attention_heads) * head_dim", 10240, "2·(k + a)·d", "2·(8 + 32)·128"},
		{"width", 14336, "width", "14336"}, // no name of a key: families bind theirs, and nothing is guessed
		{"width", 77, "width", "77"},       // nothing has that value: it stays a word
		{"rank", 64, "rank", "64"},
		{"dim", 256, "dim", "256"}, {"num_attention_heads * dim", 8192, "a·dim", "8192"}, // another model's key for the hidden size, here a local name
		{"hidden_size // num_attention_heads", 128, "h/a", "4096/32"},
		{`4 * hidden_size if kind == "a" else hidden_size`, 4096, `4 * hidden_size if kind == "a" else hidden_size`, "4096"},
		{"7", 7, "7", "7"},
	} {
		var s, v markup.Writer
		d := model.Dim{Size: c.size, Expr: c.expr}
		sp.symbols(&s, d)
		sp.values(&v, d)
		if got := markup.Plain(s.String()); got != c.symbols {
			t.Errorf("%s in letters is %s, want %s", c.expr, got, c.symbols)
		}
		if got := markup.Plain(v.String()); got != c.values {
			t.Errorf("%s with values is %s, want %s", c.expr, got, c.values)
		}
	}
}

func TestConfigsAreEscaped(t *testing.T) {
	const evil = `<img src=x onerror=alert(1)>"'&`
	text := strings.NewReplacer(`"torch_dtype"`, `"<img src=x onerror=alert(1)>\"'&":1,"torch_dtype"`).Replace(llama31)
	text = strings.Replace(text, "LlamaForCausalLM", `<img src=x onerror=alert(1)>\"'&`, 1)
	q, _, _ := query.Parse("v=1&set.rope_theta=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E&set.zz=%3Cimg%20src=x%3E")
	cfg, err := config.ParseObject(text)
	if err != nil {
		t.Fatal(err)
	}
	r, err := report.Answer(q, report.Subject{Name: evil, Slug: evil, Config: cfg}, families.Library())
	if err != nil {
		t.Fatal(err)
	}
	html := Calculator(r, Options{Whole: true, Families: "</script><b>", Address: "https://example.org"})
	if i := strings.Index(html, "<img"); i >= 0 {
		t.Errorf("markup of the config in …%s…", html[max(0, i-80):i+60])
	}
	if n := strings.Count(html, "</script>"); n != 2 {
		t.Errorf("two script elements hold data, %d end", n)
	}
}

func TestCalculatorIsWhole(t *testing.T) {
	r := answer(t, "v=1&context=1000&batch=2", llama31)
	html := Calculator(r, Options{Whole: true, Families: "=== llama\n", AllFamilies: "/assets/families.txt", Address: "https://example.org"})
	for _, x := range append(Regions(), Verdicts()...) {
		if x.ID == "narrow" {
			continue // the wide drawing is moved with a finger
		}
		if want := `data-region="` + x.ID + `">` + x.HTML(r) + "</div>"; !strings.Contains(html, want) {
			t.Errorf("region %s is not in it", x.ID)
		}
	}
	for _, want := range []string{
		`name="context" data-default="8192" data-binary value="1,000"`, `name="batch" data-default="1" value="2"`,
		`name="set.hidden_size" inputmode="numeric" value="4096"`,
		`data-query="v=1&amp;context=1000&amp;batch=2"`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s", want)
		}
	}
	for _, not := range []string{" style=", "<style", " onclick", "javascript:"} {
		if strings.Contains(html, not) {
			t.Errorf("%s in the calculator", not)
		}
	}
	if n := strings.Count(html, " id="); n != 6 { // the answer, what changes the model, and the tabs, which links name
		t.Errorf("%d ids", n)
	}
}

// TestUnitFields: the sizes of a picture and of a sound are asked for; the figure beside which each field is shown says which it is.
func TestUnitFields(t *testing.T) {
	for _, c := range []struct{ link, config, value, figure, not string }{
		{"v=1&image=640x480", `{"model_type":"swin"}`, `name="image" data-default="" value="640x480"`, `data-at="picture"`, `data-at="sound"`},
		{"v=1&seconds=10", `{"model_type":"wav2vec2"}`, `name="seconds" data-default="" value="10"`, `data-at="sound"`, `data-at="picture"`},
		{"v=1", llama31, `name="image" data-default="" value=""`, "", `data-at="picture"`},
	} {
		html := Calculator(answer(t, c.link, c.config), Options{Whole: true, Families: "=== llama\n"})
		if !strings.Contains(html, c.value) || !strings.Contains(html, c.figure) || strings.Contains(html, c.not) {
			t.Errorf("%s of %.40s: want %s and %s, without %s", c.link, c.config, c.value, c.figure, c.not)
		}
	}
}

func TestAnOverrideCanBeTakenBack(t *testing.T) {
	html := keys(answer(t, "v=1&set.hidden_size=8192&set.head_dim=64&set.rope_theta=2", llama31))
	for _, want := range []string{
		`data-reset="hidden_size"><var class="d-h">h</var> back to 4096</button>`,
		`data-reset="head_dim"><var class="d-d">d</var> back to the class&#39;s default</button>`,
		`data-reset="rope_theta">remove</button>`, // read by no tensor, but in the question
		"12 config keys, 3 changed",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s in\n%s", want, html)
		}
	}
}

func TestFigures(t *testing.T) {
	r := onCard(t, "v=1", llama31)
	for _, kind := range Kinds {
		html, ok := Figure(kind, r, Options{})
		if !ok || len(html) < 500 {
			t.Errorf("figure %s: %v, %d bytes", kind, ok, len(html))
		}
		if strings.Contains(html, `id="`) && kind != "calculator" {
			t.Errorf("figure %s has an id, which would repeat", kind)
		}
	}
	if _, ok := Figure("pie", r, Options{}); ok {
		t.Error("there is no pie")
	}
}

func TestSpoken(t *testing.T) {
	if got, want := Spoken(answer(t, "v=1", llama31)), "8,030,261,248 parameters, exact. Weights 16.1 GB, cache 1.07 GB."; got != want {
		t.Errorf("Spoken = %q, want %q", got, want)
	}
}

func BenchmarkRegions(b *testing.B) {
	r := answer(b, "v=1", llama31)
	for b.Loop() {
		for _, x := range Regions() {
			x.HTML(r)
		}
	}
}
