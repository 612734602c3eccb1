package site_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestWhy opens a number to the bottom, and asks what moves it.
func TestWhy(t *testing.T) {
	flows(t, []flow{
		{"a number opens down to keys of the config, and says what moves it", whyOpens},
		{"the keyboard is enough, down to a key and on to another question", whyByKeys},
		{"a goal is looked for", whySeeks},
		{"what moves a pasted config's number is asked of that config", whyPasted},
		{"an edit ends it, and what is open is asked again", whyFollows},
		{"an answer that comes with the opening leaves it open", whyHurried},
		{"a link opens it inside", whyLinked},
		{"on paper it has the sheet's width", whyOnPaper},
	})
}

// next is the number "Next token", and why what is under it.
const (
	next = `[...document.querySelectorAll('[data-region="running"] details')].find((d) => d.querySelector("summary").textContent.startsWith("Next token"))`
	why  = `document.querySelector('[data-region="running"] number-why > details')`
)

func (p *page) openWhy() {
	p.t.Helper()
	p.is("the lens is this question's", `document.documentElement.dataset.asked === undefined && document.querySelector('[data-region="running"]:not(.behind, .due)')`)
	p.calm()
	eval[bool](p, `(`+next+`.open = true)`)
	p.is("it is offered", why)
	eval[bool](p, `(`+why+`.open = true)`)
	p.is("it has been worked out", why+`.querySelector(".moves")`)
}

func whyOpens(t *testing.T, url string) {
	p := open(t, url, "/?v=1&units=gib")
	p.ready()
	p.wake()
	p.is("every lens is there", next)
	p.openWhy()
	cache := why + `.querySelector('[data-figure="running.time.decode.cache_bytes"]')`
	p.is("the cache is a term of a term", cache+`.parentElement.closest("details").dataset.figure === "running.time.decode.memory_seconds"`)
	eval[bool](p, `(() => { for (let d = `+cache+`; d; d = d.parentElement.closest("details")) d.open = true; return true })()`)
	elements := cache + `.querySelector('[data-figure="memory.kv_cache.terms.0.elements"]')`
	p.is("what a layer keeps of a token stands in it, as a product", elements+`.textContent.includes("2 · num_key_value_heads · head_dim")`)
	eval[bool](p, `(() => { for (let d = `+elements+`; d; d = d.parentElement.closest("details")) d.open = true; return true })()`)
	p.is("it ends at a key of the config, with its line", `[...`+elements+`.querySelectorAll(".ends li")].some((e) => /^num_key_value_heads = 8 line 12 /.test(e.textContent) && e.checkVisibility())`)
	p.is("what moves it most stands first", `Number(`+why+`.querySelector(".moves tbody tr td:nth-child(3)").textContent) >= 1.5`)
	p.is("half of the key and value heads is a link", why+`.querySelector('.moves a[href*="set.num_key_value_heads=16"]')`)
	eval[bool](p, `(`+why+`.querySelector('.moves a[href*="set.num_key_value_heads=16"]').click(), true)`)
	p.is("the link asks that question", `new URLSearchParams(location.search).get("set.num_key_value_heads") === "16" && new URLSearchParams(location.search).get("units") === "gib"`)
}

