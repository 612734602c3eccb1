package answers

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/model"
	"llmsize/site/chart"
)

// fields are the sorts of families, with what a table of them is called.
var fields = map[string]string{
	"decoders": "Language models that write on", "pairs": "Encoders with decoders", "encoders": "Encoders: models that read",
	"seeing": "Vision and language", "hearing": "Speech and language", "omni": "Vision, speech and language",
	"vision": "Vision", "sound": "Speech and sound", "series": "Time series", "rest": "Other inputs", "towers": "Parts of other models",
}

// architectures is a table of families of one sort.
func (r *Reference) architectures(of string) (string, error) {
	c, err := r.check()
	if err != nil {
		return "", err
	}
	var p page
	p.list("family", "families", fields[of], "Family", "model_type", "Classes", "Cases held#", "Passes held#", "Where its facts are from")
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
		p.raw(`<tr><th scope="row">`)
		r.tree(&p, f)
		p.raw(`</th><td>`)
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
	p.raw("</div>")
	if found == 0 {
		return "", fmt.Errorf("no family is of the sort %s", of)
	}
	return p.String(), nil
}

// tree is a family's name, which opens to what it is built on and what it holds, and its class's defaults drawn to scale.
func (r *Reference) tree(p *page, f familyFile) {
	p.raw(`<details class="tree"><summary>`).text(f.Title).raw(`</summary>`)
	for _, list := range []struct {
		title string
		files []string
	}{{"built on", f.Above}, {"may hold", f.Parts}} {
		if len(list.files) == 0 {
			continue
		}
		p.raw(`<p>`).text(list.title).raw(` `)
		for i, file := range list.files {
			if i > 0 {
				p.raw(`, `)
			}
			p.text(r.lineage(file, 0))
		}
		p.raw(`</p>`)
	}
	if _, ok := r.drawn(f); ok {
		// A link, which a script makes the picture of when its row is opened: without script browsers would load all of them at once.
		p.raw(`<a class="drawn" href="`, DrawingsPath, f.File, `.svg">`).text(f.Title + " with its class's defaults, drawn to scale").raw(`</a>`)
	}
	p.raw(`</details>`)
}

// lineage is a file's name, or its family's title, with what it is built on: "Llama, on decoder".
func (r *Reference) lineage(file string, depth int) string {
	name, above := file, []string(nil)
	if types := r.Library.TypesOf(file); len(types) > 0 {
		if d, err := r.Library.Declared(types[0]); err == nil {
			name, above = d.Title, d.Above
		}
	}
	if len(above) > 0 && depth < 4 {
		return name + " ← " + r.lineage(above[0], depth+1)
	}
	return name
}

// DrawingsPath is where the drawings of families stand.
const DrawingsPath = "/every-architecture/"

// drawn is a family's class with its defaults drawn to scale, and whether there is anything to draw.
func (r *Reference) drawn(f familyFile) (string, bool) {
	m, fail := family.Describe(config.Value{Kind: config.Object}.Set("model_type", config.Value{Kind: config.String, Text: f.types[0]}), r.Library)
	if fail != nil {
		return "", false
	}
	svg := chart.Draw(chart.Plan(m, nil), 880, "")
	return svg, svg != ""
}

// Drawings are the drawings of all families, by their paths; style is what colours them.
func (r *Reference) Drawings(style string) (map[string][]byte, error) {
	if r.drawings != nil && r.drawingsIn == style {
		return r.drawings, nil
	}
	if err := r.load(); err != nil {
		return nil, err
	}
	all := map[string][]byte{}
	for _, f := range r.families {
		if svg, ok := r.drawn(f); ok {
			svg = strings.Replace(svg, "<svg ", `<svg xmlns="http://www.w3.org/2000/svg" `, 1)
			open := strings.IndexByte(svg, '>') + 1
			all[DrawingsPath+f.File+".svg"] = []byte(svg[:open] + "<style>" + style + "</style>" + svg[open:])
		}
	}
	r.drawings, r.drawingsIn = all, style
	return all, nil
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

// sort is the table that a family belongs to.
func (r *Reference) sort(f familyFile) string {
	of, ok := r.sorts[f.types[0]]
	if !ok {
		if r.sorts == nil {
			r.sorts = map[string]string{}
		}
		of = r.sorted(f)
		r.sorts[f.types[0]] = of
	}
	return of
}

// sorted finds the table, by what a family's default config builds and by the class that stands for it.
func (r *Reference) sorted(f familyFile) string {
	if strings.HasPrefix(f.types[0], "gguf-") {
		return "decoders"
	}
	m, fail := family.Describe(config.Value{Kind: config.Object}.Set("model_type", config.Value{Kind: config.String, Text: f.types[0]}), r.Library)
	var has [model.NumRoles]bool
	if fail == nil {
		m.Each(func(_ *model.Block, _ *model.Kind, _ *model.Part, t *model.Tensor, _ int64) { has[t.Role] = true })
	}
	kinds := classes(f)
	writes := strings.Contains(kinds, "causal") || strings.Contains(kinds, "seq2seq")
	streams, words := map[string]bool{}, false
	if fail == nil {
		for _, part := range m.Parts() {
			streams[part.Stream] = true
			words = words || part.Role == model.Embedding && (part.Stream == "" || part.Stream == "text" || part.Stream == "encoder")
		}
	}
	text := writes || words
	sees, hears := has[model.Vision] || streams["image"] || streams["video"], has[model.Audio] || streams["audio"] || streams["speech"]
	for _, k := range f.Keys {
		head, _, nested := strings.Cut(k.Path, ".")
		sees = sees || nested && head == "vision_config"
		hears = hears || nested && head == "audio_config"
		text = text || nested && (head == "text_config" || head == "llm_config")
	}
	thinks := slices.Contains(f.Inert, "thinker_config") // a whole model inside this one, which sees and hears
	sees, hears = sees || thinks, hears || thinks
	held := false
	if c, err := r.check(); err == nil {
		for _, t := range f.types {
			held = held || c.byType[t].cases > 0
		}
	}
	part := false
	for _, end := range []string{"_vision", "_vision_model", "_text", "_text_model", "_audio", "_encoder", "_decoder", "_audio_encoder", "_vision_encoder", "_stack", "_qformer"} {
		part = part || strings.HasSuffix(f.types[0], end)
	}
	forecasts := streams["series"]
	for _, c := range f.Classes {
		forecasts = forecasts || strings.HasSuffix(c.Name, "ForPrediction")
	}
	switch {
	case !writes && (part || fail != nil && !text || !held && kinds == "encoder"):
		return "towers"
	case forecasts:
		return "series"
	case sees && hears && text:
		return "omni"
	case sees && text:
		return "seeing"
	case hears && text:
		return "hearing"
	case sees:
		return "vision"
	case hears:
		return "sound"
	case strings.Contains(kinds, "seq2seq"):
		return "pairs"
	case writes && !strings.Contains(kinds, "masked"):
		return "decoders"
	case words:
		return "encoders"
	}
	return "rest"
}
