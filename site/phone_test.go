package site_test

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestBar: the memory bar answers to keys as to a hand.
func TestBar(t *testing.T) {
	flows(t, []flow{{"the keyboard moves the cache's end", byKeyboard}})
}

// TestPhone: what a narrow screen has otherwise than a wide one.
func TestPhone(t *testing.T) {
	flows(t, []flow{
		{"the drawing is one layer a swipe", swiped},
		{"it is stacked without script and on paper", stacked},
		{"the header is one row", oneRow},
		{"what is reserved for a link's answer covers nothing", reserved},
		{"a tap says what a matrix is, the next opens its row", tapped},
	})
}

// parts are the drawings of a model's parts on a narrow screen, each with where it stands in the strip.
const parts = `[...document.querySelectorAll(".blueprint .swipe > svg")].map((s) => [s.getBoundingClientRect(), s.parentElement.getBoundingClientRect()])`

func swiped(t *testing.T, url string) {
	p := open(t, url, "/", func(p *page) { p.size(390, 844) })
	p.ready()
	p.wake()
	at := func(n string) string {
		return parts + `.findIndex(([s, strip]) => Math.abs((s.left + s.right) - (strip.left + strip.right)) < 4) === ` + n
	}
	p.is("a layer, what is before the layers and what is behind them are as wide as the strip", parts+`.length === 3 && `+parts+`.every(([s, strip]) => Math.abs(s.width - strip.width) < 2 && s.top === strip.top)`)
	p.is("each says which it is", `[...document.querySelectorAll(".swipe .title")].map((e) => e.textContent).join() === "1 of 3 › layers 0–31,‹ 2 of 3 ›,‹ 3 of 3"`)
	p.is("the layer is shown, which is the highest", at("0")+` && `+parts+`.length === 3 && [...document.querySelectorAll(".blueprint .swipe > svg")].every((s, i, [most]) => s.getBoundingClientRect().height <= most.getBoundingClientRect().height)`)
	eval[bool](p, `(document.querySelector(".swipe").scrollIntoView({ block: "center" }), document.querySelector(".swipe").focus(), true)`)
	p.keys(kb.ArrowRight)
	p.is("an arrow shows what is before the layers", at("1"))
	eval[bool](p, `new Promise((done) => setTimeout(() => done((document.querySelector(".swipe").scrollBy({ left: 230 }), true)), 700))`) // when the first has come to rest
	p.is("a swipe that ends between two ends on one", at("2"))
	if moved := p.moved(); moved != "" {
		t.Errorf("the layout shifts by %s", moved)
	}
	p.fill("set.hidden_size", "8192")
	p.is("an edit leaves it there", `document.querySelectorAll(".ghosts rect").length > 5 && `+at("2"))
	p.is("the page stays as wide as the screen", `document.documentElement.scrollWidth <= innerWidth`)
	p.accessible(".blueprint")
}

func stacked(t *testing.T, url string) {
	const below = parts + `.length === 3 && ` + parts + `.every(([s], i, all) => i === 0 || s.top >= all[i - 1][0].bottom)`
	p := open(t, url, "/", scriptless, func(p *page) { p.size(390, 844) })
	p.is("without script", below)
	p.close()
	p = open(t, url, "/", func(p *page) { p.size(390, 844) })
	p.ready()
	p.medium("print")
	p.is("on paper", below)
}

// oneRow: name, links, search and theme stand beside each other, whole, on every page and whichever of them is the shown one.
func oneRow(t *testing.T, url string) {
	for _, path := range []string{"/", "/models/", "/example/"} {
		p := open(t, url, path)
		// The site of the tests lacks two of the links.
		eval[bool](p, `(document.querySelector("header.site nav li").insertAdjacentHTML("afterend", "<li><a href=/>What fits</a></li><li><a href=/>Compare</a></li>"), true)`)
		for _, width := range []int64{320, 360, 390, 640, 768} {
			p.size(width, 700)
			p.calm()
			if wrong := eval[string](p, `(() => {
				const all = [...document.querySelectorAll("header.site :is(.name, nav a, .search, .theme)")].filter((e) => e.checkVisibility()).map((e) => [e.textContent.trim().slice(0, 9), e.getBoundingClientRect()]);
				const nav = document.querySelector("header.site nav").getBoundingClientRect();
				return all.filter(([name, b], i) => b.left < (i && all[i - 1][1].right) || b.right > innerWidth || b.height < 24 || b.width < 24 || Math.abs(b.top + b.bottom - nav.top - nav.bottom) > 4).map(([name, b]) => name + " at " + [b.left, b.right, b.top, b.bottom].map(Math.round)).join("; ")
					|| (all.length < 7 ? all.length + " of them" : document.querySelector("header.site nav").scrollWidth > Math.ceil(nav.width) ? "links are hidden: " + document.querySelector("header.site nav").scrollWidth : "");
			})()`); wrong != "" {
				t.Errorf("%s on %d pixels: %s", path, width, wrong)
			}
		}
		p.close()
	}
}

