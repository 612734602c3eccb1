package maths

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"llmsize/content/catalogue"
	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/site/view"
)

// Where formulas are in the answer, as scripts/formulas.js finds them.
var (
	cell       = regexp.MustCompile(`^(?:[^<]|</?(?:var|sub|code|span)\b[^<>]*>)*$`) // of a tensor's row
	ledgerOf   = regexp.MustCompile(`(?s)aria-label="(?:States|Conventions)">.*?</table>`)
	ledgerCell = regexp.MustCompile(`</th><td>([^<]+)</td>`)
	digit      = regexp.MustCompile(`[1-9]`)
	// An expression of a family file that is no product of names is shown as it stands there.
	expression = regexp.MustCompile(`<code>[^<]*[^\w.<][^<]*</code>`)
)

// made is what a page loads, made once for all tests.
var made = sync.OnceValues(func() (*Live, error) { return NewLive(filepath.Join("..", "..", "..", "node_modules"), "") })

// TestEveryFormulaHasItsAtoms: whatever the view writes behind a number, for every model of the
// catalogue and questions that reach every lens, can be set. A letter or a sign without an atom fails.
func TestEveryFormulaHasItsAtoms(t *testing.T) {
	nodeModules(t)
	models, err := catalogue.AllModels()
	if err != nil {
		t.Fatal(err)
	}
	devices, err := catalogue.AllDevices()
	if err != nil {
		t.Fatal(err)
	}
	questions := []string{
		"v=1",
		"v=1&kv-policy=paged&device=hgx-h100-8&devices=1&tp=2&pp=2&kv=int8&draft=2&accept=100",
		"v=1&kv-policy=llama.cpp&kv=q8_0&weights=Q4_K_M&device=rtx-4090-24gb&draft=4&served=1000000000&days=30&batch=8",
		"v=1&devices=64&zero=3&tp=2&cp=2&pp=2&lora-rank=16&recompute=full&offload=optimizer",
		"v=1&devices=64&zero=1&tp=2&sp=on&mfu=50&optimizer=adamw&global-batch=512",
	}
	library := families.Library()
	found := map[string]bool{}
	lines := 0
	for i := range models.Models {
		m := &models.Models[i]
		for j, link := range questions {
			if (i+j)%2 > 0 && m.Slug != "llama-3.1-8b" && m.Slug != "deepseek-v3" { // half of them, for time
				continue
			}
			q, issues, fail := query.Parse(link)
			if fail != nil || len(issues) > 0 {
				t.Fatal(link, fail, issues)
			}
			subject, err := m.Subject()
			if err != nil {
				t.Fatal(m.Slug, err)
			}
			d, ok := devices.Find(q.Get(query.Device))
			if !ok {
				t.Fatal(link, "no such device")
			}
			subject.Device = d.Spec()
			r, fail := report.Answer(q, subject, library)
			if fail != nil {
				continue // a question that this model has no answer to
			}
			html := ""
			for _, region := range slices.Concat(view.Regions(), view.Lenses()) {
				if region.ID != "keys" && region.ID != "wide" && region.ID != "narrow" {
					html += region.HTML(r)
				}
			}
			if j == 3 && i%8 < 2 { // some hundred steps are laid out for each
				html += view.Layouts(r)
			}
			for f := range strings.SplitSeq(html, `<span class="symbols">`) {
				symbols, rest, ok := strings.Cut(f, `</span> <span class="values">`)
				if rest, _, ended := strings.Cut(rest, `</span></p>`); ok && ended {
					values, sum, _ := strings.Cut(rest, `</span> <span class="sum">`)
					found[symbols], found[values], found[sum] = true, true, true
					lines++
				}
			}
			for row := range strings.SplitSeq(html, `<tr><th scope="row"><code`) {
				name, rest, ok := strings.Cut(row, `</code></th><td>`)
				shape, rest, whole := strings.Cut(rest, `</td><td>`)
				product, _, ended := strings.Cut(rest, `</td><td class="num">`)
				if ok && whole && ended && !strings.Contains(name, "<") && (found[shape] || cell.MatchString(shape)) && (found[product] || cell.MatchString(product)) {
					found[shape], found[product] = true, true
				}
			}
			for _, table := range ledgerOf.FindAllString(html, -1) {
				for _, f := range ledgerCell.FindAllStringSubmatch(table, -1) {
					found[strings.ReplaceAll(f[1], "&#39;", "'")] = true // as a browser has it
				}
			}
		}
	}
	delete(found, "") // a row's bytes a token are in the row
	// What differs by its digits alone is set alike; the last one has them all.
	shapes := map[string]string{}
	for f := range found {
		shape := digit.ReplaceAllString(f, "0")
		if was, ok := shapes[shape]; !ok || f < was {
			shapes[shape] = f
		}
	}
	formulas := append(slices.Sorted(maps.Values(shapes)), "= 123,456,7890")
	if lines < 1000 || len(formulas) < 1000 {
		t.Fatalf("%d formulas in %d derivations: they are looked for in the wrong place", len(formulas), lines)
	}
	live, err := made()
	if err != nil {
		t.Fatal(err)
	}
	left := 0
	for i, set := range typeset(t, live.Atoms, formulas) {
		switch {
		case set != "":
		case expression.MatchString(formulas[i]):
			left++
		default:
			t.Errorf("cannot be set: %s", formulas[i])
		}
	}
	t.Logf("%d lines, %d formulas that differ by more than digits, %d of them stay text", lines, len(formulas), left)
}

// Every letter of the site's table is an atom of its own.
func TestEveryLetterHasAnAtom(t *testing.T) {
	nodeModules(t)
	live, err := made()
	if err != nil {
		t.Fatal(err)
	}
	var atoms struct {
		Letter map[string]string `json:"letter"`
		CSS    string            `json:"css"`
	}
	if err := json.Unmarshal(live.Atoms, &atoms); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, l := range view.Letters() {
		all = append(all, l.HTML)
		if !strings.HasPrefix(atoms.Letter[l.Sign], "<mjx-") {
			t.Errorf("%s has no atom", l.Sign)
		}
	}
	for i, set := range typeset(t, live.Atoms, all) {
		if !strings.Contains(set, `class="d-`) {
			t.Errorf("%s is set as %q, without its colour", all[i], set)
		}
	}
	// A glyph without a rule would have no width.
	for _, class := range regexp.MustCompile(`class=\\"(mjx-c[0-9A-F]+)`).FindAllStringSubmatch(string(live.Atoms), -1) {
		if !strings.Contains(atoms.CSS, "mjx-c."+class[1]+"{") {
			t.Errorf("the stylesheet has no rule for %s", class[1])
		}
	}
	if again, err := NewLive(nodeModules(t), ""); err != nil || string(again.Atoms) != string(live.Atoms) || string(again.Font) != string(live.Font) {
		t.Error("a second run gives other bytes")
	}
}
