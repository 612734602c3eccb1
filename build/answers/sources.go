package answers

import (
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"llmsize/content/catalogue"
)

// sources is one table of where data are from.
func (r *Reference) sources(of string) (string, error) {
	var p page
	switch of {
	case "models":
		if err := r.modelSources(&p); err != nil {
			return "", err
		}
	case "measurements":
		if err := r.measurements(&p); err != nil {
			return "", err
		}
	case "devices":
		if err := r.deviceSources(&p); err != nil {
			return "", err
		}
	}
	return p.String(), nil
}

// modelSources says where each configuration was read, one line for a repository.
func (r *Reference) modelSources(p *page) error {
	licences, err := r.licences()
	if err != nil {
		return err
	}
	type place struct {
		what, repository string
	}
	by := map[place][]catalogue.Model{}
	var order []place
	for _, m := range r.Catalogue.Models {
		at := place{m.Source.What, m.Source.Repository}
		if by[at] == nil {
			order = append(order, at)
		}
		by[at] = append(by[at], m)
	}
	slices.SortStableFunc(order, func(a, b place) int { return len(by[b]) - len(by[a]) })
	p.table("Where configurations were read", "Repository", "Its licence", "What", "Read", "Models")
	for _, at := range order {
		p.raw(`<tr><th scope="row">`).text(at.repository).raw(`</th><td>`).text(licences[at.repository]).raw(`</td><td>`).text(at.what).raw(`</td><td class="date">`)
		var days []string
		for _, m := range by[at] {
			if !slices.Contains(days, m.Read) {
				days = append(days, m.Read)
			}
		}
		p.text(strings.Join(days, ", ")).raw(`</td><td>`)
		for i, m := range by[at] {
			if i > 0 {
				p.raw(", ")
			}
			p.raw(`<a href="/models/`).text(m.Slug).raw(`/">`).text(m.Name).raw(`</a>`)
		}
		p.raw(`</td></tr>`)
	}
	for _, repository := range slices.Sorted(maps.Keys(licences)) {
		if !slices.ContainsFunc(order, func(at place) bool { return at.repository == repository }) {
			return fmt.Errorf("content/licences.toml: no configuration was read in %s", repository)
		}
	}
	p.end()
	return nil
}

// licences are those of repositories, by name, where somebody has read them.
func (r *Reference) licences() (map[string]string, error) {
	const name = "licences.toml"
	text, err := fs.ReadFile(r.Content, name)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	if err := toml.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("content/%s: %w", name, err)
	}
	return all, nil
}

// measurements lists the sources that docs/accuracy.md names below its tables.
func (r *Reference) measurements(p *page) error {
	const name = "accuracy.md"
	text, err := fs.ReadFile(r.Docs, name)
	if err != nil {
		return err
	}
	p.table("Where measurements were read", "Of what", "Sources")
	found := 0
	for section := range strings.SplitSeq(string(text), "\n## ") {
		title, _, _ := strings.Cut(section, "\n")
		m := namedSources.FindAllStringSubmatch(section, -1)
		for _, one := range m {
			found++
			p.raw(`<tr><th scope="row">`).text(title).raw(`</th><td><ul>`)
			for source := range strings.SplitSeq(one[1], "; ") {
				p.raw(`<li>`).text(plainly(source)).raw(`</li>`)
			}
			p.raw(`</ul></td></tr>`)
		}
	}
	p.end()
	if found == 0 {
		return fmt.Errorf("docs/%s names no sources", name)
	}
	return nil
}

var namedSources = regexp.MustCompile(`(?m)\bSources?: (.+)\.$`)

// grades say what a device's source is worth.
var grades = []struct{ name, text string }{
	{"maker", "the maker's own"}, {"device", "what the device prints"}, {"quotes", "names the maker's document"}, {"table", "names nothing"},
}

// deviceSources lists every source of a device's figures, with the devices it is used for.
func (r *Reference) deviceSources(p *page) error {
	devices, err := catalogue.LoadDevices(r.Content)
	if err != nil {
		return err
	}
	type source struct{ grade, title, date string }
	by := map[source][]string{}
	var order []source
	for _, d := range devices.List {
		for _, s := range d.Sources {
			at := source{s.Grade, s.Title, s.Date}
			if by[at] == nil {
				order = append(order, at)
			}
			by[at] = append(by[at], d.Name)
		}
	}
	rank := func(grade string) int {
		return slices.IndexFunc(grades, func(g struct{ name, text string }) bool { return g.name == grade })
	}
	slices.SortFunc(order, func(a, b source) int {
		if n := rank(a.grade) - rank(b.grade); n != 0 {
			return n
		}
		if n := len(by[b]) - len(by[a]); n != 0 {
			return n
		}
		return strings.Compare(a.title+a.date, b.title+b.date)
	})
	p.table("Where figures of devices were read", "Source", "What it is worth", "Date", "Devices")
	for _, at := range order {
		p.raw(`<tr><th scope="row">`).text(at.title).raw(`</th><td>`).text(grades[max(rank(at.grade), 0)].text).raw(`</td><td>`).text(at.date).raw(`</td><td>`).text(strings.Join(by[at], ", ")).raw(`</td></tr>`)
	}
	p.end()
	return nil
}
