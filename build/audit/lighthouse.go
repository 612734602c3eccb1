package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"llmsize/build/toolchain"
)

const (
	lighthouseVersion = "12.8.2" // the newest for Node 20
	// What a page must reach, of 100. The performance mark swings by a few points with the machine's load.
	leastSpeed, leastOther = 90, 95
)

func (a *audit) lighthouse(ctx context.Context) error {
	b, err := toolchain.FindBrowser(ctx, a.root)
	if err != nil {
		return skip{err.Error()}
	}
	pkg, err := a.npm(ctx, "lighthouse", lighthouseVersion)
	if err != nil {
		return err
	}
	flags := "--headless"
	if os.Geteuid() == 0 {
		flags += " --no-sandbox"
	}
	var low []error
	for _, page := range a.pages {
		cmd := exec.CommandContext(ctx, "node", filepath.Join(pkg, "cli", "index.js"), a.site+page, "--quiet", "--output=json", "--chrome-flags="+flags)
		cmd.Env = append(append(os.Environ(), b.Env...), "CHROME_PATH="+b.Path)
		var said strings.Builder
		cmd.Stderr = &said
		out, err := cmd.Output()
		if err != nil {
			return fmt.Errorf("%s: %w\n%s", page, err, said.String())
		}
		var result struct {
			Categories map[string]struct {
				Score     *float64
				AuditRefs []struct{ ID string }
			}
			Audits map[string]struct {
				Title            string
				Score            *float64
				ScoreDisplayMode string
			}
		}
		if err := json.Unmarshal(out, &result); err != nil {
			return fmt.Errorf("%s: %w", page, err)
		}
		var marks []string
		for _, name := range slices.Sorted(maps.Keys(result.Categories)) {
			c := result.Categories[name]
			if c.Score == nil {
				low = append(low, fmt.Errorf("%s: no mark for %s", page, name))
				continue
			}
			mark, least := int(*c.Score*100+0.5), leastOther
			if name == "performance" {
				least = leastSpeed
			}
			marks = append(marks, fmt.Sprintf("%s %d", name, mark))
			if mark >= least {
				continue
			}
			var why []string
			for _, ref := range c.AuditRefs {
				if x := result.Audits[ref.ID]; x.Score != nil && *x.Score < 0.9 && x.ScoreDisplayMode != "informative" {
					why = append(why, x.Title)
				}
			}
			low = append(low, fmt.Errorf("%s: %s %d, wanted %d: %s", page, name, mark, least, strings.Join(why, "; ")))
		}
		fmt.Printf("lighthouse: %s %s\n", page, strings.Join(marks, ", "))
	}
	return errors.Join(low...)
}
