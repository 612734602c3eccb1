package answers

import (
	"fmt"
	"strings"

	"llmsize/build/text"
	"llmsize/core/query"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// barColours are the classes of a bar's parts, in order, where they are nothing that memory holds.
var barColours = []string{"r-attention", "r-ffn", "r-embedding", "r-head", "r-state", "r-expert"}

// memoryColours are the classes of what memory holds, the same as on the calculator's bar and in charts, by the field that says how much.
var memoryColours = map[string]string{
	"memory.weights.bytes":        "m-weights",
	"memory.kv_cache.bytes":       "m-cache",
	"memory.training.weights":     "m-weights",
	"memory.training.gradients":   "m-cache tint",
	"memory.training.optimizer":   "m-cache",
	"memory.training.activations": "m-working",
	"memory.training.working":     "m-working tint",
}

// barPart is a part of a bar: its name, the field that says how much, and its class.
type barPart struct{ name, field, class string }

// bars draws answers to several queries under each other on one scale, each with the parts that
// it adds up to; a row's name leads to the calculator with its query.
//
//	kind=bars rows="ZeRO 0: zero=0; ZeRO 1: zero=1&dp=8" parts="weights=memory.training.weights …"
//
// A name's underscores become spaces. The parts of a row must have one unit.
func (e *Engine) bars(question, rowsOption, partsOption string) (string, error) {
	var parts []barPart
	for _, word := range strings.Fields(partsOption) {
		name, field, ok := strings.Cut(word, "=")
		if !ok {
			return "", fmt.Errorf("parts: %q is not name=field", word)
		}
		class, ok := memoryColours[field]
		if !ok {
			class = barColours[len(parts)%len(barColours)]
		}
		parts = append(parts, barPart{strings.ReplaceAll(name, "_", " "), field, class})
	}
	if len(parts) == 0 || len(parts) > len(barColours) {
		return "", fmt.Errorf("parts= names %d parts: it takes 1 to %d", len(parts), len(barColours))
	}
	type row struct {
		name, query, unit string
		values            []text.Value
		total             int64
	}
	var rows []row
	most := int64(0)
	for _, one := range strings.Split(rowsOption, ";") {
		name, keys, ok := strings.Cut(strings.TrimSpace(one), ": ")
		if !ok {
			return "", fmt.Errorf("rows: %q is not “name: key=value&key=value”", one)
		}
		r, err := e.report(text.Overlay(question, strings.FieldsFunc(keys, func(r rune) bool { return r == '&' })...))
		if err != nil {
			return "", fmt.Errorf("row %q: %w", name, err)
		}
		x := row{name: name, query: r.Query.String(), unit: r.Query.Get(query.Units)}
		for _, p := range parts {
			v, err := e.Number(x.query, p.field)
			if err != nil {
				return "", fmt.Errorf("row %q: %w", name, err)
			}
			if v.IsText || v.IsFloat || v.Int < 0 || len(x.values) > 0 && v.Unit != x.values[0].Unit {
				return "", fmt.Errorf("row %q: %s isn't an amount that can be added to the others", name, p.field)
			}
			x.values = append(x.values, v)
			x.total += v.Int
		}
		most = max(most, x.total)
		rows = append(rows, x)
	}
	if most == 0 {
		return "", fmt.Errorf("all bars are empty")
	}
	var w markup.Writer
	if len(parts) > 1 {
		w.Raw(`<div class="legend">`)
		for _, p := range parts {
			w.Raw(`<span><span class="swatch `).Text(p.class).Raw(`" aria-hidden="true">`).Text(p.name[:1]).Raw(`</span> `).Text(p.name).Raw(`</span>`)
		}
		w.Raw(`</div>`)
	}
	w.Raw(`<table><tbody>`)
	for _, x := range rows {
		w.Raw(`<tr><th scope="row"><a`).Attr("href", "/?"+x.query).Raw(`>`).Text(x.name).Raw(`</a><div class="region bar">`)
		w.Raw(`<svg class="bar" viewBox="0 0 880 28" preserveAspectRatio="none" aria-hidden="true">`)
		at, words := int64(0), []string(nil)
		for i, v := range x.values {
			from := scaled(at, most)
			at += v.Int
			if v.Int == 0 {
				continue
			}
			reading := parts[i].name + " " + inUnit(v, x.unit)
			words = append(words, reading)
			w.Raw(`<rect class="`).Text(parts[i].class).Lengths(`" x="@" width="@" height="28"/>`, from, max(scaled(at, most)-from, 50))
		}
		total := x.values[0]
		total.Int = x.total
		w.Raw(`</svg></div>`)
		if len(parts) > 1 {
			w.Raw(`<small class="quiet">`).Text(strings.Join(words, ", ")).Raw(`</small>`)
		}
		w.Raw(`</th><td class="num"><b>`).Text(inUnit(total, x.unit)).Raw(`</b></td></tr>`)
	}
	return w.Raw(`</tbody></table>`).String(), nil
}

// scaled is a place on a bar of 880 in hundredths.
func scaled(n, most int64) int64 {
	const width = 880_00
	if shift := most >> 44; shift > 0 { // so that the product stays in int64
		n, most = n/(shift+1), most/(shift+1)
	}
	return n * width / most
}

// inUnit is an amount in its short form.
func inUnit(v text.Value, unit string) string {
	switch {
	case v.Unit == text.Bytes:
		return units.Bytes(v.Int).In(unit)
	case v.Unit == text.FLOPs:
		return units.FLOPs(v.Int).Short()
	}
	return units.Params(v.Int).Short()
}
