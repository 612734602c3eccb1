package answers

import (
	"fmt"
	"regexp"
	"strings"

	"llmsize/build/text"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// goalCondition is one thing that a reader has to reach: a figure of the page's calculator or a key of its
// question, at most or at least some number.
type goalCondition struct {
	name   string
	atMost bool
	bound  int64
}

// goalFigures are the figures that a calculator in a text shows, by the names that goals give them, in the order in
// which the page has them: the script goal.js reads them from there.
var goalFigures = []struct {
	name, words string
	fields      []string
}{
	{"parameters", "Parameters", []string{"parameters.total"}},
	{"weights", "Weights", []string{"memory.weights.bytes"}},
	{"cache", "KV cache", []string{"memory.kv_cache.bytes"}},
	{"together", "Weights and cache", []string{"memory.weights.bytes", "memory.kv_cache.bytes"}},
}

var goalForm = regexp.MustCompile(`^([a-z_.A-Z]+)(<=|>=)(\d+)$`)

// goal is a task that the page checks: the reader sets the calculator's fields until all conditions hold. The first
// calculator of the page is meant, which begins with the page's question. met is a question that reaches the goal: a
// goal that is reached from the start, or that this does not reach, is an error.
//
//	kind=goal goal="cache<=20000000000 context>=131072" met="context=131072&kv=q4_0"
func (e *Engine) goal(question, goalOption, metOption string) (string, error) {
	var all []goalCondition
	for _, word := range strings.Fields(goalOption) {
		m := goalForm.FindStringSubmatch(word)
		if m == nil {
			return "", fmt.Errorf("goal: %q is not name<=number or name>=number", word)
		}
		var bound int64
		if _, err := fmt.Sscan(m[3], &bound); err != nil {
			return "", fmt.Errorf("goal: %q: %w", word, err)
		}
		all = append(all, goalCondition{m[1], m[2] == "<=", bound})
	}
	if len(all) == 0 {
		return "", fmt.Errorf("goal= names no condition")
	}
	start, err := e.report(question)
	if err != nil {
		return "", err
	}
	end, err := e.report(text.Overlay(question, strings.FieldsFunc(metOption, func(r rune) bool { return r == '&' })...))
	if err != nil {
		return "", fmt.Errorf("met: %w", err)
	}
	var w markup.Writer
	open := 0
	w.Raw(`<ul class="goal" data-goal`).Raw(">")
	for _, c := range all {
		words, now, err := goalValue(start, c.name)
		if err != nil {
			return "", err
		}
		_, then, err := goalValue(end, c.name)
		if err != nil {
			return "", err
		}
		if !c.holds(then) {
			return "", fmt.Errorf("met=%q does not reach %s: it is %d", metOption, c.name, then)
		}
		if !c.holds(now) {
			open++
		}
		bound := units.Group(c.bound)
		for _, f := range goalFigures[1:] {
			if f.name == c.name {
				bound = units.Bytes(c.bound).GB()
			}
		}
		sign, side := "≥", "at least "
		if c.atMost {
			sign, side = "≤", "at most "
		}
		w.Raw(`<li data-met="`).Text([...]string{"no", "yes"}[b2i(c.holds(now))]).Raw(`"`).Attr("data-name", c.name).Attr("data-sign", sign).Attr("data-bound", units.Itoa(c.bound)).Raw(`>`).Text(words + " " + side + bound).Raw(` <output>`).Text([...]string{"not yet", "reached"}[b2i(c.holds(now))]).Raw(`</output></li>`)
	}
	if open == 0 {
		return "", fmt.Errorf("the goal is reached from the start: %s", start.Query.String())
	}
	return w.Raw(`</ul><p class="goal-said" role="status" data-goal-said></p>`).String(), nil
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (c goalCondition) holds(n int64) bool {
	if c.atMost {
		return n <= c.bound
	}
	return n >= c.bound
}

// goalValue is a figure or a key of a report, and what a reader calls it.
func goalValue(r *report.Report, name string) (words string, n int64, err error) {
	for _, f := range goalFigures {
		if f.name != name {
			continue
		}
		for _, field := range f.fields {
			v, ok := r.Field(field)
			x, whole := v.Int()
			if !ok || !whole {
				return "", 0, fmt.Errorf("goal: the answer has no %s", field)
			}
			n += x
		}
		return f.words, n, nil
	}
	if key, ok := strings.CutPrefix(name, "set."); ok {
		v, found := r.Field("config." + key)
		x, whole := v.Int()
		if !found || !whole {
			return "", 0, fmt.Errorf("goal: the configuration has no number %s", key)
		}
		return key, x, nil
	}
	if p, ok := query.ParamNamed(name); ok && (p == query.Context || p == query.Batch) {
		if _, err := fmt.Sscan(r.Query.Get(p), &n); err != nil {
			return "", 0, fmt.Errorf("goal: %s: %w", name, err)
		}
		return map[query.Param]string{query.Context: "Context", query.Batch: "Sequences"}[p], n, nil
	}
	return "", 0, fmt.Errorf("goal: no %q: there are parameters, weights, cache, together, context, batch and set.KEY", name)
}
