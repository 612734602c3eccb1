package family_test

import (
	"os"
	"strings"
	"testing"

	"llmsize/core/family"
	"llmsize/core/family/families"
)

// TestTheManualsVisionFamily counts the family that docs/families.md writes from nothing, against ViT-Ti's arithmetic.
func TestTheManualsVisionFamily(t *testing.T) {
	doc, err := os.ReadFile("../../docs/families.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, ok := strings.Cut(string(doc), "    type small_vit\n")
	if !ok {
		t.Fatal("docs/families.md has no small_vit")
	}
	text := "type small_vit\n"
	for line := range strings.Lines(after) {
		code, ok := strings.CutPrefix(line, "    ")
		if !ok && strings.TrimSpace(line) != "" {
			break
		}
		text += strings.TrimRight(code, "\n") + "\n"
	}
	lib := family.NewLibrary()
	lib.Add("labels", families.Text("labels"))
	lib.Add("small_vit", text)
	m, err := describe(t, lib, `{"model_type":"small_vit","architectures":["SmallViTForImageClassification"],"num_labels":1000}`)
	if err != nil {
		t.Fatal(err)
	}
	const h, tokens = 192, 14*14 + 1
	layer := 3*h*h + 3*h + h*h + h + 2*(4*h*h) + 4*h + h + 4*h
	want := int64(3*16*16*h + h + h + tokens*h + 12*layer + 2*h + 1000*h + 1000)
	if p, _ := sums(m); p != want {
		t.Errorf("%d parameters, want %d", p, want)
	}
}
