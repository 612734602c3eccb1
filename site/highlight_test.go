package site_test

import (
	"strconv"
	"strings"
	"testing"
)

const (
	swatchLit = `getComputedStyle(document.querySelector(".legend .swatch.r-attention")).outlineStyle === "solid"`
	letterLit = `getComputedStyle(document.querySelector(".shape var.d-h")).outlineStyle === "solid"`
	box       = `[...document.querySelectorAll("svg.plan.wide .m")].find((m) => m.querySelector("title").textContent.startsWith("q_proj "))`
	row       = `[...document.querySelectorAll("table.tensors tr")].find((r) => r.textContent.includes("self_attn.q_proj"))`
)

func lightsUp(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.wake()
	p.mouse(3, 3)
	p.is("nothing is lit", "!("+swatchLit+")")
	eval[bool](p, `(() => {
		const all = Document.prototype.querySelectorAll;
		globalThis.sought = 0;
		Document.prototype.querySelectorAll = function (what) { sought += what.includes("table.tensors"); return all.call(this, what); };
		return true;
	})()`)
	p.hover(box)
	p.is("the legend's swatch is lit", swatchLit)
	p.is("its rows are looked for once", "sought === 1")
	p.is("the box is lit", box+`.classList.contains("lit")`)
	p.is("its row is lit", row+`.classList.contains("lit")`)
	const marked = `(d) => getComputedStyle(document.querySelector(".shape var.d-" + d)).backgroundColor !== "rgba(0, 0, 0, 0)"`
	p.is("the letters of its sides are lit, and no other", `["h", "a", "d"].every(`+marked+`) && !["f", "V", "k"].some(`+marked+`)`)
	p.is("so are the lines along them", `(() => { const lit = [...document.querySelectorAll("svg.plan.wide .dimension.lit")].map((l) => l.textContent.trim().split(" ")[0]); return lit.includes("h") && !lit.includes("f") && !lit.includes("V"); })()`)
	p.is("other boxes are faint", `getComputedStyle(document.querySelector("svg.plan.wide .m.r-ffn")).opacity < 0.5`)
	p.mouse(3, 3)
	p.is("it goes out", "!("+swatchLit+") && !document.querySelector('.lit')")
	eval[bool](p, `(document.querySelector('[name="set.hidden_size"]').focus(), true)`)
	p.is("the field's letter is lit everywhere", letterLit+` && getComputedStyle(document.querySelector("table.tensors var.d-h")).outlineStyle === "solid"`)
	p.is("its dimension lines are lit", `document.querySelector("svg.plan.wide .dimension.lit")`)
	p.fill("set.hidden_size", "8192")
	p.counts(strconv.Itoa(llamaWide))
	p.is("it stays lit after an edit", letterLit)
	p.calm()
	p.is("so do its lines in the new drawing", `document.querySelector("svg.plan.wide .dimension.lit")?.textContent.includes("8,192")`)
	eval[bool](p, `(document.activeElement.blur(), true)`)
	p.is("it goes out with the focus", "!("+letterLit+")")
	eval[bool](p, `(document.querySelector(".parts summary").click(), true)`)
	p.hover(`document.querySelector(".legend li:has(.r-attention)")`)
	p.is("a segment of the bar lights boxes up", `getComputedStyle(document.querySelector("svg.plan.wide .m.r-ffn")).opacity < 0.5`)
}

func tapHolds(t *testing.T, url string) {
	p := open(t, url, "/", func(p *page) { p.size(390, 844) })
	p.ready()
	p.wake()
	tap := func(e string) {
		eval[bool](p, `(`+e+`.dispatchEvent(new PointerEvent("click", { bubbles: true, detail: 1, pointerType: "touch" })), true)`)
	}
	tap(`document.querySelector(".legend .swatch.r-attention")`)
	p.is("it is lit", swatchLit)
	p.mouse(5, 5)
	p.is("it stays", swatchLit)
	tap(`document.querySelector("h1")`)
	p.is("the next tap puts it out", "!("+swatchLit+")")
}

