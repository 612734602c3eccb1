package accuracy

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"llmsize/build/oracle"
	"llmsize/content/catalogue"
	"llmsize/core/compute"
	"llmsize/core/config"
	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/report"
)

// desk answers what the tables ask: about models of the catalogue, and about
// those of configs.txt.
type desk struct {
	catalogue *catalogue.Catalogue
	devices   *catalogue.Devices
	configs   map[string]config.Value
	sources   map[string]string
}

func newDesk() (*desk, error) {
	d := &desk{configs: map[string]config.Value{}, sources: map[string]string{}}
	var err error
	if d.catalogue, err = catalogue.AllModels(); err != nil {
		return nil, err
	}
	if d.devices, err = catalogue.AllDevices(); err != nil {
		return nil, err
	}
	rows, err := oracle.LoadTable(files, "configs.txt")
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		cfg, fail := config.ParseObject(r["config"])
		if fail != nil {
			return nil, fmt.Errorf("configs.txt: %s: %w", r["name"], fail)
		}
		d.configs[r["name"]] = cfg
	}
	if rows, err = oracle.LoadTable(files, "sources.txt"); err != nil {
		return nil, err
	}
	for _, r := range rows {
		d.sources[r["key"]] = r["title"] + ", " + r["date"]
	}
	return d, nil
}

// ask answers a link on a device.
func (d *desk) ask(link, device string) (*report.Report, error) {
	q, issues, fail := query.Parse(link)
	if fail != nil {
		return nil, fail
	}
	if len(issues) > 0 {
		return nil, fmt.Errorf("%s: %w", link, &issues[0])
	}
	name := q.Get(query.Model)
	s := report.Subject{Slug: name, Name: name, Config: d.configs[name]}
	if s.Config.Kind == config.Absent {
		m, ok := d.catalogue.Find(name)
		if !ok {
			return nil, fmt.Errorf("no model %s", name)
		}
		var err error
		if s, err = m.Subject(); err != nil {
			return nil, err
		}
	}
	on, ok := d.devices.Find(device)
	if !ok {
		return nil, fmt.Errorf("no device %s", device)
	}
	s.Device = on.Spec()
	r, fail := report.Answer(q, s, families.Library())
	if fail != nil {
		return nil, fmt.Errorf("%s: %w", link, fail)
	}
	return r, nil
}

// count is a model's parameters, or its FLOPs for a token by a convention. A
// model that is a number is its parameters alone.
func (d *desk) count(model, seq, convention string) (float64, error) {
	convention, _, _ = strings.Cut(convention, ",")
	var list []compute.Convention
	if n, err := strconv.ParseFloat(model, 64); err == nil {
		list = compute.Conventions(&compute.Run{Seq: 1, Params: n})
	} else {
		link := "v=1&model=" + model + "&seq=" + seq
		if cfg := d.configs[model]; strings.Contains(cfg.JSON(), "n_positions") {
			link += "&set.n_positions=" + seq
		}
		r, err := d.ask(link, "h100-sxm-80gb")
		if err != nil {
			return 0, err
		}
		if convention == "parameters" {
			return float64(r.Parameters.Total), nil
		}
		list = r.Compute.Conventions
	}
	for i := range list {
		if list[i].Name == convention {
			return list[i].Token, nil
		}
	}
	return 0, fmt.Errorf("%s: no convention %q", model, convention)
}

// value works out products and quotients, from left to right: "100*64/13.75".
func value(s string) (float64, error) {
	x, op := 1.0, byte('*')
	for s != "" {
		end := strings.IndexAny(s, "*/")
		word, next := s, byte(0)
		if end >= 0 {
			word, next, s = s[:end], s[end], s[end+1:]
		} else {
			s = ""
		}
		n, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return 0, err
		}
		if op == '*' {
			x *= n
		} else {
			x /= n
		}
		op = next
	}
	return x, nil
}

// cited lists the sources that rows name, in their order.
func (d *desk) cited(rows []oracle.Row) (string, error) {
	var out []string
	seen := map[string]bool{}
	for _, r := range rows {
		key := r["source"]
		if seen[key] {
			continue
		}
		seen[key] = true
		title, ok := d.sources[key]
		if !ok {
			return "", fmt.Errorf("sources.txt has no %q", key)
		}
		out = append(out, title)
	}
	return strings.Join(out, "; ") + ".", nil
}

// written are the page's own words, named pieces one behind the other.
//
//go:embed words.md
var written string

// words is a piece of them by its name, with verbs of fmt where figures go.
func words(name string) string {
	_, text, ok := strings.Cut(written, "<!-- "+name+" -->\n")
	if !ok {
		panic("accuracy: words.md has no " + name)
	}
	text, _, _ = strings.Cut(text, "<!-- ")
	return text
}
