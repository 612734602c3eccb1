package answers

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"llmsize/content/catalogue"
	"llmsize/core/report"
	"llmsize/site/view"
	"llmsize/site/view/speed"
)

// UseAssets says how files of the build are called on the site.
func (e *Engine) UseAssets(url func(name string) (string, error)) { e.asset = url }

// Calculator is the calculator with every model of the catalogue to choose from, and the answer
// to a query in it.
func (e *Engine) Calculator(text string) (string, error) {
	r, o, err := e.options(text)
	if err != nil {
		return "", err
	}
	o.Whole, o.Token = true, speed.Token(r, e.engines)
	o.Presets = e.offered(text)
	return view.Calculator(r, o), nil
}

// offered are the presets that a calculator offers in its lenses: where no one model is asked
// about, and where the question is a preset itself.
func (e *Engine) offered(text string) []view.Preset {
	offer := text == "v=1"
	var list []view.Preset
	for _, p := range e.presets {
		offer = offer || p.Query == text
		if p.Lens != "" {
			list = append(list, view.Preset{Lens: p.Lens, Path: "/presets/" + p.Name + "/#" + p.Lens, Title: p.Title})
		}
	}
	if !offer {
		return nil
	}
	return list
}

// Figure draws a figure for a chapter.
func (e *Engine) Figure(kind, text string, options map[string]string) (string, error) {
	if kind == "embed" {
		return e.embedded(text, options)
	}
	if ruleKinds[kind] != nil {
		return e.ruleFigure(kind, text, options)
	}
	if unknown := slices.Sorted(maps.Keys(options)); len(unknown) > 0 {
		return "", fmt.Errorf("no option %s: a figure has kind, query and id", strings.Join(unknown, ", "))
	}
	r, o, err := e.options(text)
	if err != nil {
		return "", err
	}
	html, ok := view.Figure(kind, r, o)
	if !ok && slices.Contains(view.Kinds, kind) {
		return "", fmt.Errorf("there is nothing for it to show: the model or the device lacks what it is about")
	}
	if !ok {
		kinds := slices.Concat(view.Kinds, slices.Sorted(maps.Keys(ruleKinds)))
		return "", fmt.Errorf("no kind %q: there are %s", kind, strings.Join(kinds, ", "))
	}
	return html, nil
}

// options is the report for a query and what its calculator needs.
func (e *Engine) options(text string) (*report.Report, view.Options, error) {
	r, err := e.report(text)
	if err != nil {
		return nil, view.Options{}, err
	}
	// A type that is no family's own, but read as one by its keys, has no files to name: its page
	// asks for all of them when it counts again.
	names, fault := e.library.Closure(r.Model.Type)
	if fault != nil {
		names = nil
	}
	all, err := e.asset("families.txt")
	if err != nil {
		return nil, view.Options{}, err
	}
	own, err := e.bundle(names)
	if err != nil {
		return nil, view.Options{}, err
	}
	return r, view.Options{Families: own, AllFamilies: all, Address: e.address, Hub: e.hub}, nil
}

// Models is the picker's list as JSON, those first that most people look for: of every model that can be counted
// the slug, its words, and the ids under which the hub has it.
func (e *Engine) Models() ([]byte, error) {
	if e.choices == nil {
		for _, m := range e.catalogue.Models {
			if r, err := e.report("v=1&model=" + m.Slug); err == nil {
				one := []string{m.Slug, m.Name + ", " + r.Parameters.Total.Short()}
				for _, id := range append([]string{m.Hub}, m.Also...) {
					if id != "" {
						one = append(one, id)
					}
				}
				e.choices = append(e.choices, one)
			}
		}
		catalogue.First(e.choices, e.popular.Models, func(one []string) string { return one[0] })
	}
	return json.Marshal(e.choices)
}
