package site_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestScriptsLeaveTheirHostAlone: what is loaded later listens to the calculator and does not put functions of its own in the
// place of the calculator's: two that did would depend on who came first.
func TestScriptsLeaveTheirHostAlone(t *testing.T) {
	const host = "calculator.js"
	methods := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^  (?:async )?(\w+)\(.*\) \{$`).FindAllStringSubmatch(string(content(t, filepath.Join("scripts", host))), -1) {
		methods[m[1]] = true
	}
	for _, name := range []string{"take", "show", "update", "catchUp"} {
		if !methods[name] {
			t.Fatalf("the method %s is not found: what does this test read?", name)
		}
	}
	files, err := os.ReadDir("scripts")
	if err != nil {
		t.Fatal(err)
	}
	assigned := regexp.MustCompile(`\bcalculator\.(\w+) (?:\?\?|\|\||&&)?= ?[^=]`)
	for _, file := range files {
		if filepath.Ext(file.Name()) != ".js" || file.Name() == host {
			continue
		}
		for _, m := range assigned.FindAllStringSubmatch(string(content(t, filepath.Join("scripts", file.Name()))), -1) {
			if methods[m[1]] {
				t.Errorf("%s overwrites the calculator's %s", file.Name(), m[1])
			}
		}
	}
}
