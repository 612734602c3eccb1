package report

import (
	"llmsize/core/fault"
	"llmsize/core/jsonout"
	"llmsize/core/model"
	"llmsize/core/quant"
	"llmsize/core/query"
	"llmsize/core/units"
)

// Weights is what the tensors take in the query's recipe.
type Weights struct {
	Format   string      // "q4_k_m"; in a config's own words where it names no recipe
	Asked    string      // "auto" when the config decides
	Why      string      // where auto found it: "torch_dtype", "quantization_config"
	Bits     int64       // of every element; 0 when recipes store them differently
	Bytes    units.Bytes // of tensor data, scales included
	Elements units.Params
	Types    []quant.Of            // adds up to Bytes and Elements
	ByRole   [model.NumRoles]int64 // adds up to Bytes; empty where Bits says what every element takes
	Per      int64                 // bits per weight, in millionths
}

// Lenses is the Need of an error of Sizes: the question is Answer's, which the
// page's larger program holds.
const Lenses = "lenses"

// weigh works out the bytes of the weights.
func (r *Report) weigh() *fault.Error {
	asked := r.Query.Get(query.Weights)
	recipe, ok := quant.Named(asked)
	why := ""
	if asked == "auto" {
		var notes []fault.Warning
		recipe, why, notes = quant.Own(&r.Config)
		r.Warnings = append(r.Warnings, notes...)
	} else if !ok {
		return &fault.Error{Field: "weights", Given: asked, Problem: "is not a format of weights"}
	}
	w, err := quant.Weigh(r.Model, &recipe, &r.Config)
	if err != nil {
		return err
	}
	r.Warnings = append(r.Warnings, w.Notes...)
	r.put(recipe.Name, why, recipe.Bits, &w)
	r.Running.weights = &w
	r.Weights.ByRole = w.ByRole
	return nil
}

// weighPlain works them out for the plain formats, and for configs that name no
// recipe of their own: all that Sizes knows.
func (r *Report) weighPlain() *fault.Error {
	asked := r.Query.Get(query.Weights)
	name, why := asked, ""
	if asked == "auto" && !quant.Quantized(&r.Config) {
		if name, why = quant.DType(&r.Config); name == "" {
			name = "bf16"
		}
	}
	p, ok := quant.PlainNamed(name)
	if !ok {
		return &fault.Error{Field: "weights", Given: asked, Problem: "needs the page's larger program", Need: Lenses}
	}
	w, err := quant.WeighPlain(r.Model, p)
	if err != nil {
		return err
	}
	r.put(name, why, p.Bits, &w)
	return nil
}

// Published is the format that the config names, or the one that is assumed; empty where only the recipe of its
// checkpoint says it and another format was asked for.
func (r *Report) Published() string {
	if r.Weights.Asked == "auto" {
		return r.Weights.Format
	}
	if quant.Quantized(&r.Config) {
		return ""
	}
	if name, _ := quant.DType(&r.Config); name != "" {
		return name
	}
	return "bf16"
}

// put takes over what was worked out.
func (r *Report) put(format, why string, bits int64, w *quant.Weights) {
	r.Weights = Weights{Format: format, Asked: r.Query.Get(query.Weights), Why: why, Bits: bits,
		Bytes: units.Bytes(w.Bytes), Elements: units.Params(w.Elements), Types: w.Types, Per: w.BitsPerWeight()}
}

// BitsPerWeight is the bits that a stored element takes on average: "4.8944".
func (w *Weights) BitsPerWeight() string { return units.Fixed(w.Per, 1_000_000, 4) }

// weightsTree is memory.weights: bytes in all and by type.
func (r *Report) weightsTree() jsonout.Value {
	w := &r.Weights
	types := jsonout.List()
	for _, t := range w.Types {
		types = types.Append(object("type", text(t.Type), "tensors", number(t.Tensors), "elements", number(t.Elements), "bytes", number(t.Bytes)))
	}
	o := object("bytes", number(int64(w.Bytes)), "format", text(w.Format))
	if w.Bits > 0 {
		o = o.Set("bits", number(w.Bits))
	}
	return o.Set("elements", number(int64(w.Elements))).
		Set("bits_per_weight", millionths(float64(w.Per)/1e6)).
		Set("types", types)
}
