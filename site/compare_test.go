package site_test

import (
	"strconv"
	"testing"
)

// TestCompare drives comparisons and the search for a rule, in a browser.
func TestCompare(t *testing.T) {
	flows(t, []flow{
		{"a link opens to the comparison", compareLink},
		{"nothing of it is loaded before it is asked for", compareLate},
		{"sides are swapped and cleared", swapped},
		{"an answer is kept and edited", kept},
		{"the kept model becomes the other side by name", keptModel},
		{"a pasted config is compared with itself", comparePasted},
		{"a config is pasted into the other side", pastedSecond},
		{"both sides are pasted, swapped and edited", pastedBoth},
		{"a file is dropped on the other side or chosen", pastedFile},
		{"a bad config of the other side goes into no link", pastedBad},
		{"what a link of two configs cannot carry is said", pastedLimits},
		{"a kept config becomes the other side", pastedKept},
		{"times and what fits are explained", compareTimes},
		{"what cannot be compared is told", compareBad},
		{"a model's page that cannot be had is not needed", compareOffline},
		{"a number finds its rule", myNumber},
		{"a rule is chosen and taken back", myRule},
		{"a number is looked for in every shape", everyShape},
		{"axe finds nothing on it", compareAxe},
	})
}

const (
	comparison = `document.querySelector('[data-region="compare"]')`
	explained  = `document.querySelector('[data-region="mine"]')`
)

// says waits until an element's text holds a text.
func (p *page) says(element, text string) {
	p.t.Helper()
	p.is(element+" says "+text, element+`?.textContent.includes(`+quote(text)+`)`)
}

// click clicks the first element that a selector finds.
func (p *page) click(selector string) {
	p.t.Helper()
	p.is(selector+" is there", `document.querySelector(`+quote(selector)+`)`)
	eval[bool](p, `document.querySelector(`+quote(selector)+`).click() ?? true`)
}

func compareLink(t *testing.T, url string) {
	const link = "/?v=1&model=gpt2&context=1024&vs=llama-3.1-8b"
	phone := open(t, url, link, func(p *page) { p.size(390, 844) })
	phone.is("on a phone it leads to the comparison", `(({ top }) => top >= 0 && top < innerHeight / 2)(document.querySelector('[data-aside="compare"]').getBoundingClientRect())`)
	phone.close()
	p := open(t, url, link)
	p.says(comparison, "Llama 3.1 8B")
	p.counts(strconv.Itoa(gpt2))
	p.says(comparison+`?.querySelector("caption")`, "Each row opens")
	p.is("the model stands in its field", `document.querySelector('[name="vs"]').value === "Llama 3.1 8B"`)
	p.is("the address stays", `location.pathname + location.search === `+quote(link))
	// What follows the first drawing adds up: 124,439,808 to 8,030,261,248.
	sum := eval[float64](p, `[...`+comparison+`?.querySelector("table.fall").querySelectorAll(":scope > tbody > tr:not(.whole) > td")].reduce((n, td) => n + Number(td.textContent), 0)`)
	if int(sum) != llama-gpt2 {
		t.Errorf("the steps come to %.0f, want %d", sum, llama-gpt2)
	}
	p.is("one row is open", comparison+`?.querySelectorAll(".sides tr:first-child details[open]").length === 1`)
	p.is("a drawing is shown", comparison+`?.querySelector("svg.waterfall").checkVisibility()`)
	first := eval[string](p, comparison+`.textContent`)
	address := eval[string](p, "location.search")
	p.close()
	other := open(t, url, "/"+address)
	other.says(comparison, "8.03 B")
	other.is("the link opens to the same", comparison+`.textContent === `+quote(first))
	// An edit is about both sides: two models under one use.
	other.fill("context", "2048")
	other.says(comparison, "12 → 32 layers")
	other.is("the address has both", `location.search === "?v=1&model=gpt2&context=2048&vs=llama-3.1-8b"`)
	other.is("nothing is asked otherwise", `!document.querySelector(".otherwise")`)
	other.is("the form is the model's", `document.querySelector('[name="set.n_layer"]')`)
	other.fill("set.n_layer", "24")
	other.says(comparison, "24 → 32 layers")
}

