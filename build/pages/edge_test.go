package pages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"llmsize/core/query"
)

// TestDefaultsStandOnce: no script repeats what a link means that does not name its model or device.
func TestDefaultsStandOnce(t *testing.T) {
	read := 0
	for _, pattern := range []string{"site/scripts/*.js", "edge/*.js", "edge/functions/*.js"} {
		files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			read++
			for _, p := range []query.Param{query.Model, query.Device} {
				if value := query.About(p).Default; strings.Contains(string(text), `"`+value+`"`) {
					t.Errorf("%s has %q of its own", file, value)
				}
			}
		}
	}
	if read < 20 {
		t.Errorf("only %d scripts were read", read)
	}
	if want := `export const device = "` + query.About(query.Device).Default + "\";\n"; !strings.Contains(defaults(), want) {
		t.Errorf("the scripts are told\n%s", defaults())
	}
	if want := `"context":"` + query.Meaning(query.Context) + `"`; !strings.Contains(askedKeys(), want) {
		t.Errorf("no %s in\n%s", want, askedKeys())
	}
}