// whyByKeys goes from the tab to the bottom of its first time, and on by one of its links, with Tab and Enter alone.
func whyByKeys(t *testing.T, url string) {
	p := open(t, url, "/#running", func(p *page) { p.size(390, 844) })
	p.ready()
	p.keys(kb.Tab) // the first move brings what is beside the answer
	p.calm()
	p.is("the lens is there", next+`?.checkVisibility()`)
	tab := func(to string) {
		t.Helper()
		for range 150 {
			if p.keys(kb.Tab); strings.HasPrefix(eval[string](p, `document.activeElement.textContent.trim()`), to) {
				return
			}
		}
		t.Fatalf("Tab does not come to %q", to)
	}
	in := func(to string) {
		t.Helper()
		tab(to)
		p.keys(kb.Enter)
	}
	in("Next token")
	p.is("it is offered", why)
	in("Where it comes from")
	p.is("it has been worked out", why+`.querySelector(".moves")`)
	key := `[...` + why + `.querySelectorAll(".ends li")].find((e) => /^num_key_value_heads = 8 line \d+/.test(e.textContent) && e.checkVisibility())`
	for _, term := range []string{"memory", "cache", "KV cache", "keys and values", "bytes of a token in a layer", "elements of a token in a layer"} {
		in(term)
	}
	p.is("it ends at the key", key)
	p.soon("it ends at the key, with the line that it has in the published file", `fetch("/models/llama-3.1-8b/config.json").then((r) => r.text()).then((text) =>
		text.split("\n").findIndex((l) => l.includes("num_key_value_heads")) + 1 === Number(/line (\d+)/.exec((`+key+`).textContent)[1]))`)
	in("num_key_value_heads 8 → 16")
	p.is("the link asks that question", `new URLSearchParams(location.search).get("set.num_key_value_heads") === "16"`)
	p.is("the number is open there, and has the focus", next+`?.open && document.activeElement === `+next+`.querySelector("summary") && location.hash === "#at=running.next-token"`)
}

func whySeeks(t *testing.T, url string) {
	p := open(t, url, "/#at=bytes.cache")
	p.ready()
	p.wake()
	p.calm() // the answer has been written, and what is under its numbers anew
	const cache = `document.querySelector('[data-region="bytes"] number-why > details')`
	p.is("it is offered", cache)
	p.is("it opens", `(`+noneBehind+`) && ((d) => d && (d.open = true))(`+cache+`)`)
	p.is("it has been worked out", cache+`.querySelector(".moves")`)
	// 131,072 bytes a token: 10 GB hold 76,293 of them.
	eval[bool](p, `(() => { const f = `+cache+`.querySelector("form"); f.elements.goal.value = "10 GB"; f.elements.knob.value = "context"; f.requestSubmit(); return true })()`)
	p.is("the longest context is found", cache+`.querySelector("output a")?.textContent === "context 76,293"`)
	eval[bool](p, `(() => { const f = `+cache+`.querySelector("form"); f.elements.goal.value = "1 B"; f.requestSubmit(); return true })()`)
	p.is("a goal that nothing keeps to is said so", cache+`.querySelector("output").textContent.startsWith("No value does")`)
}

func whyPasted(t *testing.T, url string) {
	p := open(t, url, "/#at=bytes.cache")
	p.ready()
	p.fill("config", gpt2Config)
	p.counts(strconv.Itoa(gpt2))
	p.wake()
	p.calm()
	const cache = `document.querySelector('[data-region="bytes"] number-why > details')`
	p.is("it is offered", cache)
	p.is("it opens", `(`+noneBehind+`) && ((d) => d && (d.open = true))(`+cache+`)`)
	p.is("what moves it is there", cache+`.querySelector(".moves")`)
	// 12 layers keep 2 · 768 values of two bytes, 36,864 bytes a token: 10 GB hold 271,267 of them.
	eval[bool](p, `(() => { const f = `+cache+`.querySelector("form"); f.elements.goal.value = "10 GB"; f.elements.knob.value = "context"; f.requestSubmit(); return true })()`)
	p.is("a goal is looked for with that config", cache+`.querySelector("output a")?.textContent === "context 271,267"`)
	eval[bool](p, `(`+cache+`.querySelector("output a").click(), true)`)
	p.is("its link keeps the config", `new URLSearchParams(location.search).get("context") === "271267" && location.hash.includes("config=")`)
	p.counts(strconv.Itoa(gpt2))
	p.is("it is offered there", cache)
	p.is("it opens", `(`+noneBehind+`) && ((d) => d && (d.open = true))(`+cache+`)`)
	const deeper = cache + `?.querySelector('.moves a[href*="set.n_layer=24"]')`
	p.is("twice the layers are a link", deeper)
	eval[bool](p, `(`+deeper+`.click(), true)`)
	p.counts(strconv.Itoa(gpt2Deep))
	p.is("the number is open there", `document.querySelector('[data-region="bytes"] details[open] summary')?.textContent.startsWith("KV cache")`)
}

