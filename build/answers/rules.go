package answers

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"llmsize/build/answers/mechanism"
	"llmsize/build/text"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/rules"
	"llmsize/site/view"
)

// ruleKinds are the figures about rules of thumb, differences and declarations, with the options each takes.
//
//	kind=rules query=…                    every rule that speaks of the model; of=… only some quantities
//	kind=rule rule=12lh2 models="a b"     one rule over several models; query=… is what they share
//	kind=waterfall rule=12lh2 query=…     from the rule to the exact figure
//	kind=compare query="model=a&vs=b"     from one model to another; of=… only some figures
//	kind=compare query=… to="context=32768"
//	                                      from one query to another
//	kind=choose                           a form for two models, which opens their comparison
//	kind=bars rows=… parts=…              answers to several queries on one scale, see bars.go
//	kind=pipeline query=…                 the steps from text to the next token
//	kind=goal goal=… met=…                conditions that the page checks on its calculator, see goal.go
//	kind=curve of=… along=… values=… rows=…  one time against a key of the question, see curve.go
//	kind=shapes sizes=… models=…          models by width and layers, over lines of equal size, see shapes.go
//	kind=mechanism of=forward             how a part of a model works, see package mechanism
//	kind=file query=…                     a safetensors file from its first byte on
//	kind=mine                             a form for a number that the reader has
//	kind=softmax                          what the softmax gives to eight tokens, by the width of a head
var ruleKinds = map[string][]string{
	"mechanism": {"of"},
	"bars":      {"rows", "parts"}, "pipeline": {}, "file": {}, "softmax": {}, "mine": {}, "goal": {"goal", "met"},
	"curve": {"of", "along", "values", "rows", "x", "y"}, "shapes": {"sizes", "models"},
	"rules": {"of"}, "rule": {"rule", "models"}, "waterfall": {"rule"}, "compare": {"of", "to"},
	// parts of reference pages, see doc.go
	"keys": {"of"}, "architectures": {"of"}, "accuracy": {"of"}, "sources": {"of"},
	"glossary": {"of"}, "changes": {"of"}, "devices": {"of"}, "choose": {},
}

// ruleFigure draws one of them.
func (e *Engine) ruleFigure(kind, question string, options map[string]string) (string, error) {
	for _, o := range slices.Sorted(maps.Keys(options)) {
		if !slices.Contains(ruleKinds[kind], o) {
			return "", fmt.Errorf("no option %s: a figure of kind %s has %s, query and id", o, kind, strings.Join(ruleKinds[kind], ", "))
		}
	}
	switch kind {
	case "keys", "architectures", "accuracy", "sources", "glossary", "changes", "devices":
		r, err := e.refer()
		if err != nil {
			return "", err
		}
		return r.Figure(kind, options["of"])
	case "choose":
		r, err := e.refer()
		if err != nil {
			return "", err
		}
		return r.choose(), nil
	case "rule":
		return e.ruleOver(question, options["rule"], strings.Fields(options["models"]))
	case "pipeline":
		return e.pipeline(question)
	case "file":
		return e.file(question)
	case "softmax":
		return softmax(), nil
	case "curve":
		return e.curve(question, options)
	case "shapes":
		return e.shapes(strings.Fields(options["sizes"]), strings.Fields(options["models"]))
	case "mechanism":
		draw := mechanism.Kinds[options["of"]]
		if draw == nil {
			return "", fmt.Errorf("no mechanism %q: there are %s", options["of"], strings.Join(slices.Sorted(maps.Keys(mechanism.Kinds)), ", "))
		}
		return draw(), nil
	case "mine":
		return e.mine(), nil
	case "goal":
		return e.goal(question, options["goal"], options["met"])
	case "bars":
		return e.bars(question, options["rows"], options["parts"])
	case "compare":
		return e.compare(question, options["to"], options["of"])
	}
	r, err := e.report(question)
	if err != nil {
		return "", err
	}
	if kind == "waterfall" {
		a, err := applied(r, options["rule"])
		if err != nil {
			return "", err
		}
		return view.RuleWaterfall(r, &a), nil
	}
	answers := rules.Applying(r)
	if of := options["of"]; of != "" {
		answers = slices.DeleteFunc(answers, func(a rules.Answer) bool { return !strings.Contains(a.Rule.Of.String(), of) })
	}
	if len(answers) == 0 {
		return "", fmt.Errorf("no rule has anything to say about it")
	}
	return view.Rules(r, answers), nil
}

// applied is a rule that must have something to say.
func applied(r *report.Report, name string) (rules.Answer, error) {
	rule, ok := rules.Named(name)
	if !ok {
		var names []string
		for _, x := range rules.All() {
			names = append(names, x.Name)
		}
		return rules.Answer{}, fmt.Errorf("no rule %q: there are %s", name, strings.Join(names, ", "))
	}
	a, ok := rule.Apply(r)
	if !ok {
		return a, fmt.Errorf("the rule %s says nothing about %s", name, r.Query.String())
	}
	return a, nil
}

func (e *Engine) ruleOver(question, name string, models []string) (string, error) {
	if len(models) == 0 {
		return "", fmt.Errorf("models= names no model")
	}
	var rows []view.RuleRow
	for _, slug := range models {
		r, err := e.report(text.Overlay(question, "model="+slug))
		if err != nil {
			return "", err
		}
		a, err := applied(r, name)
		if err != nil {
			return "", err
		}
		rows = append(rows, view.RuleRow{Report: r, Answer: a})
	}
	return view.RuleOver(rows[0].Answer.Rule, rows), nil
}

// compare leads from the query's model to the one that vs names, or to the query with some keys changed.
func (e *Engine) compare(question, to, of string) (string, error) {
	a, err := e.report(question)
	if err != nil {
		return "", err
	}
	keys := strings.FieldsFunc(to, func(r rune) bool { return r == '&' })
	if vs := a.Query.Get(query.Versus); vs != "" {
		keys = append(keys, "model="+vs)
	}
	if len(keys) == 0 {
		return "", fmt.Errorf("with what: the query has no vs=, and there is no to=")
	}
	b, err := e.report(text.Overlay(question, keys...))
	if err != nil {
		return "", err
	}
	list := report.Compare(a, b)
	if of != "" {
		list = slices.DeleteFunc(list, func(c report.Comparison) bool { return c.Name != of })
	}
	if len(list) == 0 {
		return "", fmt.Errorf("of=%q isn't a figure that both have", of)
	}
	return view.Comparison(a, b, list), nil
}
