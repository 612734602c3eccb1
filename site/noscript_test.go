package site_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// TestWithoutScript: readers without script have all that the page with script says of its first question.
func TestWithoutScript(t *testing.T) {
	flows(t, []flow{
		{"the pages without script say what the one with it says", everythingSaid},
		{"the whole answer is one page", wholeAnswer},
	})
}

// said collects what a page says as facts: figures with their values, rows of tables, texts of drawings, keys with
// their values, sentences. Marks that only a script puts there are left out.
const said = `(() => {
	const fold = (s) => s.replaceAll(/[▸▾\s]+/g, " ").trim();
	const text = (e) => { const copy = e.cloneNode(true); for (const x of copy.querySelectorAll("number-link, .swatch, button, .said")) x.remove(); return fold(copy.textContent); };
	const facts = new Set();
	const add = (kind, s) => { if (s) facts.add(kind + ": " + s); };
	for (const e of document.querySelectorAll(".answer .region :is(.open > summary, .part, .hero, .facts, .legend li, .formula-line, caption, .key li, .source, p)")) if (!e.closest("form") && !e.querySelector("input")) add("text", text(e)); // a slider reads out a row of the table below it
	for (const row of document.querySelectorAll(".answer .region tr:not(.more)")) add("row", [...row.cells].map((c) => c.querySelector(":scope > details") ? text(c.querySelector("summary")) : text(c)).join(" | "));
	for (const svg of document.querySelectorAll(".answer .region svg[aria-label]")) add("drawing", fold(svg.getAttribute("aria-label")));
	for (const s of document.querySelectorAll(".answer .region svg text")) add("in a drawing", fold(s.textContent));
	return [...facts];
})()`

func everythingSaid(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.wake()
	// Every chart and the layouts are drawn when they are opened; the rules are what a choice offers.
	for _, name := range []string{"flow", "size", "kv", "timeline", "roofline", "scaling", "step"} {
		p.is(name+" can be opened", `document.querySelector('details.chart[data-name="`+name+`"]')`)
		eval[bool](p, `(document.querySelector('details.chart[data-name="`+name+`"]').open = true)`)
		p.is(name+" is drawn", `document.querySelector('[data-region="`+name+`"] svg.chart')`)
	}
	p.openLayouts()
	p.is("the layouts are there", `document.querySelector('[data-region="layouts"] table')`)
	p.click(`[data-more="mine"]`)
	p.is("the rules are there", explained+`?.querySelectorAll("option").length > 10`)
	eval[bool](p, `(() => { document.querySelector('[data-aside="mine"]').remove(); document.querySelector("[data-calculator]").calculator.catchUp(); return true })()`)
	scripted := eval[[]string](p, said)
	titles := eval[[]string](p, `[...document.querySelectorAll("details.chart > summary, .lens h2")].map((s) => s.textContent)`)
	// What is asked: each field, and each key of the config with its value.
	type pair [2]string
	var asked, keys []pair
	read := func(script string, into any) {
		if err := json.Unmarshal([]byte(eval[string](p, "JSON.stringify("+script+")")), into); err != nil {
			t.Fatal(err)
		}
	}
	read(`[...document.querySelectorAll("[data-field] [data-default]")].map((e) => [e.name, e.value && e.selectedOptions ? e.selectedOptions[0].textContent : e.value])`, &asked)
	read(`[...document.querySelectorAll("table.keys tbody tr")].map((r) => [r.cells[0].querySelector("code").textContent, r.cells[1].querySelector("input")?.value ?? r.cells[1].textContent])`, &keys)
	p.close()
	rules := func() []string {
		p := open(t, url, "/?v=1&mine=12lh2")
		defer p.close()
		p.says(explained, "It says")
		return eval[[]string](p, explained+` && [...document.querySelectorAll('[name="rule"] option')].filter((o) => o.value).map((o) => o.textContent)`)
	}()
	if len(scripted) < 300 || len(titles) < 10 || len(asked) < 25 || len(keys) < 10 || len(rules) < 20 {
		t.Fatalf("the page with script says only %d facts, %d titles, %d fields, %d keys, %d rules", len(scripted), len(titles), len(asked), len(keys), len(rules))
	}

	var without []string
	texts := ""
	for _, path := range []string{"/", "/answer/"} {
		p := open(t, url, path, scriptless)
		if path == "/" {
			p.is("the home page leads to the whole answer", `[...document.querySelectorAll("a")].some((a) => a.getAttribute("href") === "/answer/" && a.checkVisibility())`)
		}
		without = append(without, eval[[]string](p, said)...)
		texts += eval[string](p, `document.querySelector("main").textContent.replaceAll(/\s+/g, " ")`)
		if path == "/answer/" {
			table := eval[[]string](p, `[...document.querySelectorAll("#question ~ * tr, section[aria-labelledby=question] tr")].map((r) => [...r.cells].slice(0, 2).map((c) => (c.querySelector("code") ?? c).textContent).join("="))`)
			for _, x := range slices.Concat(asked, keys) {
				if x[1] == "" {
					continue // it follows another field
				}
				if !slices.Contains(table, x[0]+"="+x[1]) {
					t.Errorf("without script nobody says that %s is %s", x[0], x[1])
				}
			}
		}
		p.close()
	}
	missing := 0
	for _, fact := range scripted {
		if !slices.Contains(without, fact) {
			if missing++; missing <= 20 {
				t.Errorf("without script nobody says: %s", fact)
			}
		}
	}
	t.Logf("%d facts with script, %d of them missing without", len(scripted), missing)
	for _, title := range titles {
		if !strings.Contains(texts, title) {
			t.Errorf("without script nothing is called %q", title)
		}
	}
	for _, rule := range rules {
		at := strings.LastIndex(rule, ": ")
		if !strings.Contains(texts, rule[:at]+rule[at+1:]) {
			t.Errorf("without script no rule is called %q", rule)
		}
	}
}

// scriptless turns a tab's scripts off.
func scriptless(p *page) {
	if _, err := chromedp.Call(p.tab, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		p.t.Fatal(err)
	}
}

func wholeAnswer(t *testing.T, url string) {
	q := open(t, url, "/answer/")
	q.is("no control is dead", `!document.querySelector("main :is(input, button, select, textarea)")`)
	narrowEnough := func(state string, width int64) {
		q.size(width, 800)
		if got := eval[int64](q, `document.documentElement.scrollWidth`); got > width {
			t.Errorf("%s it is %d wide on a screen of %d", state, got, width)
		}
	}
	narrowEnough("folded", 1280)
	narrowEnough("folded", 320)
	eval[bool](q, unfolded)
	narrowEnough("unfolded", 320)
	narrowEnough("unfolded", 1280)
	q.accessibleInAllForms()
	q.close()
	p := open(t, url, "/answer/", scriptless)
	if err := chromedp.Do(p.tab, chromedp.EmulateViewport(794, 1123)); err != nil {
		t.Fatal(err)
	}
	p.medium("print")
	p.is("paper has what is folded on the screen", `document.querySelector(".graph .numbers table").getBoundingClientRect().height > 20 && document.querySelector(".parts tr.more").checkVisibility() && document.querySelector(".rules tr.more svg").checkVisibility()`)
}