func tapped(t *testing.T, url string) {
	p := open(t, url, "/", func(p *page) { p.size(390, 844) })
	p.ready()
	p.wake()
	p.is("the drawing listens", `document.querySelector(".for-grip")`)
	p.is("before it what can be done is said", `getComputedStyle(document.querySelector(".readout"), "::before").content.includes("tap it")`)
	const tap = `([...document.querySelectorAll(".swipe .m")].find((m) => m.textContent.startsWith("q_proj")).dispatchEvent(new PointerEvent("click", { bubbles: true, detail: 1, pointerType: "touch" })), true)`
	eval[bool](p, tap)
	// 4,096 times 4,096 is 16,777,216; 32 layers have 536,870,912 of them, in two bytes each.
	p.is("its sides, its product, how often it is there and its bytes", `document.querySelector(".readout").textContent === "q_proj: 4,096 × 4,096 = 16,777,216 parameters, × 32 L = 536,870,912; 1,073,741,824 bytes"`)
	p.is("the page stays where it was", `document.documentElement.dataset.tab !== "tensors"`)
	eval[bool](p, tap)
	p.is("its row is open", `document.documentElement.dataset.tab === "tensors" && [...document.querySelectorAll("table.tensors code")].some((c) => c.textContent.includes("q_proj") && c.checkVisibility())`)
}

// byKeyboard: the end of the cache on the memory bar is moved by a slider, as a hand does.
func byKeyboard(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.wake()
	p.is("the bar has a slider with a name", `document.querySelector(".fit + .for-grip")?.ariaLabel && document.querySelector(".for-grip").value === "8192"`)
	eval[bool](p, `(document.querySelector(".for-grip").focus(), true)`)
	p.keys(kb.ArrowRight)
	p.is("an arrow lengthens the context", `Number(new URLSearchParams(location.search).get("context")) > 8192 && document.querySelector("svg.memory.wide").dataset.tokens === new URLSearchParams(location.search).get("context")`)
	p.is("it says to what", `document.querySelector(".for-grip").value === new URLSearchParams(location.search).get("context")`)
	p.is("the focus is seen on the bar", `getComputedStyle(document.querySelector("svg.memory.wide .grip path")).strokeWidth === "4px"`)
	p.keys(kb.Home)
	p.is("one token is the least", `new URLSearchParams(location.search).get("context") === "1"`)
}

// reserved: while a link's answer is on its way, the shapes in its place stand below the model's name, and cover no heading.
func reserved(t *testing.T, url string) {
	p := open(t, url, "/?v=1&model=gpt2", func(p *page) {
		p.size(390, 844)
		p.first(`const real = fetch; globalThis.fetch = (address, ...rest) => (/wasm/.test(String(address)) ? new Promise(() => {}) : real(address, ...rest));`)
	})
	p.is("the model is named, its answer is not there", `document.querySelector(".asked") && "asked" in document.documentElement.dataset`)
	for _, what := range []string{"h1", ".proof", ".asked"} {
		p.is(what+" is not covered", `(() => { const e = document.querySelector("`+what+`"), b = e.getBoundingClientRect(); return [.1, .5, .9].every((at) => e.contains(document.elementFromPoint(b.left + 20, b.top + at * b.height))); })()`)
	}
	p.is("the ends of the question's rule, which a phone has not, are not drawn elsewhere", `getComputedStyle(document.querySelector(".sentence"), "::before").display === "none"`)
}
