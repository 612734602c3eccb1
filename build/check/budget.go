package check

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"llmsize/build/assets"
)

// Budget is the most that a thing may weigh on the wire, in bytes after brotli at level 11.
// Measured is what it weighed when the limit was set. Raising a limit takes a sentence in the
// same change that says what the bytes buy.
type Budget struct{ Limit, Measured int }

// Budgets are all limits.
type Budgets struct {
	Home, Chapter, Model, List Budget // HTML of one page, glyphs included
	Styles                     Budget // all stylesheets that a page links
	Script                     Budget // scripts that run when a page loads, without what is loaded on use
	Calc                       Budget // calc.wasm
}

// limits holds for both compilers; calc is what differs.
func limits(calc Budget) Budgets {
	return Budgets{
		Home:    Budget{Limit: 35_000},
		Chapter: Budget{Limit: 35_000},
		Model:   Budget{Limit: 35_000},
		List:    Budget{Limit: 15_000},
		Styles:  Budget{Limit: 12_000},
		Script:  Budget{Limit: 15_000},
		Calc:    calc,
	}
}

// TinyGo and Go are the limits by the compiler that made the WebAssembly.
var (
	TinyGo = limits(Budget{Limit: 80_000})
	Go     = limits(Budget{Limit: 800_000})
)

// Size is a measured thing with its limit.
type Size struct {
	Page string
	What string
	Raw  int
	Size int
	Budget
}

// String is a line of the table of sizes.
func (s Size) String() string {
	return fmt.Sprintf("%-34s %-10s %9d raw %8d brotli of %7d", s.Page, s.What, s.Raw, s.Size, s.Limit)
}

// Sizes weighs every page and what it loads.
func Sizes(site Site, budgets Budgets, brotli assets.Brotli) ([]Size, error) {
	var sizes []Size
	weigh := func(page, what string, budget Budget, files ...string) error {
		s := Size{Page: page, What: what, Budget: budget}
		for _, file := range files {
			n, err := brotli.Size(site.Files[file])
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			s.Raw += len(site.Files[file])
			s.Size += n
		}
		if len(files) > 0 {
			sizes = append(sizes, s)
		}
		return nil
	}
	seen := map[string]bool{}
	for _, file := range slices.Sorted(maps.Keys(site.Files)) {
		page := strings.TrimSuffix(file, "index.html")
		switch {
		case path.Base(file) == "404.html" || path.Ext(file) != ".html":
			if strings.HasPrefix(file, assets.Folder+"calc-") && path.Ext(file) == ".wasm" {
				if err := weigh(file, "calc", budgets.Calc, file); err != nil {
					return nil, err
				}
			}
			continue
		}
		if err := weigh(page, "html", budgets.of(page), file); err != nil {
			return nil, err
		}
		styles, scripts := loads(site.Files, file)
		for what, list := range map[string][]string{"styles": styles, "script": scripts} {
			key := what + strings.Join(list, " ")
			if seen[key] {
				continue // pages that load the same are one line
			}
			seen[key] = true
			budget := budgets.Styles
			if what == "script" {
				budget = budgets.Script
			}
			if err := weigh(page, what, budget, list...); err != nil {
				return nil, err
			}
		}
	}
	slices.SortStableFunc(sizes, func(a, b Size) int { return strings.Compare(a.Page+" "+a.What, b.Page+" "+b.What) })
	return sizes, nil
}

// of is the limit of a page's HTML.
func (b Budgets) of(page string) Budget {
	switch {
	case page == "/":
		return b.Home
	case page == "/models/":
		return b.List
	case strings.HasPrefix(page, "/models/"):
		return b.Model
	}
	return b.Chapter
}

var (
	styleLink    = regexp.MustCompile(`<link[^>]+href="([^"]+\.css)"`)
	scriptSource = regexp.MustCompile(`<script[^>]+src="([^"]+\.js)"`)
	staticImport = regexp.MustCompile(`(?:from|import)\s*"([^"]+\.js)"`)
)

// loads lists the styles and scripts that come with a page, imports of scripts included.
func loads(files map[string][]byte, page string) (styles, scripts []string) {
	for _, m := range styleLink.FindAllSubmatch(files[page], -1) {
		styles = append(styles, string(m[1]))
	}
	for _, m := range scriptSource.FindAllSubmatch(files[page], -1) {
		scripts = append(scripts, string(m[1]))
	}
	for i := 0; i < len(scripts); i++ {
		for _, m := range staticImport.FindAllSubmatch(files[scripts[i]], -1) {
			imported := path.Join(path.Dir(scripts[i]), string(m[1]))
			if strings.HasPrefix(string(m[1]), "/") {
				imported = string(m[1])
			}
			if !slices.Contains(scripts, imported) {
				scripts = append(scripts, imported)
			}
		}
	}
	return styles, scripts
}

// Over reports what is heavier than its limit.
func Over(sizes []Size) []Finding {
	var findings []Finding
	for _, s := range sizes {
		if s.Size > s.Limit {
			findings = append(findings, Finding{Page: s.Page, What: fmt.Sprintf(
				"%s weighs %d bytes after brotli, %d more than its limit of %d (it was %d when that was set): make it lighter, or raise the limit in build/check/budget.go and say why",
				s.What, s.Size, s.Size-s.Limit, s.Limit, s.Measured)})
		}
	}
	return findings
}

// Heaviest keeps of each kind of thing (pages of models, pages of chapters, styles, …) the
// heaviest one: the lines worth printing.
func Heaviest(sizes []Size) []Size {
	worst := map[string]Size{}
	for _, s := range sizes {
		kind := s.What
		if s.What == "html" {
			kind = "html of " + strings.SplitAfter(s.Page, "/")[1]
			if strings.HasPrefix(s.Page, "/models/") && s.Page != "/models/" {
				kind = "html of a model"
			}
		}
		if s.Size > worst[kind].Size {
			worst[kind] = s
		}
	}
	list := slices.Collect(maps.Values(worst))
	slices.SortFunc(list, func(a, b Size) int { return strings.Compare(a.What+a.Page, b.What+b.Page) })
	return list
}
