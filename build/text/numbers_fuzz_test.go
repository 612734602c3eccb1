package text

import (
	"strings"
	"testing"
)

// FuzzParse: whatever stands between the marks is an expression that can be asked, or an error.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"parameters.total", "weights.bytes gib batch=2", "layers ratio of layers batch=2", "of of of", "a = b", "layers ratio.9 of x", "layers batch=\x00", "layers batch=\u202e2", "layers model=known\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		e, err := ParseNumber(source)
		if err != nil {
			return
		}
		r, err := e.Eval(fields, "v=1&model=known")
		if err != nil {
			return
		}
		if r.Plain() == "" || strings.ContainsAny(r.HTML(), "\x00") {
			t.Errorf("%q gives %q", source, r.HTML())
		}
	})
}
