package chart

import (
	"testing"

	"llmsize/core/model"
)

// TestPlanKeepsTheModel: what is read of a plan is what was written, with names that hold what ends a field.
func TestPlanKeepsTheModel(t *testing.T) {
	m := &model.Model{Values: []model.Named{{Name: "hidden_size", Value: 64}}, Blocks: []model.Block{
		{Title: "embedding", Kinds: []model.Kind{{Count: 1, Parts: []model.Part{{Tensors: []model.Tensor{
			{Name: "model.embed.weight", Role: model.Embedding, Copies: 1, Active: 1, ActiveOf: 1, Elements: 640, Dims: []model.Dim{{Size: 10, Expr: "v"}, {Size: 64, Expr: "h"}}}}}}}}},
		{Index: "i", Title: "lay\ters\n", Pattern: []uint16{0, 0, 1, 0}, Kinds: []model.Kind{
			{Label: "dense", Count: 3, Parts: []model.Part{{Tensors: []model.Tensor{{Name: "a.{i}.q\tt", TiedTo: "x", Role: model.FFN, Copies: 4, Active: 2, ActiveOf: 4, Buffer: true, Elements: 7, Dims: []model.Dim{{Size: 7}}}}}}},
			{Label: "experts", Count: 1}}},
	}}
	got := planned(Plan(m, func(d model.Dim) string { return d.Expr + "'" }))
	if n, _ := got.Value("hidden_size"); n != 64 {
		t.Errorf("the hidden size is %d", n)
	}
	if len(got.Blocks) != 2 || got.Blocks[1].Title != "lay ers " || len(got.Blocks[1].Kinds) != 2 || got.Blocks[1].Kinds[1].Label != "experts" {
		t.Fatalf("blocks: %+v", got.Blocks)
	}
	if p := got.Blocks[1].Pattern; len(p) != 4 || p[1] != 0 || p[2] != 1 || p[3] != 0 {
		t.Errorf("the layers' kinds are %v", p)
	}
	e := got.Blocks[0].Kinds[0].Parts[0].Tensors[0]
	if e.Name != "embed" || e.Elements != 640 || len(e.Dims) != 2 || e.Dims[1].Size != 64 || e.Dims[1].Expr != "h'" || e.TiedTo != "" || e.Buffer {
		t.Errorf("the embedding is %+v", e)
	}
	q := got.Blocks[1].Kinds[0].Parts[0].Tensors[0]
	if q.Name != "q t" || q.TiedTo != "x" || q.Role != model.FFN || q.Copies != 4 || q.Active != 2 || q.ActiveOf != 4 || !q.Buffer || q.Elements != 7 || q.Dims[0].Size != 7 {
		t.Errorf("the tensor is %+v", q)
	}
}
