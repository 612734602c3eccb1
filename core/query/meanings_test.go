package query

import "testing"

func TestEveryParameterHasAMeaning(t *testing.T) {
	for p := range NumParams {
		if Meaning(p) == "" {
			t.Errorf("%s means nothing", About(p).Name)
		}
	}
}
