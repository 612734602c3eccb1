package answers

import (
	"strings"
	"testing"
)

// TestChoose: the form sends what a link to a comparison holds, and offers every model on either side.
func TestChoose(t *testing.T) {
	r := newReference(t)
	form := r.choose()
	for _, want := range []string{
		`action="/"`, `name="v" value="1"`, `<select name="model">`, `<select name="vs">`,
		`<option value="llama-3.1-8b" selected>Llama 3.1 8B</option>`, `<option value="qwen3-8b" selected>Qwen3 8B</option>`,
	} {
		if !strings.Contains(form, want) {
			t.Errorf("no %s", want)
		}
	}
	if n := strings.Count(form, "<option "); n != 2*len(r.Catalogue.Models) {
		t.Errorf("%d options for %d models", n, len(r.Catalogue.Models))
	}
}
