package answers

import (
	"fmt"
	"strings"

	"llmsize/build/text"
	"llmsize/core/units"
)

// What a text says of devices is the catalogue's answer too, so that a new device corrects the
// sentence. These fields are for prose:
//
//	accelerators.count            accelerators and cards in the catalogue; systems and machines that
//	                              share their memory with the host are left out
//	accelerators.hold.FIGURE      how many of them have at least that many bytes: accelerators.hold.memory.training.bytes
//	fits.running, fits.training   "fits", "may fit" or "does not fit" on the query's device
//	fits.sequence                 the longest sequence that can be trained on it, or "none"
const (
	acceleratorsHead = "accelerators"
	fitsHead         = "fits"
)

// holds answers a field of the catalogue of devices.
func (e *Engine) holds(question, name string) (text.Value, error) {
	which, figure, _ := strings.Cut(name, ".")
	if name != "count" && (which != "hold" || figure == "") {
		return text.Value{}, fmt.Errorf("of accelerators there are count and hold.FIGURE, not %q", name)
	}
	need := text.Value{}
	if figure != "" {
		var err error
		if need, err = e.Number(question, figure); err != nil {
			return text.Value{}, err
		}
		if need.Unit != text.Bytes || need.IsFloat || need.IsText {
			return text.Value{}, fmt.Errorf("%s is not a number of bytes", figure)
		}
	}
	v := text.Value{Query: need.Query}
	for i := range e.devices.List {
		if d := e.devices.List[i].Spec(); (d.Kind == "accelerator" || d.Kind == "card") && d.Memory >= need.Int {
			v.Int++
		}
	}
	return v, nil
}

// fitting is what fits the query's device, in words.
func (e *Engine) fitting(question, name string) (text.Value, error) {
	r, err := e.inverse(question)
	if err != nil {
		return text.Value{}, err
	}
	by := "inverse_by_peak" // of a step that is followed
	if _, ok := r.Field("training.inverse_by_peak.fits"); !ok {
		by = "inverse"
	}
	var field string
	var words map[string]string
	switch name {
	case "running":
		field, words = "running.fits", map[string]string{"yes": "fits", "unclear": "may fit", "no": "does not fit"}
	case "training":
		field, words = "training."+by+".fits", map[string]string{"true": "fits", "false": "does not fit"}
	case "sequence":
		field, words = "training."+by+".seq.most", map[string]string{"0": "none"}
	default:
		return text.Value{}, fmt.Errorf("there are fits.running, fits.training and fits.sequence, not %q", name)
	}
	found, ok := r.Field(field)
	if !ok {
		return text.Value{}, fmt.Errorf("the answer does not say whether that fits: %s is missing", field)
	}
	said, ok := words[found.Text]
	if !ok && name == "sequence" {
		n, _ := found.Int()
		said, ok = units.Group(n), true
	}
	if !ok {
		return text.Value{}, fmt.Errorf("%s is %q, for which there are no words", field, found.Text)
	}
	return text.Value{IsText: true, Text: said, Query: r.Query.String()}, nil
}