func compareLate(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.fill("context", "512")
	p.is("nothing is loaded", `!performance.getEntriesByType("resource").some((r) => /compare|explain|rules/.test(r.name)) && !`+comparison)
	p.click(`[data-more="compare"]`)
	p.is("the field is there and has the focus", `document.activeElement?.name === "vs"`)
	p.fill("vs", "gpt2")
	p.says(comparison, "GPT-2")
	p.is("the address has it", `location.search === "?v=1&context=512&vs=gpt2"`)
	p.is("the stylesheet is there", `getComputedStyle(document.querySelector(".aside")).borderTopStyle === "solid"`)
	p.fill("vs", "")
	p.is("an empty field compares with nothing", `location.search === "?v=1&context=512" && !document.querySelector(".sides")`)
}

func swapped(t *testing.T, url string) {
	p := open(t, url, "/?v=1&model=gpt2&vs=llama-3.1-8b&vs.context=1024")
	p.says(comparison, "context 8192 → 1024")
	eval[bool](p, `[...document.querySelectorAll("[data-go]")].find((a) => a.dataset.go === "S").click() ?? true`)
	p.counts(strconv.Itoa(llama))
	p.is("the address is swapped", `location.search === "?v=1&context=1024&vs=gpt2&vs.context=8192"`)
	p.says(comparison, "context 1024 → 8192")
	eval[bool](p, `history.back() ?? true`)
	p.counts(strconv.Itoa(gpt2))
	p.says(comparison, "context 8192 → 1024")
	eval[bool](p, `[...document.querySelectorAll("[data-go]")].find((a) => a.dataset.go === "C").click() ?? true`)
	p.is("the comparison is gone", `location.search === "?v=1&model=gpt2" && !document.querySelector(".sides") && document.querySelector('[name="vs"]').value === ""`)
	eval[bool](p, `history.back() ?? true`)
	p.says(comparison, "context 8192 → 1024")
}

func kept(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.click(`[data-more="compare"]`)
	p.click(`[data-keep]`)
	p.says(`document.querySelector('[data-aside="compare"] [data-said]')`, "Kept.")
	p.fill("context", "16384")
	p.says(comparison, "context 16384 → 8192")
	p.is("the address holds both", `location.search === "?v=1&context=16384&vs.context=8192"`)
	p.fill("set.num_hidden_layers", "16")
	p.says(comparison, "num_hidden_layers 16 → 32")
	p.is("the config's value is kept", `location.search === "?v=1&set.num_hidden_layers=16&context=16384&vs.context=8192&vs.set.num_hidden_layers=32"`)
	p.fill("context", "8192")
	p.is("a side that says the same is held", `location.search === "?v=1&set.num_hidden_layers=16&vs.context=8192&vs.set.num_hidden_layers=32"`)
	// Opened from the link, edits are still about the first side alone.
	address := eval[string](p, "location.search")
	p.close()
	other := open(t, url, "/"+address)
	other.says(comparison, "16 → 32 layers")
	other.fill("batch", "4")
	other.is("the other side keeps its batch", `location.search.endsWith("&batch=4&vs.batch=1&vs.context=8192&vs.set.num_hidden_layers=32")`)
	other.says(comparison, "batch 4 → 1")
	other.fill("units", "gib")
	other.is("units are about both", `!location.search.includes("vs.units")`)
	other.says(comparison, "GiB")
}

