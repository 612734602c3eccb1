package check

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// validatorRules are html-validate's recommended ones. Off are: matters of taste that the minifier
// decides, and what it cannot know.
const validatorRules = `{
  "root": true,
  "extends": ["html-validate:recommended"],
  "rules": {
    "doctype-style": "off",
    "attr-quotes": "off",
    "attribute-boolean-style": "off",
    "attribute-empty-style": "off",
    "void-style": "off",
    "no-trailing-whitespace": "off",
    "no-raw-characters": "off",
    "long-title": "off",
    "prefer-native-element": "off",
    "tel-non-breaking": "off",
    "no-inline-style": "error"
  }
}`

// HTMLValidate runs html-validate over all pages of a folder in one process.
func HTMLValidate(ctx context.Context, nodeModules, dist string) ([]Finding, error) {
	program, err := filepath.Abs(filepath.Join(nodeModules, "html-validate", "bin", "html-validate.mjs"))
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(program); err != nil {
		return nil, fmt.Errorf("html-validate is not installed, run `npm ci`: %w", err)
	}
	config, err := os.CreateTemp("", "html-validate-*.json")
	if err != nil {
		return nil, err
	}
	defer os.Remove(config.Name())
	if _, err := config.WriteString(validatorRules); err != nil {
		return nil, err
	}
	if err := config.Close(); err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, "node", program, "--config", config.Name(), "--formatter", "json", ".")
	command.Dir = dist
	var out, complaint bytes.Buffer
	command.Stdout, command.Stderr = &out, &complaint
	runError := command.Run()
	var results []struct {
		FilePath string `json:"filePath"`
		Messages []struct {
			RuleID, Message, Selector string
			Line                      int
		} `json:"messages"`
	}
	if err := json.Unmarshal(out.Bytes(), &results); err != nil {
		return nil, fmt.Errorf("html-validate: %w\n%s", errors.Join(runError, err), complaint.String())
	}
	var findings []Finding
	for _, result := range results {
		name, err := filepath.Rel(dist, result.FilePath)
		if err != nil || strings.HasPrefix(name, "..") {
			name = result.FilePath
		}
		page := strings.TrimSuffix("/"+filepath.ToSlash(name), "index.html")
		for _, m := range result.Messages {
			findings = append(findings, Finding{Page: page, What: fmt.Sprintf("%s at %s (html-validate: %s)", m.Message, m.Selector, m.RuleID)})
		}
	}
	return findings, nil
}
