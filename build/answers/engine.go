// Package answers is what the core says on pages: numbers for prose, calculators, figures, cards, and the tables of reference
// pages. An [Engine] answers each query once and keeps the answer; a [Reference] (doc.go) makes what follows from declarations.
package answers

import (
	"fmt"
	"io/fs"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"llmsize/build/pages"
	"llmsize/build/text"
	"llmsize/content/catalogue"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/figure"
	"llmsize/core/formula"
	"llmsize/core/predict"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/timeline"
	"llmsize/site/card"
)

// Engine answers queries about the catalogue's models. It serves one caller at a time.
type Engine struct {
	catalogue *catalogue.Catalogue
	library   *family.Library
	families  []string // names of their files
	answers   map[string]answer
	values    map[[2]string]text.Value // by query and field
	choices   [][]string               // made at the first calculator
	cards     map[string]card.Card     // by query
	presets   []catalogue.Preset
	devices   *catalogue.Devices
	engines   *predict.Library
	popular   catalogue.Popular
	pages     []pages.Device // made when asked for
	uncounted []error
	reference Reference

	address string // of the site
	hub     string // address of another model hub than the usual
	asset   func(name string) (string, error)
}

// answer is a report or why there is none.
type answer struct {
	report *report.Report
	err    error
}

// New reads the catalogue of a content folder and the family files of another. They are read from
// disk, not from the program: so an edit counts at the next build, without compiling.
// address is the site's, scheme and host.
func New(content, library fs.FS, address string) (*Engine, error) {
	c, err := catalogue.Load(content)
	if err != nil {
		return nil, err
	}
	presets, err := catalogue.LoadPresets(content)
	if err != nil {
		return nil, err
	}
	devices, err := catalogue.LoadDevices(content)
	if err != nil {
		return nil, err
	}
	engines, err := catalogue.LoadEngines(content)
	if err != nil {
		return nil, err
	}
	popular, err := catalogue.LoadPopular(content, c, devices)
	if err != nil {
		return nil, err
	}
	e := &Engine{
		catalogue: c, presets: presets, devices: devices, engines: engines, popular: popular, library: family.NewLibrary(), address: address,
		answers: map[string]answer{}, values: map[[2]string]text.Value{}, cards: map[string]card.Card{},
	}
	files, err := fs.Glob(library, "*.arch")
	if err != nil {
		return nil, err
	}
	fields, err := fs.ReadFile(library, "fields.txt")
	if err != nil {
		return nil, err
	}
	takes := families.Takes(string(fields))
	for _, file := range files {
		words, err := fs.ReadFile(library, file)
		if err != nil {
			return nil, err
		}
		name := strings.TrimSuffix(file, ".arch")
		e.families = append(e.families, name)
		e.library.Add(name, string(words)+takes[name])
	}
	return e, nil
}

// Families are the files from which a page takes families that it does not have yet, by their plain
// names. families/NAME.txt holds a family file with all that it needs ([family.Library.Reach]),
// families/index.txt says on a line for each file which types are in it when they are others than its name:
// "internvl_vision", "qwen2_vl_text qwen2_5_vl_text". families.txt holds every file: for a type that
// nobody knows, and for when there is no network.
func (e *Engine) Families() (map[string][]byte, error) {
	parts := make([][]byte, len(e.families))
	for i, name := range e.families {
		part, err := e.bundle([]string{name})
		if err != nil {
			return nil, err
		}
		parts[i] = []byte(part)
	}
	var near []string
	for _, i := range alike(parts) {
		near = append(near, e.families[i])
	}
	every, err := e.bundle(near)
	if err != nil {
		return nil, err
	}
	all := map[string][]byte{"families.txt": []byte(every)}
	var index strings.Builder
	for _, name := range e.families {
		reached, fault := e.library.Reach(name)
		if fault != nil {
			return nil, fault
		}
		part, err := e.bundle(reached)
		if err != nil {
			return nil, err
		}
		all["families/"+name+".txt"] = []byte(part)
		index.WriteString(name)
		for _, t := range e.library.TypesOf(name) {
			if t != name {
				index.WriteString(" " + t)
			}
		}
		index.WriteByte('\n')
	}
	all["families/index.txt"] = []byte(index.String())
	return all, nil
}

// bundle packs family files.
func (e *Engine) bundle(names []string) (string, error) {
	packed, fault := e.library.Pack(names)
	if fault != nil {
		return "", fault
	}
	return packed, nil
}

// report answers a query. What a reader's link would only warn of is an error here: content
// that names an unknown key is wrong.
func (e *Engine) report(question string) (*report.Report, error) {
	kept, ok := e.answers[question]
	if !ok {
		if kept.report, kept.err = e.answer(question); kept.err == nil {
			timeline.Add(kept.report)
			predict.Add(kept.report, e.engines)
		}
		e.answers[question] = kept
	}
	return kept.report, kept.err
}

// inverse is a report that says what fits by the step's peak, too, which takes as long as all else of it.
func (e *Engine) inverse(question string) (*report.Report, error) {
	r, err := e.report(question)
	if err == nil && r.Timelines.Inverse.Len() == 0 {
		timeline.AddInverse(r)
	}
	return r, err
}