func keptModel(t *testing.T, url string) {
	p := open(t, url, "/?v=1&model=gpt2&set.n_layer=24")
	p.counts(strconv.Itoa(gpt2Deep))
	p.click(`[data-more="compare"]`)
	p.click(`[data-keep]`)
	p.fill("model", "llama-3.1-8b")
	p.counts(strconv.Itoa(llama))
	p.is("the address names it", `location.search === "?v=1&vs=gpt2&vs.set.n_layer=24"`)
	p.says(comparison, "GPT-2")
	p.is("it is counted as it was", comparison+`?.querySelector("svg.waterfall").getAttribute("aria-label").includes("GPT-2") && [...`+comparison+`?.querySelector("table.fall").querySelectorAll(":scope > tbody > tr.whole > td")].at(-1).textContent === "`+strconv.Itoa(gpt2Deep)+`"`)
}

func comparePasted(t *testing.T, url string) {
	p := open(t, url, "/")
	p.fill("config", gpt2Config)
	p.counts(strconv.Itoa(gpt2))
	p.click(`[data-more="compare"]`)
	p.click(`[data-keep]`)
	p.is("the field is there", `document.querySelector('[name="set.n_layer"]')`)
	p.fill("set.n_layer", "24")
	p.counts(strconv.Itoa(gpt2Deep))
	p.says(comparison, "24 → 12 layers")
	p.is("the fragment stays", `location.hash.startsWith("#config=") && location.search === "?v=1&set.n_layer=24&vs.set.n_layer=12"`)
	eval[bool](p, `[...document.querySelectorAll("[data-go]")].find((a) => a.dataset.go === "S").click() ?? true`)
	p.counts(strconv.Itoa(gpt2))
	p.says(comparison, "12 → 24 layers")
}

func compareBad(t *testing.T, url string) {
	p := open(t, url, "/?v=1&vs=gpt5000")
	p.expected = "404"
	p.says(`document.querySelector('[data-aside="compare"] [data-said]')`, "No model of the catalogue is called gpt5000")
	p.counts(strconv.Itoa(llama))
	p.close()
	p = open(t, url, "/?v=1&vs=..")
	p.says(`document.querySelector('[data-aside="compare"] [data-said]')`, "No model of the catalogue is called ..")
	p.close()
	p = open(t, url, "/?v=1&vs.set.num_attention_heads=many&vs.contxt=5")
	p.says(comparison+`?.querySelector(".error")`, "num_attention_heads")
	p.is("the unknown key is named", `document.querySelector("[data-problems]").textContent.includes("vs.contxt")`)
	p.counts(strconv.Itoa(llama))
}

// compareOffline: without a network the worker has configs and families, but no model's page.
func compareOffline(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	eval[bool](p, `(() => { const was = fetch; globalThis.fetch = (path, ...more) => /^\/models\/[^/]+\/$/.test(path) ? Promise.reject(new TypeError("no network")) : was(path, ...more); return true })()`)
	p.click(`[data-more="compare"]`)
	p.is("the field is there", `document.querySelector('[name="vs"]')`)
	p.fill("vs", "mamba-130m")
	p.says(comparison, "second ÷ first")
	p.says(comparison, "Mamba")

	// Without what compares, the first side is answered all the same, by the program that knows its verdict.
	for _, lacks := range []func(p *page){failing("503", `/\/explain-/`), func(p *page) { p.expected = "Failed to load|ERR_"; p.without("compare-*.js") }} {
		p.close()
		p = open(t, url, "/?v=1&vs=gpt2&context=4096", lacks)
		p.is("the other model is there", `performance.getEntriesByType("resource").some((r) => /(models.gpt2.|compare-.*js)$/.test(r.name) && r.responseEnd > 0)`)
		p.is("what is lacking is said", `/(What explains differences|The comparison) could not be loaded/.test(document.querySelector("main").textContent)`)
		p.is("the answer is there, with its verdict", inSight(".answer .exactly")+` && `+inSight(".verdict")+` && !document.querySelector('.behind[data-region="fit"], .stale, .loading')`)
	}

	// Without its config either, that is said, and the answer stays.
	p.close()
	p = open(t, url, "/")
	p.ready()
	eval[bool](p, `(() => { const was = fetch; globalThis.fetch = (path, ...more) => /^\/models\/[^/]+\//.test(path) ? Promise.reject(new TypeError("no network")) : was(path, ...more); return true })()`)
	p.click(`[data-more="compare"]`)
	p.is("the field is there", `document.querySelector('[name="vs"]')`)
	p.fill("vs", "mamba-130m")
	p.is("what is lacking is said", `document.querySelector("main").textContent.includes("The config of mamba-130m could not be loaded")`)
	p.is("the answer stays", `!document.querySelector(".loading") && `+inSight(".answer .exactly"))
}