func wordsLightUp(t *testing.T, url string) {
	p := open(t, url, "/example/")
	p.wake()
	const word = `(() => { const texts = document.createTreeWalker(document.querySelector(".prose"), NodeFilter.SHOW_TEXT); for (let n = texts.nextNode(); n; n = texts.nextNode()) { const i = n.data.indexOf("feed-forward"); if (i < 0 || !n.parentElement.matches(".prose > p")) continue; const r = new Range(); r.setStart(n, i); r.setEnd(n, i + 12); n.parentElement.scrollIntoView({ block: "center", behavior: "instant" }); const [b] = r.getClientRects(); return [b.x + b.width / 2, b.y + b.height / 2] } return [0, 0] })()`
	p.still(word)
	at := eval[[]float64](p, word)
	p.mouse(at[0], at[1])
	p.is("its swatches are lit", `getComputedStyle(document.querySelector(".swatch.r-ffn")).outlineStyle === "solid"`)
	p.is("the words are lit", `CSS.highlights.get("lit")?.size > 0`)
	if eval[bool](p, `Boolean(document.querySelector(".maths svg .d-h"))`) {
		p.hover(`document.querySelector(".maths svg .d-h")`)
		p.is("a letter of a formula is lit", `getComputedStyle(document.querySelector(".maths svg .d-h")).stroke !== "none"`)
	} else {
		t.Error("no letter of the example's formula has a class")
	}
}

func linkOpens(t *testing.T, url string) {
	p := open(t, url, "/?v=1&model=gpt2&context=1024#at=bytes.cache")
	p.counts(strconv.Itoa(gpt2))
	cache := `[...document.querySelectorAll('[data-region="bytes"] details')].find((d) => d.querySelector("summary").textContent.startsWith("KV cache"))`
	p.is("the number is open", cache+".open")
	p.is("it has the focus", cache+`.querySelector("summary") === document.activeElement`)
	p.is("the address is kept", `location.search === "?v=1&model=gpt2&context=1024" && location.hash === "#at=bytes.cache"`)
	p.is("its own link is offered", cache+`.querySelector("number-link button")`)
	p.fill("context", "512")
	p.is("it stays open after an edit, with its link", cache+`.open && `+cache+`.querySelector("number-link button")`)
	p.close()
	p = open(t, url, "/models/gpt2/#at=parts.attention")
	p.is("a row of the table opens", `document.querySelector(".parts tr.more number-link")?.checkVisibility()`)
	p.close()
	p = open(t, url, "/#at=kv")
	p.is("a chart opens", `document.querySelector('[data-region="kv"] svg.chart text')?.checkVisibility()`)
	p.close()
	p = open(t, url, `/#at=<img src=x onerror=alert(1)>`)
	p.ready()
	p.is("what is no name does nothing", `![...document.querySelectorAll(".answer details[open]")].some((d) => d.checkVisibility())`)
}

func linkWithConfig(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.fill("config", gpt2Config)
	p.counts(strconv.Itoa(gpt2))
	p.is("the address carries it", `location.hash.startsWith("#config=")`)
	p.wake()
	p.calm() // the answer has been written, and what is under its numbers anew
	eval[bool](p, `(document.querySelector('[data-region="bytes"] details').open = true)`)
	p.is("a link is offered", `document.querySelector('[data-region="bytes"] number-link button')`)
	eval[bool](p, `(document.querySelector('[data-region="bytes"] number-link button').click(), true)`)
	p.is("the address names both", `/^#config=[\w-]+&at=bytes\.weights$/.test(location.hash)`)
	link := eval[string](p, `location.href`)
	p.close()
	p = open(t, url, strings.TrimPrefix(link, url))
	p.counts(strconv.Itoa(gpt2))
	p.is("the number is open", `document.querySelector('[data-region="bytes"] details').open`)
	p.is("the address is kept", `/^#config=[\w-]+&at=bytes\.weights$/.test(location.hash)`)
}

// Links that were given out name numbers: what is here has to open for ever.
func numberNames(t *testing.T, url string) {
	for path, names := range map[string]string{
		"/": "bytes.weights bytes.cache bytes.together parts.embedding parts.attention parts.feed-forward parts.norms parts.norms-2 parts.head size kv timeline roofline step running.on-the-device running.prefill running.next-token compute.prefill compute.next-token compute.training training.on-the-fullest-device",
	} {
		p := open(t, url, path)
		p.ready()
		p.wake()
		for _, name := range strings.Fields(names) {
			eval[bool](p, `(() => { for (const d of document.querySelectorAll(".answer details")) d.open = false; location.hash = "at=`+name+`"; return true })()`)
			p.is(name+" opens", `document.querySelector(".answer details[open]")`)
		}
		p.close()
	}
}
