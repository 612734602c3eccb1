package answers

import (
	"fmt"
	"html"
	"io/fs"
	"slices"
	"strings"

	"llmsize/build/text"
	"llmsize/content/catalogue"
	"llmsize/core/family"
)

// Reference makes the parts. Content is the content folder, Core the folder core/
// of the checkout, whose testdata hold what is checked, Docs its folder docs/.
type Reference struct {
	Library   *family.Library
	Catalogue *catalogue.Catalogue
	Content   fs.FS
	Core      fs.FS
	Docs      fs.FS
	Numbers   text.Resolver // the engine, for numbers in data

	families []familyFile      // made at first use
	sorts    map[string]string // of families that were sorted, by their first type

	drawings   map[string][]byte // made for the style drawingsIn
	drawingsIn string
	groups     []Group
	used       map[string][]use  // by key
	effects    map[string]effect // by key
	checks     *checks
}

// Kinds are the kinds of figure, with what of= may be.
var Kinds = map[string][]string{
	"keys":          nil, // the groups of keys.toml, and index
	"architectures": {"decoders", "pairs", "encoders", "seeing", "hearing", "omni", "vision", "sound", "series", "rest", "towers"},
	"accuracy":      {"classes", "unequal", "real", "caches", "exceptions", "engines", "published", "buffers", "memory", "logs", "decoding", "prefill", "serving", "predicted", "offload", "gpt", "runs", "hours", "training", "stated", "missing"},
	"sources":       {"models", "devices", "measurements"},
	"devices":       {"accelerators", "systems", "fitting"},
	"glossary":      nil, // letters, roles, link, formats, and the groups of glossary.toml
	"changes":       {"others", "own"},
}

// Figure is one part as HTML.
func (r *Reference) Figure(kind, of string) (string, error) {
	if allowed := Kinds[kind]; allowed != nil && !slices.Contains(allowed, of) {
		return "", fmt.Errorf("of=%q: a figure of kind %s has of= %s", of, kind, strings.Join(allowed, ", "))
	}
	if err := r.load(); err != nil {
		return "", err
	}
	switch kind {
	case "keys":
		return r.keys(of)
	case "architectures":
		return r.architectures(of)
	case "accuracy":
		return r.accuracy(of)
	case "glossary":
		return r.glossary(of)
	case "changes":
		return r.changes(of)
	case "devices":
		return r.devices(of)
	}
	return r.sources(of)
}

// familyFile is a family file with the types that are in it.
type familyFile struct {
	family.Family
	types []string
}

// load reads declarations and meanings once.
func (r *Reference) load() error {
	if r.families != nil {
		return nil
	}
	groups, err := loadGroups(r.Content)
	if err != nil {
		return err
	}
	var list []familyFile
	at := map[string]int{}
	for _, t := range r.Library.Types() {
		f, fail := r.Library.Declared(t)
		if fail != nil {
			return fail
		}
		i, ok := at[f.File]
		if !ok {
			i = len(list)
			at[f.File] = i
			list = append(list, familyFile{Family: f})
		}
		list[i].types = append(list[i].types, t)
	}
	slices.SortFunc(list, func(a, b familyFile) int {
		return strings.Compare(strings.ToLower(a.Title+a.File), strings.ToLower(b.Title+b.File))
	})
	r.groups, r.families = groups, list
	return nil
}

// Number is a count by name, and whether there is one.
func (r *Reference) Number(name string) (int64, bool, error) {
	if err := r.load(); err != nil {
		return 0, false, err
	}
	c, err := r.check()
	if err != nil {
		return 0, false, err
	}
	n, ok := map[string]int{
		"types": len(r.Library.Types()), "families": len(r.families), "keys": len(r.uses()), "groups": len(r.groups), "models": len(r.Catalogue.Models),
		"fixtures": c.total.files, "cases": c.total.cases, "equal": c.total.equal, "tensors": c.total.tensors, "real": c.real, "passes": c.total.passes, "caches": c.total.caches,
		"exceptions": len(c.exceptions), "held_types": len(c.byType), "built_models": c.catalogue,
	}[name]
	return int64(n), ok, nil
}

// page collects HTML.
type page struct{ strings.Builder }

// raw writes markup, text escaped text.
func (p *page) raw(parts ...string) *page {
	for _, s := range parts {
		p.WriteString(s)
	}
	return p
}

func (p *page) text(s string) *page { return p.raw(html.EscapeString(s)) }

// table begins a table in a box that scrolls; a head that ends in "#" is a column
// of numbers.
func (p *page) table(caption string, head ...string) {
	p.raw(`<div class="scroll" tabindex="0" role="group" aria-label="`).text(caption).raw(`"><table class="reference"><caption>`).text(caption).raw(`</caption><thead><tr>`)
	for _, h := range head {
		if name, numeric := strings.CutSuffix(h, "#"); numeric {
			p.raw(`<th scope="col" class="num">`).text(name).raw(`</th>`)
		} else {
			p.raw(`<th scope="col">`).text(h).raw(`</th>`)
		}
	}
	p.raw("</tr></thead><tbody>")
}

func (p *page) end() { p.raw("</tbody></table></div>") }

// codes writes a list of names as code.
func (p *page) codes(names []string) {
	for i, n := range names {
		if i > 0 {
			p.raw(" ")
		}
		p.raw("<code>").text(n).raw("</code>")
	}
}
