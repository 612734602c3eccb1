package core_test

import (
	"os/exec"
	"strings"
	"testing"
)

// banned packages, with the reason. They cost the page more than all families
// together, or break what core promises (TinyGo 0.41 -opt z, brotli 11).
var banned = map[string]string{
	"fmt":           "60 kB brotli in the page",
	"encoding/json": "85 kB brotli in the page; core/config reads JSON",
	"reflect":       "comes with fmt and encoding/json, and is what makes them large",
	"regexp":        "large, and nothing here needs it",
	"errors":        "errors.Is costs 4 kB (reflectlite); faults are plain structs",
	"sort":          "sort.Slice costs 2 kB by reflection; keep lists in order",
	"strconv":       "ParseFloat and FormatFloat cost 14 kB each; units and config have what is needed",
	"math/rand":     "answers must not change",
	"time":          "core has no clock",
	"os":            "core does no I/O",
	"io":            "core does no I/O",
	"syscall/js":    "only wasm/ talks to the page",
	"unsafe":        "nothing here needs it",
	"sync":          "core has no state that is shared",
}

// allowed are the standard packages that core and look import.
var allowed = map[string]string{
	"math/bits":    "128-bit products, to find overflow",
	"math":         "logarithms of charts",
	"unicode/utf8": "text of configs",
	"strings":      "Builder, Join, Contains, HasSuffix",
}

// allowedIn are packages that one package alone imports.
var allowedIn = map[string]map[string]string{
	"llmsize/site/card": {
		"image":                     "what x/image fills outlines into; cards are painted at the host's edge, not in the page",
		"image/draw":                "how it fills them",
		"golang.org/x/image/vector": "fills outlines of letters",
		"embed":                     "the painter's own code, which kept pictures are named by; not under TinyGo",
	},
	"llmsize/core/timeline": {
		"slices": "orders the ways to divide a run, by generic code without reflect",
	},
}

// TestRings holds the direct imports of core and look against DESIGN's table.
func TestRings(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "llmsize/core/...", "llmsize/site/view/...", "llmsize/site/chart/...", "llmsize/site/card/...").CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	seen := 0
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		f := strings.Fields(line)
		if len(f) == 0 || strings.HasPrefix(line, "go: ") {
			continue
		}
		pkg := f[0]
		if pkg == "llmsize/core/family/families" { // for native hosts; the page is given the files
			continue
		}
		seen++
		for _, imp := range f[1:] {
			switch {
			case banned[imp] != "":
				t.Errorf("%s imports %s: %s", pkg, imp, banned[imp])
			case allowed[imp] != "", allowedIn[pkg][imp] != "", strings.HasPrefix(imp, "llmsize/core/"):
			case strings.HasPrefix(imp, "llmsize/site/") && strings.HasPrefix(pkg, "llmsize/site/"):
			case strings.HasPrefix(imp, "llmsize/"):
				t.Errorf("%s imports %s: arrows point inwards only", pkg, imp)
			default:
				t.Errorf("%s imports %s, which is not on the list: add it with its reason, or do without", pkg, imp)
			}
		}
	}
	if seen < 8 {
		t.Errorf("only %d packages were looked at:\n%s", seen, out)
	}
}
