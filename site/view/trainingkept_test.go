package view_test

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"testing"

	"llmsize/build/text"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/site/markup"
	"llmsize/site/view"
)

var (
	keptRow = regexp.MustCompile(`<tr><th scope="row">([^<]*)</th><td>([^<]*)</td><td>([^<]*)</td><td class="num">(.*?)</td></tr><tr><td colspan="4"><p(.*?)</p></td></tr>`)
	spans   = regexp.MustCompile(`<span class="symbols">(.*)</span> <span class="values">= (.*)</span>`)
	names   = regexp.MustCompile(`[A-Za-z_]\w*`)
	digits  = regexp.MustCompile(`[\d,]+`)
	tex     = strings.NewReplacer(",", "{,}", "·", `\cdot `)
)

// training is the table of activations of a config under a link; empty where there is none.
func training(t *testing.T, lib *family.Library, text, link string) (*report.Report, string) {
	t.Helper()
	q, issues, err := query.Parse(link)
	if err != nil || len(issues) > 0 {
		t.Fatal(link, issues, err)
	}
	cfg, err := config.ParseObject(text)
	if err != nil {
		t.Fatal(err)
	}
	r, fail := report.Answer(q, report.Subject{Config: cfg}, lib)
	if fail != nil || r.Training.Memory == nil {
		return nil, ""
	}
	for _, x := range view.Lenses() {
		if x.ID == "training" {
			_, table, _ := strings.Cut(x.HTML(r), `aria-label="Activations"`)
			return r, table
		}
	}
	t.Fatal("no lens")
	return nil, ""
}

// TestKeptAddsUp works out what is shown under every row of activations, of every type that there is: values
// times the tokens are the bytes of a layer, and of one byte more they are not. The line in letters is built alike.
func TestKeptAddsUp(t *testing.T) {
	links := []string{"seq=96&micro-batch=2", "seq=96&flash=off&tp=2", "seq=96&kernels=fused&tp=2&sp=off", "seq=96&recompute=full&precision=fp32", "seq=96&recompute=ops&cp=2", "seq=96&flash=off&recompute=selective&tp=3&devices=3"}
	lib, lines := families.Library(), 0
	for n, name := range lib.Types() {
		for i := range 2 { // each type under two of them
			link := links[(n+3*i)%len(links)]
			r, html := training(t, lib, `{"model_type":"`+name+`"}`, link)
			if r == nil {
				continue
			}
			rows := keptRow.FindAllStringSubmatch(html, -1)
			saved := r.Training.Memory.Saved
			if len(rows) != len(saved) {
				t.Errorf("%s %s: %d formulas of %d rows", name, link, len(rows), len(saved))
				continue
			}
			l := &r.Training.Question.Layout
			tokens := r.Query.Int(query.MicroBatch) * r.Query.Int(query.Seq) / max(l.CP, 1)
			for i, x := range rows {
				both := spans.FindStringSubmatch(x[5])
				if both == nil {
					if saved[i].Layer != 0 || !strings.Contains(x[5], "convolutions") {
						t.Errorf("%s %s: %s has no formula: %s", name, link, x[1], x[5])
					}
					continue
				}
				symbols, values := plain(both[1]), plain(both[2])
				lines++
				layer := new(big.Rat).SetFloat64(saved[i].Layer)
				exact := tex.Replace(values)
				if err := text.Adds(fmt.Sprintf(`(%s) \cdot %d = %s`, exact, tokens, decimals(layer))); err != nil {
					t.Errorf("%s %s: %s: %s = %s: %v", name, link, x[1], symbols, values, err)
				}
				if text.Adds(fmt.Sprintf(`(%s) \cdot %d = %s`, exact, tokens, decimals(layer.Add(layer, big.NewRat(1, 1))))) == nil {
					t.Errorf("%s %s: %s: %s is not worked out", name, link, x[1], values)
				}
				// Every name is a number in the other line, and every number stays.
				if !strings.Contains(symbols, "if") && len(digits.FindAllString(names.ReplaceAllString(symbols, "1"), -1)) < len(digits.FindAllString(values, -1)) {
					t.Errorf("%s %s: %s: %s has more in it than %s", name, link, x[1], values, symbols)
				}
			}
		}
	}
	if lines < 1000 {
		t.Errorf("%d lines", lines)
	}
}

// decimals is a number as a worked line has it: whole, or to the fourth decimal.
func decimals(n *big.Rat) string {
	if n.IsInt() {
		return n.Num().String()
	}
	return n.FloatString(4)
}

// plain is a formula without its marks.
func plain(html string) string {
	return markup.Plain(strings.ReplaceAll(strings.ReplaceAll(html, "<sub>", "_"), "</sub>", ""))
}

