package answers

import (
	"fmt"
	"strings"

	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// A step of the pipeline: where in the book it is explained, and its sides in letters and as
// fields. Steps without sides are told in words.
type step struct {
	name, link string
	letters    string   // "h × a·d"
	sides      []string // expressions over the report's fields
	words      string
	inLayer    bool
}

// steps is the way of a token through a decoder with a gated feed-forward part.
var steps = []step{
	{name: "tokenizer", link: "/where-the-numbers-come-from/#hidden-size", words: "the text, cut into s ids"},
	{name: "embedding", link: "/feed-forward-norms-positions-embeddings/#embeddings", letters: "V × h", sides: []string{"config.vocab_size", "config.hidden_size"}},
	{name: "norm", link: "/feed-forward-norms-positions-embeddings/#norms", letters: "h", sides: []string{"config.hidden_size"}, inLayer: true},
	{name: "queries", link: "/attention-counted/#four", letters: "h × a·d", sides: []string{"config.hidden_size", "config.num_attention_heads*config.head_dim"}, inLayer: true},
	{name: "keys, values", link: "/attention-counted/#grouped", letters: "2 · h × k·d", sides: []string{"config.hidden_size", "config.num_key_value_heads*config.head_dim"}, inLayer: true},
	{name: "scores, softmax", link: "/attention-counted/#between", words: "a tables of s × s", inLayer: true},
	{name: "output", link: "/count-llama-from-its-code/#wo", letters: "a·d × h", sides: []string{"config.num_attention_heads*config.head_dim", "config.hidden_size"}, inLayer: true},
	{name: "norm", link: "/feed-forward-norms-positions-embeddings/#norms", letters: "h", sides: []string{"config.hidden_size"}, inLayer: true},
	{name: "gate, up", link: "/feed-forward-norms-positions-embeddings/#gated", letters: "2 · h × f", sides: []string{"config.hidden_size", "config.intermediate_size"}, inLayer: true},
	{name: "down", link: "/feed-forward-norms-positions-embeddings/#gated", letters: "f × h", sides: []string{"config.intermediate_size", "config.hidden_size"}, inLayer: true},
	{name: "norm", link: "/feed-forward-norms-positions-embeddings/#norms", letters: "h", sides: []string{"config.hidden_size"}},
	{name: "LM head", link: "/feed-forward-norms-positions-embeddings/#embeddings", letters: "h × V", sides: []string{"config.hidden_size", "config.vocab_size"}},
	{name: "softmax", link: "/attention-counted/#between", words: "draw one id, and again from the top"},
}

// pipeline draws the steps from text to the next token under each other. Every box leads to its
// section; those that have a side of h are filled and have a heavy edge.
//
//	kind=pipeline query=…
func (e *Engine) pipeline(text string) (string, error) {
	r, err := e.report(text)
	if err != nil {
		return "", err
	}
	var w markup.Writer
	w.Raw(`<div class="graph">`)
	for i, width := range []int64{600, 328} {
		w.Raw(`<div class="`).Text([...]string{"wide", "narrow"}[i]).Raw(`">`)
		if err := pipelineSVG(&w, r, width); err != nil {
			return "", err
		}
		w.Raw(`</div>`)
	}
	return w.Raw(`</div>`).String(), nil
}

func pipelineSVG(w *markup.Writer, r *report.Report, width int64) error {
	const height, gap, margin = 30, 8, 30
	whole := int64(len(steps))*(height+gap) + gap
	w.Raw(`<svg class="chart" viewBox="0 0 `).Int(width).Raw(" ").Int(whole).Raw(`" width="`).Int(width).Raw(`" height="`).Int(whole).Raw(`" role="group" aria-label="From text to the next token, step by step">`)
	layers, ok := r.Field("config.num_hidden_layers")
	if !ok {
		return fmt.Errorf("the pipeline has no layers: %s", r.Query.String())
	}
	first, last := -1, 0
	for i, s := range steps {
		y := int64(gap + i*(height+gap))
		if s.inLayer {
			if first < 0 {
				first = i
			}
			last = i
		}
		size := s.words
		if s.sides != nil {
			var sides []string
			for _, f := range s.sides {
				v, ok := r.Field(f)
				n, whole := v.Int()
				if !ok || !whole {
					return fmt.Errorf("the pipeline has no %s: %s", f, r.Query.String())
				}
				sides = append(sides, units.Group(n))
			}
			size = strings.Join(sides, " × ")
			if width > 400 {
				size = s.letters + " = " + size
				if strings.HasPrefix(s.letters, "2 · ") {
					size = s.letters + " = 2 · " + sides[0] + " × " + sides[1]
				}
			} else if strings.HasPrefix(s.letters, "2 · ") {
				size = "2 · " + size
			}
		}
		fill := `fill f-C`
		if s.sides != nil {
			fill = `band fill f-A`
		}
		if i > 0 {
			w.Raw(`<path d="M`).Int(margin + 20).Raw(" ").Int(y - gap).Raw(`v`).Int(gap).Raw(`"/>`)
		}
		w.Raw(`<a`).Attr("href", s.link).Raw(`><path class="`).Text(fill).Raw(`" d="M`).Int(margin).Raw(" ").Int(y).Raw(`h`).Int(width - margin - 2).Raw(`v`).Int(height).Raw(`H`).Int(margin).Raw(`z"/><text class="own" x="`).Int(margin + 8).Raw(`" y="`).Int(y + 19).Raw(`">`).Text(s.name).Raw(`</text> <text class="end" x="`).Int(width - 10).Raw(`" y="`).Int(y + 19).Raw(`">`).Text(size).Raw(`</text></a>`)
	}
	top, bottom := int64(gap+first*(height+gap)), int64(gap+last*(height+gap)+height)
	w.Raw(`<path d="M`).Int(margin - 6).Raw(" ").Int(top).Raw(`h-8V`).Int(bottom).Raw(`h8"/><text class="mid" transform="rotate(-90)" x="-`).Int((top + bottom) / 2).Raw(`" y="11">`).Text(layers.Text + " times").Raw(`</text></svg>`)
	return nil
}
