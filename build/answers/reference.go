package answers

import (
	"fmt"
	"io/fs"
	"strings"

	"llmsize/build/answers/mechanism"
	"llmsize/build/text"
)

// UseReference says what reference pages are made from: the content folder, and of the checkout the
// folders core/, whose tests' data say what is checked, and docs/.
func (e *Engine) UseReference(content, core, docs fs.FS) {
	e.reference.Content, e.reference.Core, e.reference.Docs = content, core, docs
}

// refer is the maker of reference pages.
func (e *Engine) refer() (*Reference, error) {
	if e.reference.Core == nil {
		return nil, fmt.Errorf("reference pages are not set up (UseReference)")
	}
	e.reference.Library, e.reference.Catalogue, e.reference.Numbers = e.library, e.catalogue, e
	return &e.reference, nil
}

// Drawings are the families' classes with their defaults, drawn to scale, by their paths; none where no reference pages
// are set up, which alone show them.
func (e *Engine) Drawings(style string) (map[string][]byte, error) {
	if e.reference.Core == nil {
		return nil, nil
	}
	r, err := e.refer()
	if err != nil {
		return nil, err
	}
	return r.Drawings(style)
}

// ownNumber is a number that belongs to no query's report: {= reference.types =}, or what a rule of
// thumb says: {= rule.2lh.value =}, .exact, .difference; or what the catalogue of devices says (holds.go).
// ok is false for all other fields.
func (e *Engine) ownNumber(question, field string) (v text.Value, ok bool, err error) {
	switch head, name, _ := strings.Cut(field, "."); head {
	case acceleratorsHead:
		v, err := e.holds(question, name)
		return v, true, err
	case "mechanism":
		if name != "parameters" {
			return v, true, fmt.Errorf("of mechanism there is parameters, those of the model whose forward pass is drawn, not %q", name)
		}
		return text.Value{Int: int64(mechanism.Tiny())}, true, nil
	case fitsHead:
		v, err := e.fitting(question, name)
		return v, true, err
	case "reference":
		r, err := e.refer()
		if err != nil {
			return v, true, err
		}
		n, found, err := r.Number(name)
		if err == nil && !found {
			err = fmt.Errorf("reference pages have no number %s", name)
		}
		return text.Value{Int: n}, true, err
	case "rule":
		r, err := e.report(question)
		if err != nil {
			return v, true, err
		}
		name, which, _ := strings.Cut(name, ".")
		a, err := applied(r, name)
		if err != nil {
			return v, true, err
		}
		v.Query = r.Query.String()
		v.Unit = map[string]text.Unit{"params": text.Params, "bytes": text.Bytes, "flops": text.FLOPs}[a.Rule.Of.Unit()]
		switch which {
		case "value":
			v.Int = a.Value
		case "exact":
			v.Int = a.Exact
		case "difference":
			v.Int = a.Exact - a.Value
		default:
			return v, true, fmt.Errorf("a rule has value, exact and difference, not %q", which)
		}
		return v, true, nil
	}
	return v, false, nil
}