// TestKept holds formulas to the letters of the site.
func TestKept(t *testing.T) {
	const llama = `{"model_type":"llama","architectures":["LlamaForCausalLM"],"vocab_size":128256,"hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8}`
	const deepseek = `{"model_type":"deepseek_v3","architectures":["DeepseekV3ForCausalLM"]}`
	for _, c := range []struct{ config, link, row, symbols, values string }{
		{llama, "", "ffn: feed-forward", "2·h + 2·4·f", "2·4096 + 2·4·14336"},
		{llama, "", "attention: projections", "2·h + 2·a·d + 2·k·d + 2·k·d + 2·a·d", "2·4096 + 2·32·128 + 2·8·128 + 2·8·128 + 2·32·128"},
		{llama, "", "attention: softmax sums", "4·a", "4·32"},
		{llama, "", "input_layernorm: norms", "6·h + 4", "6·4096 + 4"},
		{llama, "", "head: logits and loss", "2·h + (4·V·(s - 1)) / s", "2·4096 + (4·128256·4095) / 4096"},
		{llama, "cp=2", "head: logits and loss", "2·h + 4·V", "2·4096 + 4·128256"},
		{llama, "tp=2&flash=off", "attention: scores", "(6·a·s) / t", "(6·32·4096) / 2"},
		{llama, "tp=2", "ffn: feed-forward", "(2·h + 2·4·f) / t", "(2·4096 + 2·4·14336) / 2"},
		{llama, "tp=2&sp=off", "ffn: feed-forward", "2·h + (2·4·f) / t", "2·4096 + (2·4·14336) / 2"},
		{llama, "tp=2", "loss: logits and their gradients", "(8·V) / t", "(8·128256) / 2"},
		{llama, "tp=2", "head: logits and loss", "(2·h) / t + (4·V·(s - 1)) / (s·t)", "(2·4096) / 2 + (4·128256·4095) / (4096·2)"},
		{llama, "recompute=full", "layer: layer inputs", "2·h", "2·4096"},
		{llama, "precision=fp32", "ffn: feed-forward", "4·h + 4·4·f", "4·4096 + 4·4·14336"},
		{deepseek, "", "attention: projections", "2·h + 2·q_lora_rank + 2·kv_lora_rank + 2·a·d + 2·k·d + 2·(a·(qk_nope_head_dim + v_head_dim)) + 2·a·v_head_dim",
			"2·7168 + 2·1536 + 2·512 + 2·128·192 + 2·128·192 + 2·(128·(128 + 128)) + 2·128·128"},
		{deepseek, "", "experts: experts", "4·h + 2·h + 4·E + 8·K + 2·2·K·h + 2·4·K·f_E", "4·7168 + 2·7168 + 4·256 + 8·8 + 2·2·8·7168 + 2·4·8·2048"},
	} {
		_, html := training(t, families.Library(), c.config, c.link)
		found := false
		for _, x := range keptRow.FindAllStringSubmatch(html, -1) {
			both := spans.FindStringSubmatch(x[5])
			if both == nil || x[1] != c.row || found {
				continue
			}
			found = true
			if symbols, values := plain(both[1]), plain(both[2]); symbols != c.symbols || values != c.values {
				t.Errorf("%s: %s: %q = %q, want %q = %q", c.link, c.row, symbols, values, c.symbols, c.values)
			}
		}
		if !found {
			t.Errorf("%s: no row %s", c.link, c.row)
		}
	}
	// How a token's bytes become a row's: 2·4,096 + 2·4·14,336 = 122,880, of 4,096 tokens in 32 layers; of two pieces of four
	// layers with seven and four micro-batches in flight, of eight slices and of what no third decimal tells.
	for link, want := range map[string]string{
		"":                   "feed-forward Layers · micro-batches in flight · Bytes a token · tokens = 32 · 1 · 122,880 · 4096 = 16106127360",
		"pp=4&micro-batch=2": "feed-forward Layers · micro-batches in flight · Bytes a token · tokens = 8 · 4 · 122,880 · 8192 = 32212254720",
		"pp=4&vp=2&recompute=full&set.vocab_size=1000": "layer inputs Layers of all micro-batches in flight · Bytes a token · tokens = 44 · 8,192 · 4096 = 1476395008",
		"cp=2":                          "= 32 · 1 · 122,880 · 2048 = 8053063680",
		"set.num_hidden_layers=1&seq=3": "logits and loss Layers · micro-batches in flight · Bytes a token · tokens = 1 · 1 · 350,208 · 3 = 1050624", // 2·4,096 + 4·128,256·2/3
		"set.num_hidden_layers=1&seq=7": "= 1 · 1 · 447,926.857 · 7 ≈ 3135488",                                                                       // 2·4,096 + 4·128,256·6/7
	} {
		if _, html := training(t, families.Library(), llama, link); !strings.Contains(plain(html), want) {
			t.Errorf("%s: no %q in %s", link, want, plain(html))
		}
	}
}