func myNumber(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.click(`[data-more="mine"]`)
	p.is("the field has the focus", `document.activeElement?.name === "mine"`)
	p.fill("mine", "7.505 B")
	p.says(explained+`?.querySelector(".near li")`, "Without the output head")
	p.is("the nearest stands first and is open", explained+`?.querySelector(".near li details").open && `+explained+`?.querySelector(".near li").textContent.includes("gives it")`)
	p.says(explained+`?.querySelector("table.fall")`, strconv.Itoa(128256*4096))
	p.is("the address has it", `location.search === "?v=1&mine=7.505b"`)
	p.fill("mine", "131,072")
	p.says(explained+`?.querySelector(".near li")`, "cache for one token")
	p.is("commas are for people", `location.search === "?v=1&mine=131072"`)
	p.fill("mine", "lots of it")
	p.says(explained+`?.querySelector(".error")`, "neither a number with a unit nor a rule")
	p.is("what was typed stays", `document.querySelector('[name="mine"]').value === "lots of it"`)
	p.close()
	other := open(t, url, "/?v=1&mine=7.505b")
	other.says(explained, "gives it")
	eval[bool](other, `document.querySelector('[data-aside="mine"] [data-go]').click() ?? true`)
	other.is("it is cleared", `!location.search.includes("mine") && document.querySelector('[name="mine"]').value === ""`)
}

func myRule(t *testing.T, url string) {
	p := open(t, url, "/?v=1&model=mixtral-8x7b&mine=8.05b")
	p.says(explained, "One formula for every model")
	p.fill("rule", "llama-formula")
	p.is("the address has both", `location.search === "?v=1&model=mixtral-8x7b&mine=8.05b,llama-formula"`)
	p.says(explained+`?.querySelector("svg.waterfall")`, "your number")
	p.says(explained, "routed experts")
	eval[bool](p, `history.back() ?? true`)
	p.is("Back takes the rule back", `document.querySelector('[name="rule"]').value === "" && `+explained+`?.querySelector(".near")`)
}

func everyShape(t *testing.T, url string) {
	p := open(t, url, "/?v=1&mine=1gb&vs=gpt2")
	for _, slug := range catalogue {
		p.goes("/?v=1&model=" + slug + "&mine=1gb&vs=gpt2")
		p.is(slug+" is the model", `document.querySelector("[data-link]").textContent.includes("`+slug+`") || "`+slug+`" === "llama-3.1-8b"`)
		p.calm() // the model before has no say any more
		p.is(slug+" has an answer", explained+`?.querySelector(".near, p") && `+explained+`.querySelectorAll("option").length > 5`)
		p.says(comparison, "second ÷ first")
		p.is("no step is without a name", `[...document.querySelectorAll("table.fall th")].every((th) => th.textContent.trim()) && !document.querySelector(".answer").textContent.includes("NaN")`)
	}
}

func compareAxe(t *testing.T, url string) {
	p := open(t, url, "/?v=1&model=gpt2&vs=mixtral-8x7b&mine=6b")
	p.says(comparison, "second ÷ first")
	p.says(explained, "Twelve L h squared")
	eval[bool](p, `(() => { for (const d of document.querySelectorAll(".aside details")) d.open = true; return true })()`)
	p.accessibleInAllForms()
	if got := eval[int64](p, `document.documentElement.scrollWidth`); got > 320 {
		t.Errorf("the comparison is %d wide on a screen of 320", got)
	}
}