func (e *Engine) answer(question string) (*report.Report, error) {
	q, issues, fault := query.Parse(question)
	if fault != nil {
		return nil, fault
	}
	if len(issues) > 0 {
		return nil, &issues[0]
	}
	slug := q.Get(query.Model)
	model, ok := e.catalogue.Find(slug)
	if !ok {
		return nil, fmt.Errorf("model %q is not in the catalogue (near: %s)", slug, strings.Join(e.catalogue.Nearest(slug), ", "))
	}
	subject, err := model.Subject()
	if err != nil {
		return nil, err
	}
	if d, ok := e.devices.Find(q.Get(query.Device)); ok {
		subject.Device = d.Spec()
	} else if q.Has(query.Device) {
		return nil, fmt.Errorf("device %q is not in the catalogue (near: %s)", q.Get(query.Device), strings.Join(e.devices.Nearest(q.Get(query.Device)), ", "))
	}
	r, fault := report.Answer(q, subject, e.library)
	if fault != nil {
		return nil, fault
	}
	return r, nil
}

// Devices is what the page knows of every device, as JSON.
func (e *Engine) Devices() ([]byte, error) { return e.devices.Plain(e.popular.Devices) }

// UseHub has pages ask another model hub than the usual, at an address with scheme and host.
func (e *Engine) UseHub(address string) { e.hub = address }

// Number is a field of the report, for prose. The field site is the site's address, for code that
// readers copy.
func (e *Engine) Number(question, field string) (text.Value, error) {
	if field == "site" {
		return text.Value{IsText: true, Text: e.address, Query: question}, nil
	}
	key := [2]string{question, field}
	if v, ok := e.values[key]; ok {
		return v, nil
	}
	if v, ok, err := e.ownNumber(question, field); ok {
		return v, err
	}
	report := e.report
	if strings.Contains(field, "inverse_by_peak") {
		report = e.inverse
	}
	r, err := report(question)
	if err != nil {
		return text.Value{}, err
	}
	if v, ok := product(r, field); ok {
		v.Query = r.Query.String()
		e.values[key] = v
		return v, nil
	}
	found, ok := r.Field(field)
	if !ok || found.Kind == config.List || found.Kind == config.Object {
		return text.Value{}, fmt.Errorf("the report has no number %s; near it are %s", field, strings.Join(near(r.Tree().Read(), field), ", "))
	}
	v, err := value(found, field)
	if err != nil {
		return v, err
	}
	v.Query = r.Query.String()
	e.values[key] = v
	return v, nil
}

// factor is a sign and what follows it in a product.
var factor = regexp.MustCompile(`([*/]?)([^*/]+)`)

// product works out products and quotients in which a time or a rate occurs, which the report's own
// expressions leave out because they are exact: 1000*running.time.decode.seconds/8. ok is false for all others.
func product(r *report.Report, field string) (v text.Value, ok bool) {
	if !strings.ContainsAny(field, "*/") || strings.ContainsAny(field, "+-^()") || strings.Contains(field, "//") {
		return v, false
	}
	out, float := 1.0, false
	for _, m := range factor.FindAllStringSubmatch(field, -1) {
		x, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			found, known := r.Field(m[2])
			if !known || found.Kind != config.Number {
				return v, false
			}
			if _, whole := found.Int(); !whole {
				float = true
			}
			if x, err = strconv.ParseFloat(found.Text, 64); err != nil {
				return v, false
			}
		}
		if m[1] == "/" {
			out /= x
		} else {
			out *= x
		}
	}
	return text.Value{IsFloat: true, Float: out}, float && !math.IsInf(out, 0) && !math.IsNaN(out)
}

// value turns a field into a number with its unit.
func value(found config.Value, field string) (text.Value, error) {
	if found.Kind != config.Number {
		return text.Value{IsText: true, Text: found.Text}, nil
	}
	e, problem := formula.Parse(field)
	if problem != "" || figure.Find(field) != nil { // a rule's name may hold a minus
		e = &formula.Node{Op: formula.Name, Name: field}
	}
	v := text.Value{Unit: counts(e)}
	if n, ok := found.Int(); ok {
		v.Int = n
		return v, nil
	}
	n, err := strconv.ParseFloat(found.Text, 64)
	if err != nil {
		return v, fmt.Errorf("field %s: %w", field, err)
	}
	v.Float, v.IsFloat = n, true
	return v, nil
}

// unitsOf are the units in prose of what figures count; the others are plain counts.
var unitsOf = map[figure.Unit]text.Unit{
	figure.Params: text.Params, figure.Bytes: text.Bytes, figure.Rate: text.Bytes,
	figure.FLOPs: text.FLOPs, figure.FLOPRate: text.FLOPs, figure.Seconds: text.Seconds, figure.Joules: text.Joules,
}

// counts is what a number in prose counts, as figures declare: a field, or a sum of fields of one unit.
func counts(e *formula.Node) text.Unit {
	switch e.Op {
	case formula.Name:
		if f := figure.Find(e.Name); f != nil {
			return unitsOf[f.Unit]
		}
	case formula.Add, formula.Sub:
		x, y := e.Args[0], e.Args[1]
		switch { // a number has the unit of what it is added to
		case y.Op == formula.Const || counts(x) == counts(y):
			return counts(x)
		case x.Op == formula.Const:
			return counts(y)
		}
	}
	return text.Count
}

// near lists the fields that share the most with a name that is not there.
func near(tree config.Value, field string) []string {
	var all []string
	var walk func(v config.Value, path string)
	walk = func(v config.Value, path string) {
		if v.Kind != config.Object {
			if v.Kind != config.List {
				all = append(all, path)
			}
			return
		}
		for i, key := range v.Keys {
			walk(v.Vals[i], strings.TrimPrefix(path+"."+key, "."))
		}
	}
	walk(tree, "")
	slices.SortStableFunc(all, func(a, b string) int { return common(b, field) - common(a, field) })
	return all[:min(len(all), 5)]
}

// common is how long two names are alike from the start.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// Report is the answer as JSON.
func (e *Engine) Report(question string) ([]byte, error) {
	r, err := e.report(question)
	if err != nil {
		return nil, err
	}
	return []byte(r.JSON()), nil
}
