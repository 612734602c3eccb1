package site_test

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// searches looks for things as readers do: by "/", by the link, with the keyboard alone, and without script.
func searches(t *testing.T, url string) {
	p := open(t, url, "/example/")
	p.is("nothing of it is loaded before", `!performance.getEntriesByType("resource").some((r) => /search/.test(r.name))`)
	p.keys("/")
	p.is("the dialog is open, its field has the focus", `document.querySelector("dialog.search")?.open && document.activeElement.type === "search"`)
	p.keys("mixtral 8x")
	p.is("a model is found", `document.querySelector("dialog.search li a")?.pathname === "/models/mixtral-8x7b/"`)
	p.is("how many are found is said", `/result/.test(document.querySelector("dialog.search [role=status]").textContent)`)
	p.is("what was found is marked", `document.querySelector("dialog.search mark")?.textContent.toLowerCase() === "mixtral"`)
	p.keys(kb.ArrowDown)
	p.is("arrows walk through the results", `document.activeElement.pathname === "/models/mixtral-8x7b/"`)
	p.keys(kb.ArrowUp)
	p.is("and back to the field", `document.activeElement.type === "search"`)
	p.keys(kb.Escape)
	p.is("Escape closes it", `!document.querySelector("dialog.search").open`)
	p.keys("/")
	p.is("the key opens it again", `document.querySelector("dialog.search").open`)
	eval[bool](p, `(document.querySelector("dialog.search").close(), document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true, cancelable: true })), true)`)
	p.is("also before the focus has left it", `document.querySelector("dialog.search").open`)
	p.keys(kb.Escape)
	p.is("Escape closes it again", `!document.querySelector("dialog.search").open`)

	p.is("the link is there", `document.querySelector("[data-search]").click() ?? true`)
	p.is("it opens the dialog", `document.querySelector("dialog.search").open`)
	p.is("a section is found by its words", `(() => { const f = document.querySelector("dialog.search input"); f.value = "chapters's figurs"; f.dispatchEvent(new Event("input")); return true })()`)
	p.is("also with a slip", `[...document.querySelectorAll("dialog.search li a")].some((a) => a.pathname + a.hash === "/example/#shown")`)
	p.is("letters and digits are apart", `(() => { const f = document.querySelector("dialog.search input"); f.value = "mixtral8"; f.dispatchEvent(new Event("input")); return true })()`)
	p.is("a model stands first", `document.querySelector("dialog.search li a")?.pathname === "/models/mixtral-8x7b/"`)
	p.is("a word that is not the book's is searched", `(() => { const f = document.querySelector("dialog.search input"); f.value = "blog"; f.dispatchEvent(new Event("input")); return true })()`)
	p.is("it leads to the chapters", `[...document.querySelectorAll("dialog.search li a")].some((a) => a.pathname === "/contents/")`)
	p.is("nothing is said to be found", `(() => { const f = document.querySelector("dialog.search input"); f.value = "zzzzqqqq"; f.dispatchEvent(new Event("input")); return true })()`)
	p.is("in words", `document.querySelector("dialog.search [role=status]").textContent === "Nothing found."`)

	p.close()
	p = open(t, url, "/")
	p.is("a field keeps its slash", `document.querySelector('[name="model"]').focus() ?? true`)
	p.keys("/")
	p.is("it is typed", `document.querySelector('[name="model"]').value.includes("/") && !document.querySelector("dialog.search")`)

	p.close()
	p = open(t, url, "/example/")
	p.is("single keys are switched off", `localStorage.setItem("keys", "off") ?? true`)
	p.visit("/example/")
	p.keys("/")
	if eval[bool](p, `new Promise((done) => setTimeout(() => done(Boolean(document.querySelector("dialog.search[open]"))), 1000))`) {
		t.Error("the key opens the search although keys are off")
	}
	p.is("the link is pressed", `document.querySelector("[data-search]").click() ?? true`)
	p.is("the link still opens it", `document.querySelectorAll("dialog.search[open]").length === 1`)
	p.is("the switch is put back", `localStorage.removeItem("keys") ?? true`)

	p.close()
	p = open(t, url, "/example/", func(p *page) {
		if _, err := chromedp.Call(p.tab, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
			p.t.Fatal(err)
		}
	})
	p.is("without script the link leads to a list", `document.querySelector("[data-search]").pathname === "/contents/"`)
	p.visit("/contents/")
	p.is("which has every section", `document.querySelector('a[href="/example/#shown"]').textContent === "Figures that are shown"`)
}

// searchFails says what to do when the index cannot be loaded.
func searchFails(t *testing.T, url string) {
	p := open(t, url, "/example/")
	p.expected = "Failed to load"
	eval[bool](p, `(() => { const real = fetch; window.fetch = (a, ...r) => (a === "/search.json" ? Promise.resolve(new Response("", { status: 500 })) : real(a, ...r)); return true })()`)
	p.keys("/")
	p.is("the dialog is open", `document.querySelector("dialog.search")?.open`)
	p.keys("figure")
	p.is("it says so", `document.querySelector("dialog.search [role=status]").textContent === "The index could not be loaded: status 500."`)
	p.is("and leads to the list", `document.querySelector("dialog.search p a").pathname === "/contents/"`)
}
