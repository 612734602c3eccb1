package answers

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/model"
)

// architectures is a table of families of one sort.
func (r *Reference) architectures(of string) (string, error) {
	c, err := r.check()
	if err != nil {
		return "", err
	}
	var p page
	p.table(map[string]string{
		"decoders": "Decoders: language models that write on", "pairs": "Encoders with decoders", "encoders": "Encoders: models that read",
		"several": "Models that see or hear", "towers": "Towers and parts, counted inside other models",
	}[of], "Family", "model_type", "Classes", "Cases held#", "Passes held#", "Where its facts are from")
	found := 0
	for _, f := range r.families {
		if r.sort(f) != of {
			continue
		}
		found++
		var held tally
		for _, t := range f.types {
			held.add(c.byType[t])
		}
		p.raw(`<tr><th scope="row">`).text(f.Title).raw(`</th><td>`)
		p.codes(f.types)
		p.raw(`</td><td>`).text(classes(f)).raw(`</td><td class="num">`)
		if held.cases > 0 {
			p.raw(strconv.Itoa(held.cases))
		} else {
			p.raw(`<span class="quiet">none</span>`)
		}
		p.raw(`</td><td class="num">`)
		if held.passes > 0 {
			p.raw(strconv.Itoa(held.passes))
		}
		p.raw(`</td><td class="from">`).text(strings.Join(f.Sources, "; ")).raw(`</td></tr>`)
	}
	p.end()
	if found == 0 {
		return "", fmt.Errorf("no family is of the sort %s", of)
	}
	return p.String(), nil
}

// classes says what can be counted: "causal, base, sequence".
func classes(f familyFile) string {
	var kinds []string
	for _, c := range f.Classes {
		if !slices.Contains(kinds, c.Kind) {
			kinds = append(kinds, c.Kind)
		}
	}
	return strings.Join(kinds, ", ")
}

// sort is the table that a family belongs to, by what its default config builds and
// by the class that stands for it.
func (r *Reference) sort(f familyFile) string {
	m, fail := family.Describe(config.Value{Kind: config.Object}.Set("model_type", config.Value{Kind: config.String, Text: f.types[0]}), r.Library)
	var has [model.NumRoles]bool
	if fail == nil {
		m.Each(func(_ *model.Block, _ *model.Kind, _ *model.Part, t *model.Tensor, _ int64) { has[t.Role] = true })
	}
	senses := has[model.Vision] || has[model.Audio]
	for _, k := range f.Keys {
		head, _, nested := strings.Cut(k.Path, ".")
		senses = senses || nested && (head == "vision_config" || head == "audio_config" || head == "text_config" || head == "llm_config")
	}
	kinds := classes(f)
	writes := strings.Contains(kinds, "causal") || strings.Contains(kinds, "seq2seq")
	switch {
	case senses && (writes || has[model.Embedding] || fail != nil):
		return "several"
	case senses || !writes && !has[model.Embedding] || strings.Contains(f.File, "vision") || strings.Contains(f.File, "audio"):
		return "towers"
	case strings.Contains(kinds, "seq2seq"):
		return "pairs"
	case writes && !strings.Contains(kinds, "masked"):
		return "decoders"
	}
	return "encoders"
}
