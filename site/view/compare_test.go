package view

import (
	"strings"
	"testing"

	"llmsize/content/catalogue"
	"llmsize/core/family/families"
	"llmsize/core/fault"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/site/markup"
)

// TestCompareSays: the sides, the difference and its steps, links to swap and to clear.
func TestCompareSays(t *testing.T) {
	r := answer(t, "v=1&context=4096&vs.context=16384&vs.kv=fp8", llama31)
	if err := r.CompareWith(r.Subject); err != nil {
		t.Fatal(err)
	}
	html := Compare(r, nil)
	text := markup.Plain(html)
	for _, want := range []string{
		"context 4096 → 16384, kv bf16 → fp8", "first", "second", "Parameters: the same, 8.03 B.",
		"4,096 → 2,048 bytes of a token in a layer", "4,096 → 16,384 tokens", "+805306368", // 32 · 2,048 · 12,288
		"2.00", // the cache: four times the tokens, half the bytes
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	for _, want := range []string{`href="/?v=1&amp;context=16384&amp;kv=fp8&amp;vs.context=4096&amp;vs.kv=bf16">Swap the sides`, `href="/?v=1&amp;context=4096">Clear`, `<svg class="waterfall"`} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s", want)
		}
	}
	if got := strings.Count(html, "<details open"); got != 1 {
		t.Errorf("%d rows are open", got)
	}
	if text := markup.Plain(Compare(answer(t, "v=1", llama31), nil)); text != "" {
		t.Errorf("without another side: %s", text)
	}
	if text := markup.Plain(Compare(r, &fault.Error{Field: "vs.n_layer", Problem: "is <odd>"})); !strings.Contains(text, "vs.n_layer: is <odd>") {
		t.Errorf("a fault is not told: %s", text)
	}
}

// TestMineSays: 7.505 B is Llama 3.1 8B without its head of 128,256 · 4,096.
func TestMineSays(t *testing.T) {
	for _, c := range []struct {
		mine string
		want []string
	}{
		{"", []string{"any rule", "12·L·h²"}},
		{"7.505b", []string{"Without the output head", "gives it", "+525336576", "7.50 B"}},
		{"7.505b,no-head", []string{"your number7505000000", "rounding exact − V·h is 7.50 B-75328", "output head", "+525336576", "exact8030261248"}},
		{"12lh2", []string{"12·L·h²6442450944", "exact8030261248"}},
		{"14.96gb", []string{"In the other unit", "15.0 GiB"}},
		{"1gb,12lh2", []string{"12·L·h²6442450944"}}, // bytes are no start of a way to parameters
		{"no-windows", []string{"Windows left out has nothing to say"}},
		{"lots", []string{"neither a number with a unit nor a rule"}},
		{"9e17params", []string{"less"}},
	} {
		text := markup.Plain(Mine(answer(t, strings.TrimSuffix("v=1&mine="+c.mine, "&mine="), llama31)))
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in %s", c.mine, want, text)
			}
		}
	}
}

// TestEveryModelIsCompared: each model of the catalogue with the next, and with a number.
func TestEveryModelIsCompared(t *testing.T) {
	known, err := catalogue.AllModels()
	if err != nil {
		t.Fatal(err)
	}
	library := families.Library()
	for i := range known.Models {
		m, next := &known.Models[i], &known.Models[(i+1)%len(known.Models)]
		q, issues, fail := query.Parse("v=1&model=" + m.Slug + "&vs=" + next.Slug + "&mine=7.5b,12lh2")
		if fail != nil || len(issues) > 0 {
			t.Fatal(m.Slug, fail, issues)
		}
		s, err := m.Subject()
		if err != nil {
			t.Fatal(err)
		}
		other, err := next.Subject()
		if err != nil {
			t.Fatal(err)
		}
		r, fail := report.Answer(q, s, library)
		if fail != nil {
			t.Log(m.Slug, fail)
			continue
		}
		fail = r.CompareWith(other)
		for what, html := range map[string]string{"compared": Compare(r, fail), "explained": Mine(r)} {
			if text := markup.Plain(html); fail == nil && len(text) < 200 || strings.Contains(text, "%!") || strings.Count(html, "<svg") != strings.Count(html, "</svg>") {
				t.Errorf("%s, %s: %s", m.Slug, what, text)
			}
		}
	}
}

func BenchmarkMine(b *testing.B) {
	r := answer(b, "v=1&mine=7.5b", llama31)
	for b.Loop() {
		Mine(r)
	}
}

func BenchmarkCompare(b *testing.B) {
	r := answer(b, "v=1&vs.context=16384", llama31)
	for b.Loop() {
		if err := r.CompareWith(r.Subject); err != nil {
			b.Fatal(err)
		}
		Compare(r, nil)
	}
}

// TestCompareTimesAndRoom: what binds, by which factor another bound does, and which
// term decides whether it fits.
func TestCompareTimesAndRoom(t *testing.T) {
	for _, c := range []struct {
		first, second string
		want          []string
	}{
		// The cache of 131,072 bytes a token, for 1,048,576 tokens instead of 8,192: 137 GB less 1 GB, on 80 GB.
		{"v=1", "v=1&context=1048576", []string{"Fits the deviceyesno", "What decides it: cache, −136 GB of −", "What binds: memory, on both sides.", "cache 1.07 GB → 137 GB", "nanoseconds"}},
		// 15.37 TFLOP at 400 TFLOP/s are 38.4 ms, 15.0 GB and 134 MB at 2 TB/s are 7.57 ms: 5.07 times as long.
		{"v=1&context=1", "v=1&context=1&batch=1024", []string{"What binds: memory, then compute.", "another bound memory → compute, 5.07 times as long", "times as long"}},
		// AdamW's 12 bytes of states for each of 8.03 B parameters are 96.4 GB; an eighth of them is 84.3 GB less.
		{"v=1", "v=1&dp=8&zero=3", []string{"Left in training by the sum of its parts"}},
		{"v=1", "v=1", []string{"Time of the prefill, at best: the same"}},
	} {
		a, b := onCard(t, c.first, llama31), onCard(t, c.second, llama31)
		a.Other = b
		text := markup.Plain(Compare(a, nil))
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s and %s: no %q in %s", c.first, c.second, want, text)
			}
		}
	}
}