func whyFollows(t *testing.T, url string) {
	p := open(t, url, "/?v=1&vs.context=16384#at=bytes.cache")
	p.ready()
	p.wake()
	p.calm() // the answer has been written, and what is under its numbers anew
	const cache = `document.querySelector('[data-region="bytes"] number-why > details')`
	p.is("it is offered", cache)
	p.is("it opens", `(`+noneBehind+`) && ((d) => d && (d.open = true))(`+cache+`)`)
	p.is("a goal can be typed", `((f) => f && [["goal", "5 GB"], ["knob", "batch"]].every(([name, value]) => (f.elements[name].value = value, f.elements[name].dispatchEvent(new Event("input", { bubbles: true })))))(`+cache+`.querySelector("form"))`)
	p.fill("context", "1000")
	p.is("it is open after the edit", cache+`?.open`)
	p.is("it is about the new question", cache+`.querySelector(".tree").textContent.includes("1,000")`)
	p.is("a goal that was typed is still there", cache+`.querySelector("form")?.elements.goal.value === "5 GB" && `+cache+`.querySelector("form").elements.knob.value === "batch"`)
	p.is("so is what moves it", cache+`.querySelector('.moves a[href="/?v=1&context=2000#at=bytes.cache"]')`)
	p.is("so is the way to the other side", cache+`.querySelector(".tree svg.waterfall")?.textContent.includes("tokens 1,000 → 16,384")`)
}

// whyHurried: an answer drops what is beside its numbers, here before the page has heard that it was opened, and then closed.
func whyHurried(t *testing.T, url string) {
	p := open(t, url, "/#at=bytes.cache")
	p.ready()
	p.wake()
	p.calm()
	const cache = `document.querySelector('[data-region="bytes"] number-why > details')`
	const dropped = `d.parentElement.parentElement.querySelectorAll(":scope > :is(number-link, number-why)").forEach((e) => e.remove()) ?? true`
	p.is("it is offered", cache)
	p.is("it opens", `(`+noneBehind+`) && ((d) => d && (d.open = true, `+dropped+`))(`+cache+`)`)
	p.is("another stands open in its place", cache+`?.querySelector(".moves")`)
	eval[bool](p, `((d) => (d.open = false, `+dropped+`))(`+cache+`)`)
	p.is("another stands closed in its place", cache)
	p.calm()
	p.is("and stays so", `!`+cache+`.open`)
}

// whyOnPaper: what a reader has opened has the sheet's width, and what isn't worked out yet says nothing there.
func whyOnPaper(t *testing.T, url string) {
	p := open(t, url, "/#at=bytes.cache", func(p *page) {
		p.first(`globalThis.Worker = class extends Worker { constructor(...of) { super(...of); globalThis.idle = this; } postMessage(...of) { if (globalThis.may) super.postMessage(...of); else (globalThis.kept ??= []).push(() => super.postMessage(...of)); } };`)
	})
	p.ready()
	p.wake()
	p.calm()
	const cache = `document.querySelector('[data-region="bytes"] number-why > details')`
	p.is("it is offered", cache)
	p.is("it opens", `(`+noneBehind+`) && ((d) => d && (d.open = true))(`+cache+`)`)
	p.is("it is being worked out", cache+`.querySelector(".said").textContent && globalThis.kept?.length`)
	p.medium("print")
	p.is("on paper it isn't there yet", `!`+cache+`.checkVisibility()`)
	eval[bool](p, `(globalThis.may = true, kept.forEach((post) => post()), true)`)
	p.is("then it is", cache+`.querySelector(".tree").checkVisibility()`)
	p.is("it has the sheet's width", cache+`.getBoundingClientRect().width > .9 * document.querySelector(".bytes").getBoundingClientRect().width`)
}

func whyLinked(t *testing.T, url string) {
	p := open(t, url, "/#at=bytes.cache~memory.kv_cache.terms.0.layers")
	p.ready()
	p.is("the term is open and has the focus", `document.activeElement?.closest("details")?.dataset.figure === "memory.kv_cache.terms.0.layers" && document.activeElement.closest("details").open`)
}
