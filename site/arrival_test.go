package site_test

import (
	"strconv"
	"testing"

	net "github.com/chromedp/cdproto/network"
	protocol "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// first runs a script in every page before the page's own.
func (p *page) first(script string) {
	p.t.Helper()
	if _, err := chromedp.Call(p.tab, protocol.AddScriptToEvaluateOnNewDocument, protocol.AddScriptToEvaluateOnNewDocumentParams{Source: "{" + script + "}"}); err != nil {
		p.t.Fatal(err)
	}
}

// without keeps assets of a name, which may hold stars, from being loaded.
func (p *page) without(name string) {
	p.t.Helper()
	if _, err := chromedp.Call(p.tab, net.SetBlockedURLs, net.SetBlockedURLsParams{URLPatterns: []*net.BlockPattern{{URLPattern: "*://*:*/assets/" + name, Block: true}}}); err != nil {
		p.t.Fatal(err)
	}
}

// gates holds back the programs until a test calls open_calc() or open_lenses().
func gates(p *page) {
	p.first(`const real = fetch, wait = {};
		for (const name of ["calc", "lenses"]) wait[name] = new Promise((open) => { globalThis["open_" + name] = () => open() ?? true; });
		globalThis.fetch = (address, ...rest) => {
			const name = Object.keys(wait).find((n) => String(address?.url ?? address).includes("/" + n + "-"));
			return name ? wait[name].then(() => real(address, ...rest)) : real(address, ...rest);
		};`)
}

// inSight is whether a selector's element is painted, wherever on the page it stands.
func inSight(selector string) string {
	return `document.querySelector('` + selector + `').checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false })`
}

// together: what a link's question needs is asked for together, and not one after the other as each says what is next.
func together(t *testing.T, url string) {
	p := open(t, url, "/?v=1&model=gpt2", func(p *page) {
		p.first(`const real = fetch;
			globalThis.fetched = [];
			globalThis.fetch = (address, ...rest) => {
				fetched.push(String(address));
				return /\/(calc|lenses)-/.test(address) ? new Promise(() => {}) : real(address, ...rest);
			};`)
	})
	for _, part := range []string{"/assets/calc-", "/assets/lenses-", "/assets/models-", "/models/gpt2/config.json", "/index.txt"} {
		p.is(part+" is asked for while the counting programs are on their way", `fetched.some((address) => address.includes("`+part+`"))`)
	}
	p.is("no script waits for another to name it", `performance.getEntriesByType("resource").every((r) => r.initiatorType !== "script" || [...document.scripts].some((s) => s.src === r.name))`)
}

// ownAnswer: who opens a link sees its answer or why there is none, and not at first the answer to another question.
func ownAnswer(t *testing.T, url string) {
	p := open(t, url, "/?v=1&model=gpt2", gates)
	p.is("the heading is there", inSight("h1"))
	p.is("the model as it was built is not shown", `!`+inSight(".exactly")+` && !`+inSight(".sentence")+` && !document.querySelector("main").innerText.includes("8,030,261,248")`)
	p.is("the model that is asked about is, by the link's name or its own", inSight(`[name="model"]`)+` && ["gpt2", "GPT-2 124M"].includes(document.querySelector('[name="model"]').value)`)
	p.is("the answer's place is", `(() => { const s = getComputedStyle(document.querySelector(".answer"), "::after"); return s.visibility === "visible" && parseFloat(s.blockSize) > 200 })()`)
	p.soon("that it is being counted is said", `Promise.allSettled(document.querySelector(".calc").getAnimations({ subtree: true }).map((a) => a.finished)).then(() => { const s = getComputedStyle(document.querySelector(".calc"), "::before"); return s.content === '"Counting"' && s.visibility === "visible" })`)
	eval[bool](p, `open_calc()`)
	p.counts(strconv.Itoa(gpt2))
	p.is("the answer is", inSight(".exactly")+` && `+inSight(".sentence"))

	p.close()
	p = open(t, url, "/?v=1&vs=gpt2", gates)
	eval[bool](p, `open_calc()`)
	p.is("a comparison is shown with its other side", inSight(".aside .sides"))

	// The fields of a device of one's own push the answer's place down: once out of sight, it stays there.
	p.close()
	p = open(t, url, "/?v=1&memory=24000000000&bandwidth=900000000000", gates, func(p *page) {
		p.first(`globalThis.states = [];
			new MutationObserver(() => states.push(document.documentElement.dataset.asked)).observe(document, { subtree: true, attributeFilter: ["data-asked"] });`)
	})
	eval[bool](p, `open_calc()`)
	p.counts(strconv.Itoa(llama))
	p.is("the answer stood before its verdict", `states.some((s) => s?.includes("counted"))`)
	p.is("what has moved is out of sight", `states.includes("moved") && states.slice(states.indexOf("moved")).every((s) => s === undefined || s.includes("moved")) && getComputedStyle(document.querySelector(".answer"), "::after").content === "none"`)
	eval[bool](p, `open_lenses()`)
	p.is("the answer is shown", inSight(".verdict"))

	for _, link := range []string{"/?v=1&model=gpt5000", "/?v=1&set.num_hidden_layers=-1", "/?v=1&vs=gpt5000", "/#config=x"} {
		p := open(t, url, link, func(p *page) { p.expected = "404" })
		p.is("why "+link+" has no answer is", `[...document.querySelectorAll(".error, [data-problems], [data-said]")].some((e) => e.textContent && e.checkVisibility({ visibilityProperty: true }))`)
		p.close()
	}

	p.close()
	p = open(t, url, "/")
	p.is("a page that is asked nothing hides nothing", `document.documentElement.dataset.asked === undefined`)
	p.close()
	p = open(t, url, "/example/?utm_source=feed")
	p.is("nor does a chapter", inSight("h1")+` && `+inSight(".calc"))

	lacking := func(script string) func(*page) {
		return func(p *page) {
			p.expected = "Failed to load"
			p.first(`const later = setTimeout; globalThis.setTimeout = (f, ms, ...rest) => later(f, ms === 9000 ? 1 : ms, ...rest);`)
			p.without(script)
		}
	}
	p.close()
	p = open(t, url, "/?v=1&model=gpt2", lacking("main-*.js"))
	p.is("where scripts cannot be loaded the page is shown in the end", inSight(".exactly"))
	p.is("as its own", `getComputedStyle(document.querySelector(".answer"), "::before").content.includes("the page’s own") && !`+inSight(".answer .status"))
	p.close()
	p = open(t, url, "/?v=1&memory=24000000000&bandwidth=900000000000", gates, func(p *page) {
		p.first(`const later = setTimeout; globalThis.setTimeout = (f, ms, ...rest) => { if (ms === 9000) globalThis.inTheEnd = f; return later(f, ms, ...rest); };`)
	})
	p.is("the fields of the link's device are shown", `document.querySelector("[data-own]").open`)
	eval[bool](p, `inTheEnd() ?? true`)
	p.is("where the program does not come the answer says whose it is, whatever has moved", `getComputedStyle(document.querySelector(".answer"), "::before").content === '"Showing the last valid answer: Llama 3.1 8B."'`)
	p.close()
	p = open(t, url, "/?v=1&vs=gpt2", lacking("compare-*.js"))
	p.is("where a comparison cannot be loaded that is said", `document.querySelector("[data-problems]").textContent.startsWith("The comparison could not be loaded")`)
}

// offScreen: an answer's lenses follow although nobody scrolls to them, for they may be read without being seen; until
// then they do not show the numbers of another question.
func offScreen(t *testing.T, url string) {
	const lens = `[data-region="running"]`
	// Keys and values of 12 layers, 768 wide, for 1,024 tokens at 2 bytes: 37,748,736 bytes.
	const cache = `document.querySelector('` + lens + `').innerText.includes("37.7 MB")`
	const laidOut = `Promise.allSettled(document.getAnimations().map((a) => a.finished)).then(() => true)`
	p := open(t, url, "/?v=1&model=gpt2&context=1024", gates)
	eval[bool](p, `open_calc()`)
	p.counts(strconv.Itoa(gpt2))
	p.soon("all is laid out", laidOut)
	p.is("the lens says that it has no answer yet", `getComputedStyle(document.querySelector('`+lens+`'), "::before").content === '"Counting"' && document.querySelector('`+lens+`').innerText === ""`)
	eval[bool](p, `open_lenses()`)
	p.is("it follows", cache+` && scrollY === 0`)

	p.close()
	p = open(t, url, "/")
	p.ready()
	p.soon("all is laid out", laidOut)
	const loaded = `performance.getEntriesByType("resource").some((r) => r.name.includes("/lenses-"))`
	if eval[bool](p, loaded) {
		t.Error("a page as it was built loads the program of every lens")
	}
	p.fill("context", "4096")
	// 2 · 32 layers · 8 heads · 128 · 4,096 tokens at 2 bytes.
	p.is("an edit is followed too", `document.querySelector('`+lens+`').innerText.includes("537 MB")`)
}
