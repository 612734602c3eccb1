package check

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// validatorRules are html-validate's recommended ones, less what is a matter of taste or what the
// minifier decides. Two need a word: h32 wants a submit button, but the calculator answers while one types
// and sends nothing anywhere; and details counts as sectioning content there, which HTML's standard says it is not, so that a table's
// header cell may hold one.
const validatorRules = `{
  "root": true,
  "extends": ["html-validate:recommended"],
  "elements": ["html5", {"details": {"sectioning": false}}],
  "rules": {
    "doctype-style": "off",
    "attribute-boolean-style": "off",
    "attribute-empty-style": "off",
    "void-style": "off",
    "no-raw-characters": "off",
    "long-title": "off",
    "prefer-native-element": "off",
    "wcag/h32": "off",
    "no-inline-style": "error"
  }
}`

// HTMLValidate runs html-validate over the pages of a folder, in one process: about 50 ms a page.
// Pages that had nothing wrong are remembered in the folder cache, by their content, and not looked
// at again; cache may be empty.
func HTMLValidate(ctx context.Context, nodeModules, dist, cache string) ([]Finding, error) {
	program, err := filepath.Abs(filepath.Join(nodeModules, "html-validate", "bin", "html-validate.mjs"))
	if err != nil {
		return nil, err
	}
	manifest, err := os.ReadFile(filepath.Join(nodeModules, "html-validate", "package.json"))
	if err != nil {
		return nil, fmt.Errorf("html-validate is not installed, run `npm ci`: %w", err)
	}
	passed := map[string]string{} // by page: the file that says it passed
	var pages []string
	err = filepath.WalkDir(dist, func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".html" {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dist, name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(slices.Concat(manifest, []byte(validatorRules), data))
		passed[rel] = filepath.Join(cache, hex.EncodeToString(sum[:]))
		if _, err := os.Stat(passed[rel]); cache == "" || err != nil {
			pages = append(pages, rel)
		}
		return nil
	})
	if err != nil || len(pages) == 0 {
		return nil, err
	}
	messages, err := validate(ctx, program, dist, pages)
	if err != nil {
		return nil, err
	}
	var findings []Finding
	for _, page := range pages {
		for _, m := range messages[page] {
			findings = append(findings, Finding{
				Page: strings.TrimSuffix("/"+filepath.ToSlash(page), "index.html"),
				What: fmt.Sprintf("%s, at %q (html-validate: %s)", m.text, m.excerpt, m.rule),
			})
		}
		if len(messages[page]) == 0 && cache != "" {
			if err := os.MkdirAll(cache, 0o755); err != nil {
				return nil, err
			}
			if err := os.WriteFile(passed[page], nil, 0o644); err != nil {
				return nil, err
			}
		}
	}
	return findings, nil
}

// message is one of html-validate's.
type message struct{ rule, text, excerpt string }

// messageLine is a line of its formatter named text.
var messageLine = regexp.MustCompile(`^(.+):(\d+):(\d+): \w+ \[([^\]]+)\] (.*)$`)

// validate runs the program and returns its messages by page.
func validate(ctx context.Context, program, dist string, pages []string) (map[string][]message, error) {
	dir, err := os.MkdirTemp("", "html-validate-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	config := filepath.Join(dir, "rules.json")
	if err := os.WriteFile(config, []byte(validatorRules), 0o644); err != nil {
		return nil, err
	}
	// A file, not a pipe: the program ends before a pipe has taken all of a long answer. And
	// text, not JSON: that repeats every page in full.
	out, err := os.Create(filepath.Join(dir, "out.txt"))
	if err != nil {
		return nil, err
	}
	defer out.Close()
	command := exec.CommandContext(ctx, "node", append([]string{program, "--config", config, "--formatter", "text"}, pages...)...)
	command.Dir = dist
	var complaint bytes.Buffer
	command.Stdout, command.Stderr = out, &complaint
	runError := command.Run() // it fails when it finds something
	data, err := os.ReadFile(out.Name())
	if err != nil {
		return nil, err
	}
	messages := map[string][]message{}
	for line := range strings.Lines(string(data)) {
		m := messageLine.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		name := m[1]
		if filepath.IsAbs(name) {
			if name, err = filepath.Rel(dist, name); err != nil {
				return nil, err
			}
		}
		row, _ := strconv.Atoi(m[2])
		column, _ := strconv.Atoi(m[3])
		messages[name] = append(messages[name], message{rule: m[4], text: m[5], excerpt: excerpt(filepath.Join(dist, name), row, column)})
	}
	if runError != nil && len(messages) == 0 {
		return nil, fmt.Errorf("html-validate: %w\n%s", runError, complaint.String())
	}
	return messages, nil
}

// excerpt is what is in a file around a place; pages are one long line, so numbers say little.
func excerpt(file string, row, column int) string {
	data, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	lines := strings.Split(string(data), "\n")
	if row < 1 || row > len(lines) {
		return ""
	}
	line := []rune(lines[row-1])
	from, to := max(column-31, 0), min(column+39, len(line))
	if from >= to {
		return ""
	}
	return string(line[from:to])
}
