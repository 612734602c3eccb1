package chart

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"llmsize/core/model"
)

func TestFlow(t *testing.T) {
	c := Flow{Label: "a flow", To: "scores", Stages: []Stage{
		{From: "tokens", Steps: []Step{{Role: model.Embedding, Title: "embedding", Detail: "1,000 × 64", Aside: true}}},
		{Title: "layers 0–3", Times: 4, Steps: []Step{
			{Role: model.Attention, Title: "attention", Detail: "8 heads <b>", Heads: 8, KV: 2, Window: true},
			{Role: model.Expert, Title: "experts", Detail: "2 of 5 experts", Experts: 5, TopK: 2},
			{Role: model.FFN, Title: "feed-forward", Detail: "64 → 256 → 64", In: 64, Mid: 256},
			{Role: model.State, Title: "state", Detail: "keeps 10 numbers", State: true}}},
	}}
	for _, width := range []int64{600, 328} {
		svg := c.SVG(width)
		d := xml.NewDecoder(strings.NewReader(svg))
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%v in\n%s", err, svg)
			}
		}
		// Four steps add to the stream, the embedding does not.
		if n := strings.Count(svg, "<circle"); n != 4 {
			t.Errorf("%d places where something is added, want 4", n)
		}
		for _, want := range []string{"× 4", "8 heads &lt;b&gt;", `aria-label="a flow"`, ">tokens<", ">scores<"} {
			if !strings.Contains(svg, want) {
				t.Errorf("no %s", want)
			}
		}
		// Two of five tiles are filled: a path of two squares, then one of three.
		_, tiles, _ := strings.Cut(svg, `class="r-expert"`)
		_, tiles, _ = strings.Cut(tiles, `class="part held" d="`)
		held, rest, _ := strings.Cut(tiles, `"/><path class="part" d="`)
		rest, _, _ = strings.Cut(rest, `"`)
		if a, b := strings.Count(held, "M"), strings.Count(rest, "M"); a != 2 || b != 3 {
			t.Errorf("%d tiles filled and %d not, want 2 and 3", a, b)
		}
	}
}

func TestWrap(t *testing.T) {
	long := "32 heads, 128 wide, share keys and values"
	for _, c := range []struct {
		s     string
		chars int64
		want  string
	}{
		{"", 10, ""}, {"short", 10, "short"}, {long, 20, "32 heads, 128 wide,|share keys and|values"}, {"averyverylongword and", 5, "averyverylongword|and"},
	} {
		if got := strings.Join(wrap(c.s, c.chars*charWidth), "|"); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.s, c.chars, got, c.want)
		}
	}
}
