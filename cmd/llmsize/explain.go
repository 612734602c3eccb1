package main

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"llmsize/content/catalogue"
	"llmsize/core/explain"
	"llmsize/core/fault"
	"llmsize/core/jsonout"
	"llmsize/core/model"
	"llmsize/core/predict"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/timeline"
)

// explain prints the derivation of one figure.
func (c *command) explain() error {
	if len(c.args) < 2 {
		return fmt.Errorf("%w: MODEL and FIGURE are needed: llmsize explain llama-3.1-8b memory.kv_cache.bytes", errUsage)
	}
	path := c.args[1]
	c.args = append(c.args[:1:1], c.args[2:]...)
	if strings.Contains(path, "=") {
		return fmt.Errorf("%w: FIGURE follows MODEL: llmsize explain llama-3.1-8b memory.kv_cache.bytes context=32768", errUsage)
	}
	r, err := c.answer()
	if err != nil {
		return err
	}
	host, err := everyDevice()
	if err != nil {
		return err
	}
	tree, fail := explain.Tree(r, host, path)
	if fail != nil {
		return fail
	}
	steps, compared := report.Comparison{}, false
	if r.Other != nil {
		steps, compared = report.CompareAt(r, r.Other, path)
	}
	if c.json {
		o := jsonout.Object("query", jsonout.Text(r.Query.String()), "derivation", tree.JSON())
		if compared {
			o = o.Set("compared", steps.JSON())
		}
		_, err := fmt.Fprint(c.out, o.Indent())
		return err
	}
	if _, err := fmt.Fprint(c.out, tree.Text(r.Query.Get(query.Units))); err != nil {
		return err
	}
	if compared {
		var t table
		t.gap()
		fall(&t, &steps, r.Query.Get(query.Units))
		if err := t.write(c.out); err != nil {
			return err
		}
	}
	return warnings(c, r)
}

// everyDevice are the devices that values of the key device name.
func everyDevice() (*explain.Host, error) {
	all, err := catalogue.AllDevices()
	if err != nil {
		return nil, err
	}
	engines, err := catalogue.AllEngines()
	if err != nil {
		return nil, err
	}
	h := &explain.Host{Also: func(r *report.Report, path string) {
		switch {
		case strings.Contains(path, ".timeline."):
			timeline.Add(r)
		case strings.HasPrefix(path, "predicted"):
			predict.Add(r, engines)
		}
	}}
	for i := range all.List {
		h.Devices = append(h.Devices, all.List[i].Spec())
	}
	return h, nil
}

// keys prints every key of a question.
func (c *command) keys() error {
	if len(c.args) > 0 {
		return fmt.Errorf("%w: keys takes no arguments", errUsage)
	}
	list := query.Keys()
	if c.json {
		type row struct {
			Key     string   `json:"key"`
			Default string   `json:"default"`
			Meaning string   `json:"meaning"`
			Allowed []string `json:"allowed"`
		}
		rows := make([]row, len(list))
		for i, k := range list {
			rows[i] = row{k.Name, k.Default, k.Meaning, k.Allowed}
		}
		return c.writeJSON(rows)
	}
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, k := range list {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", k.Name, k.Default, k.Meaning, fault.Clip(strings.Join(k.Allowed, " "), 80))
	}
	return w.Flush()
}

// nearestKeys adds to the error about an unknown key the keys that are like it: the question's, and the config's.
func nearestKeys(fail *fault.Error, r *report.Report) {
	names := query.Names()
	if r != nil {
		for _, s := range explain.Sources(r) {
			if !s.Asked {
				names = append(names, s.Key())
			}
		}
	}
	if near := explain.Nearest(names, fail.Field, 3); len(near) > 0 {
		fail.Hint = "did you mean " + strings.Join(near, ", ") + "? `llmsize keys` lists all"
	}
}

// nearestOverrides adds to the warning about an override that nothing reads the keys that are like it.
func nearestOverrides(r *report.Report) {
	for _, set := range r.Query.Set {
		for i := range r.Warnings {
			w := &r.Warnings[i]
			if !w.Inexact || w.Field != set.Key {
				continue
			}
			if slices.ContainsFunc(r.Model.Keys, func(k model.Key) bool { return k.Path+k.Given == set.Key }) {
				continue // it is read: the warning is about its value
			}
			var names []string
			for _, s := range explain.Sources(r) {
				if !s.Asked && s.Name != set.Key {
					names = append(names, s.Name)
				}
			}
			if near := explain.Nearest(names, set.Key, 3); len(near) > 0 {
				w.Text += "; did you mean " + strings.Join(near, ", ") + "?"
			}
		}
	}
}
