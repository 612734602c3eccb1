package family_test

import (
	"testing"

	"llmsize/core/family/families"
)

// TestFamiliesParse reads every family file, so that a slip is named with its
// file and line even when no fixture uses it.
func TestFamiliesParse(t *testing.T) {
	lib := families.Library()
	for _, typ := range lib.Types() {
		if _, err := lib.Closure(typ); err != nil {
			t.Error(err)
		}
	}
}
