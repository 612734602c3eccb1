package report

import (
	"llmsize/core/jsonout"
	"llmsize/core/model"
	"llmsize/core/units"
)

// layers is the first layer of every kind, under its index: what a chapter adds
// up where the layers of a model differ. Of several stacks, the first stands
// under bare indices ("0"), the others under the path of their layers
// ("decoder.block.0").
func (r *Report) layers() jsonout.Value {
	o := jsonout.Object()
	stacks := 0
	for bi := range r.Model.Blocks {
		b := &r.Model.Blocks[bi]
		if b.Index == "" {
			continue
		}
		seen := map[uint16]bool{}
		for i, kind := range b.Pattern {
			if seen[kind] {
				continue
			}
			seen[kind] = true
			name := units.Itoa(int64(i))
			if stacks > 0 {
				path := layerPrefix(&b.Kinds[kind], b.Index) // "decoder.block.{i}."
				name = path[:max(0, len(path)-len(b.Index)-3)] + name
			}
			o = o.Set(name, layerTree(&b.Kinds[kind], b.Index))
		}
		stacks++
	}
	return o
}

// layerTree is one layer: how many there are, its parameters by role and in
// all, and each tensor's elements under its name without the layer's prefix.
func layerTree(k *model.Kind, index string) jsonout.Value {
	var sum [model.NumRoles]int64
	total := int64(0)
	tensors := jsonout.Object()
	prefix := layerPrefix(k, index)
	for _, p := range k.Parts {
		for _, t := range p.Tensors {
			if t.TiedTo != "" || t.Buffer {
				continue
			}
			sum[t.Role] += t.Elements * t.Copies
			total += t.Elements * t.Copies
			name := t.Name
			if len(prefix) <= len(name) {
				name = name[len(prefix):]
			}
			tensors = tensors.Set(name, number(t.Elements))
		}
	}
	o := object("count", number(k.Count))
	for role, n := range sum {
		if n != 0 {
			o = o.Set(model.Role(role).String(), number(n))
		}
	}
	return o.Set("total", number(total)).Set("tensors", tensors)
}
