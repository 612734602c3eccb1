package site_test

import (
	"strconv"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// byHand: what the first screen offers to a hand does what it says.
func byHand(t *testing.T, url string) {
	p := open(t, url, "/?v=1&weights=fp32&device=rtx-4090-24gb")
	p.is("it does not fit", `document.querySelector(".verdict.no .apply")`)
	p.wake()
	eval[bool](p, `(document.querySelector(".apply").focus(), true)`)
	p.keys(kb.Enter)
	p.is("the change that is offered does", `document.querySelector(".verdict.yes") && !location.search.includes("weights=fp32")`)
	p.is("the focus is where it was offered", `document.activeElement.matches(".fit")`)

	p.close()
	p = open(t, url, "/")
	p.ready()
	p.wake()
	p.fill("context", "16384")
	p.is("the bar follows", `document.querySelector("svg.memory.wide").dataset.tokens === "16384"`)
	p.is("its button is marked, and no other", `[...document.querySelectorAll("[data-chip][aria-pressed=true]")].map((b) => b.dataset.chip).join() === "16384"`)
	p.media("forced-colors", "active")
	p.is("in forced colours one tab looks chosen", `[...document.querySelectorAll(".tabs a")].filter((a, _, all) => getComputedStyle(a).borderBlockEndColor === getComputedStyle(all[0]).borderBlockEndColor).length === 1`)
	p.is("in forced colours the device's name covers its line in the colour of what is behind it", `getComputedStyle(document.querySelector("svg.memory.wide text.mid")).stroke === getComputedStyle(document.body).backgroundColor`)
	p.media("forced-colors", "none")
	// The cache of Llama 3.1 8B takes 131,072 bytes a token. At the middle of the bar are as many as fill it up to there.
	eval[bool](p, `(() => {
		const grip = document.querySelector("svg.memory.wide [data-grip] rect"), svg = grip.closest("svg"), box = svg.getBoundingClientRect();
		globalThis.wanted = (Number(svg.dataset.whole) / 2 - Number(svg.dataset.from)) / 131072;
		const at = (type, target) => target.dispatchEvent(new PointerEvent(type, { clientX: box.left + box.width / 2, clientY: box.top + 60, bubbles: true, button: 0 }));
		at("pointerdown", grip);
		at("pointermove", document);
		return true;
	})()`)
	p.is("the cache's end is dragged", `Math.abs(new URLSearchParams(location.search).get("context") / wanted - 1) < 0.01`)
	eval[bool](p, `dispatchEvent(new PointerEvent("pointerup"))`)

	p.fill("set.hidden_size", "8192")
	p.counts(strconv.Itoa(llamaWide))
	// 18,744,877,056 / 8,030,261,248 = 2.334.
	p.is("an edit says what it changed", `document.querySelector(".changes").textContent.startsWith("18.7 B, was 8.03 B, × 2.33")`)
	eval[bool](p, `(document.querySelector("#shapes").scrollIntoView({ block: "center" }), true)`)
	p.is("also where the keys are", `(({ top, bottom }) => top >= document.querySelector(".sentence").getBoundingClientRect().bottom - 8 && bottom < innerHeight)(document.querySelector(".changes").getBoundingClientRect())`)
	p.is("the edited field stays in its row", `new Set(["hidden_size", "num_hidden_layers"].map((key) => document.querySelector('[name="set.' + key + '"]').getBoundingClientRect().top)).size === 1`)
	p.is("the old shapes stay as ghosts", `document.querySelectorAll(".ghosts rect").length > 5`)
	eval[bool](p, `document.querySelector(".shape [data-apply]").click() ?? true`)
	p.is("what usually scales with it does", `location.search.includes("set.intermediate_size=28672") && location.search.includes("set.num_attention_heads=64")`)

	eval[bool](p, `document.querySelector("svg.plan .m:has(text) rect").dispatchEvent(new PointerEvent("pointerover", { bubbles: true })) || true`)
	p.is("a matrix says what it is", `/^embed_tokens: 8,192 × 128,256 = 1,050,673,152 parameters/.test(document.querySelector(".readout").textContent)`)
	eval[bool](p, `[...document.querySelectorAll("svg.plan .m")].find((m) => m.textContent.startsWith("q_proj")).dispatchEvent(new MouseEvent("click", { bubbles: true })) || true`)
	p.is("and opens its row", `document.documentElement.dataset.tab === "tensors" && [...document.querySelectorAll("table.tensors code")].some((c) => c.textContent.includes("q_proj") && c.checkVisibility())`)

	eval[bool](p, `(document.querySelector("[data-share]").open = true)`)
	p.is("an answer can be shared in more ways", `document.querySelectorAll(".share-part").length === 3 && [...document.querySelectorAll(".share-part textarea")].some((a) => a.value.includes("/embed/?v=1"))`)
	eval[bool](p, `(() => {
		const { set } = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, "src");
		Object.defineProperty(HTMLImageElement.prototype, "src", { set(value) { globalThis.painted = value; set.call(this, value); } });
		document.querySelector(".share-part button").click();
		return true;
	})()`)
	p.is("its picture is made", `document.querySelector(".share-part a[download]")`)
	p.is("in which the device's name is read, without what holds lines off it", `(() => {
		const [, svg] = painted.split(/^data:image.svg.xml,/);
		const words = [...new DOMParser().parseFromString(decodeURIComponent(svg), "image/svg+xml").querySelectorAll("text")];
		return words.some((t) => t.textContent.startsWith("NVIDIA H100 SXM 80 GB")) && words.every((t) => ["none", null].includes(t.getAttribute("stroke")));
	})()`)
	eval[bool](p, `(document.querySelector("[data-other]").open = true)`)
	p.is("of two sheets one is open", `!document.querySelector("[data-share]").open && document.querySelector("[data-other]").open`)
	eval[bool](p, `(document.querySelector("[data-other] textarea").focus(), true)`)
	p.keys(kb.Escape)
	p.is("Escape closes it", `!document.querySelector("[data-other]").open && document.activeElement.matches("[data-other] summary")`)
}

// early: the calculator's scripts wait for a reader or an idle moment, and what a reader pressed meanwhile is not lost.
func early(t *testing.T, url string) {
	p := open(t, url, "/", func(p *page) { p.first(`globalThis.requestIdleCallback = () => 0;`) })
	p.is("the page is there", inSight(".verdict"))
	if eval[bool](p, `document.querySelector("[data-calculator]").calculator || performance.getEntriesByType("resource").some((r) => /\.wasm/.test(r.name))`) {
		t.Error("a browser that is never idle starts the calculator before anybody moves")
	}
	eval[bool](p, `(() => {
		const chip = document.querySelector('[data-chip="32768"]');
		chip.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
		chip.click();
		return true;
	})()`)
	p.is("the question is the button's", `new URLSearchParams(location.search).get("context") === "32768" && document.querySelector("svg.memory.wide").dataset.tokens === "32768"`)
	p.close()
	p = open(t, url, "/", func(p *page) { p.first(`globalThis.requestIdleCallback = () => 0;`) })
	p.is("the page is there again", inSight(".verdict"))
	eval[bool](p, `(document.querySelector(".calc [name=model]").focus(), true)`)
	p.is("a field that was come to before its script offers its list", `document.querySelector("ul.choices:not([hidden]) [role=option]")`)

	// A name that is half typed when the scripts come is not taken for another's: "m" is Mixtral's first letter, too.
	p.close()
	p = open(t, url, "/", func(p *page) { p.first(`globalThis.requestIdleCallback = () => 0;`) })
	p.is("the page is there once more", inSight(".verdict"))
	eval[bool](p, `(() => {
		const field = document.querySelector(".calc [name=model]");
		field.value = "m";
		field.focus();
		return true;
	})()`)
	p.is("what is half typed is looked for", options+`.length > 1 && document.querySelector(".calc [name=model]").value === "m"`)
	p.keys("amba" + kb.Enter)
	p.counts("129135360") // 50,280 × 768 + 24 layers of 3,771,648 + 768
	// And one that was typed to its end is taken.
	p.close()
	p = open(t, url, "/", func(p *page) { p.first(`globalThis.requestIdleCallback = () => 0;`) })
	p.is("the page is there a last time", inSight(".verdict"))
	eval[bool](p, `(() => {
		const field = document.querySelector(".calc [name=model]");
		field.value = "gpt2";
		field.dispatchEvent(new Event("change", { bubbles: true }));
		field.focus();
		return true;
	})()`)
	p.counts("124439808")
	p.is("its list has all that it needs", `document.querySelector("ul.choices") && [...document.styleSheets].some(({ href }) => href?.includes("/picker-"))`)
	eval[bool](p, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
	p.is("and does not lie over the answer", `!document.querySelector("ul.choices:not([hidden])")`)
}
