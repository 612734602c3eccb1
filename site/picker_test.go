package site_test

import (
	"strconv"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestPickers chooses models and devices as people write them.
func TestPickers(t *testing.T) {
	flows(t, []flow{
		{"words find a model", pickModel},
		{"a device is found, and one that is not known is said", pickDevice},
		{"a length is echoed", lengths},
		{"the longest that fits waits for its program", longestWaits},
		{"a program that starts shows nothing of the model before", beforeStays},
		{"another model moves nothing on a slow line", chosenSlowly},
	})
}

// chosenSlowly: on a slow line a model's config comes a while after the choice, when a browser excuses no shift by it any more.
func chosenSlowly(t *testing.T, url string) {
	for _, width := range []int64{1280, 390} {
		p := open(t, url, "/", func(p *page) { p.size(width, 844) })
		p.ready()
		p.typed("model", "deepseek")
		p.calm()
		eval[bool](p, `(() => {
			const real = fetch;
			globalThis.fetch = (address, ...rest) => (String(address).endsWith("config.json") ? new Promise((done) => { globalThis.arrive = done }) : Promise.resolve()).then(() => real(address, ...rest));
			globalThis.shifts = [];
			new PerformanceObserver((l) => { for (const e of l.getEntries()) if (!e.hadRecentInput) shifts.push(e.value.toFixed(4) + " " + e.sources.map((s) => s.node?.outerHTML?.slice(0, 80))); }).observe({ type: "layout-shift" });
			return true;
		})()`)
		p.keys(kb.Enter)
		p.is("the model before goes when that takes long", `!`+inSight(".blueprint"))
		eval[bool](p, `(setTimeout(arrive, 600), true)`) // by then a browser excuses nothing
		p.counts("671026404352")
		p.is("and the answer is shown", inSight(".blueprint")+` && `+inSight(".verdict"))
		p.calm()
		if moved := eval[string](p, `new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(shifts.join("; ")))))`); moved != "" {
			t.Errorf("on %d pixels the layout shifts by %s", width, moved)
		}
		p.close()
	}
}

// typed writes into a field key by key, after what stood there was marked.
func (p *page) typed(name, text string) {
	p.t.Helper()
	eval[bool](p, `document.querySelector('[name="`+name+`"]').focus() ?? true`)
	p.is("the list of "+name+" is there", `document.activeElement.getAttribute("aria-expanded") === "true"`)
	p.keys(text)
}

const options = `[...document.querySelectorAll(".choices:not([hidden]) [role=option]")]`

func pickModel(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.is("the field has a name that people read", `document.querySelector('[name="model"]').value === "Llama 3.1 8B"`)
	p.typed("model", "")
	p.is("popular ones are offered before anything is typed", options+`.length > 3`)
	eval[bool](p, `document.activeElement.blur() ?? true`)
	p.typed("model", "8x7 mix")
	p.is("all words, in any order", options+`.length === 1 && `+options+`[0].textContent.startsWith("Mixtral 8x7B")`)
	p.keys(kb.Escape)
	p.is("Escape returns what stood there", `document.querySelector('[name="model"]').value === "Llama 3.1 8B" && document.activeElement.getAttribute("aria-expanded") === "false"`)
	p.keys(kb.ArrowDown)
	p.is("an arrow opens the list of all", options+`.length > 3`)
	p.keys(kb.ArrowDown)
	p.is("the first is marked", options+`[0].getAttribute("aria-selected") === "true" && document.activeElement.getAttribute("aria-activedescendant") === `+options+`[0].id`)
	p.keys(kb.Escape)
	eval[bool](p, `document.activeElement.blur() ?? true`)
	p.typed("model", "gpt 2")
	p.keys(kb.Enter)
	p.counts(strconv.Itoa(gpt2))
	p.is("Enter takes the first", `location.search === "?v=1&model=gpt2" && document.querySelector('[name="model"]').value.startsWith("GPT-2")`)
	eval[bool](p, `document.activeElement.blur() ?? true`)
	p.typed("model", "https://hub.example/meta-llama/Llama-3.1-8B")
	p.is("an address finds its model", options+`[0]?.textContent.startsWith("Llama 3.1 8B")`)
	p.keys(kb.Escape)
	p.fill("model", "meta-llama/llama-3.1-8b")
	p.counts(strconv.Itoa(llama))
	p.fill("model", "mixtrel")
	p.is("what may be meant is offered", `document.querySelector('[data-field="model"] .error')?.textContent.startsWith("No model of the catalogue is called mixtrel. Did you mean Mixtral 8x7B")`)
	eval[bool](p, `document.querySelector('[data-field="model"] .error button').click() ?? true`)
	p.is("and taken", `location.search === "?v=1&model=mixtral-8x7b" && !document.querySelector(".error")`)
	eval[bool](p, `document.activeElement.blur() ?? true`)
	p.typed("model", "a/gpt2")
	p.is("an id is offered to fetch", options+`.at(-1)?.textContent === "Fetch a/gpt2 from the model hub"`)
	eval[bool](p, options+`.at(-1).click() ?? true`)
	p.counts(strconv.Itoa(gpt2))
}

func pickDevice(t *testing.T, url string) {
	p := open(t, url, "/?v=1&device=4090")
	p.counts(strconv.Itoa(llama))
	p.is("the name is not known, and what is near is offered", `document.querySelector('[data-field="device"] .error')?.textContent.startsWith("No device of the catalogue is called 4090. Did you mean NVIDIA GeForce RTX 4090")`)
	p.is("it is no number", `document.querySelector('[name="device"]').value === "4090"`)
	p.is("the section stays and says why", `document.querySelector('[data-region="running"]').textContent.includes("No device of the catalogue is called 4090") && document.querySelector('[data-region="running"]').textContent.includes("In all")`)
	p.fill("batch", "2")
	p.is("the rest is answered on", `location.search.includes("batch=2") && !document.querySelector(".stale") && document.querySelector('[data-field="device"] .error')`)
	eval[bool](p, `document.querySelector('[data-field="device"] .error button').click() ?? true`)
	p.is("the device is taken", `location.search.includes("device=rtx-4090-24gb") && document.querySelector('[name="device"]').value === "NVIDIA GeForce RTX 4090" && !document.querySelector(".error")`)
	p.is("its answer is there", `document.querySelector('[data-region="running"]').textContent.includes("NVIDIA GeForce RTX 4090")`)
	p.typed("device", "rtx 4090") // whose driver reports 25.8 GB
	p.is("a device has the memory that it is sold with", options+`[0].textContent.trim() === "NVIDIA GeForce RTX 4090 24 GB"`)
	p.keys(kb.Escape)
	eval[bool](p, `document.activeElement.blur() ?? true`)
	p.typed("device", "h100 sxm")
	p.is("which is not said twice", options+`[0].textContent.trim() === "NVIDIA H100 SXM 80 GB"`)
	p.keys(kb.Escape)
	eval[bool](p, `document.activeElement.blur() ?? true`)
	p.typed("device", "mac studio")
	p.is("a computer's name finds its chips", options+`.length === 2 && `+options+`[0].textContent.startsWith("Apple M2 Ultra")`)
	p.keys(kb.Escape)
	p.fill("device", "4090 x8")
	p.is("a number beside a name is how many", `location.search.includes("devices=8") && location.search.includes("device=rtx-4090-24gb") && document.querySelector('[name="devices"]').value === "8"`)
	p.fill("devices", "")
	p.fill("device", "h100 80")
	p.is("words name it", `!location.search.includes("device=") && document.querySelector('[name="device"]').value.includes("H100")`)
	// One that is not listed. A token reads 2·(8,030,261,248 − 128,256·4,096) bytes of weights and 8,192·131,072 of cache, at 900 GB/s in 17.9 ms.
	p.fill("batch", "")
	for _, c := range [][3]string{{"memory", "24", "24 GB"}, {"bandwidth", "900 GB/s", "900 GB/s"}, {"peak", "165", "165 TFLOP/s"}, {"memory", "24GiB", "25.7698 GB"}, {"memory", "24000000000", "24 GB"}} {
		p.fill(c[0], c[1])
		p.is(c[1]+" of "+c[0]+" is "+c[2], `document.querySelector('[name="`+c[0]+`"]').value === "`+c[2]+`"`)
	}
	const typed = `location.search.includes("memory=24000000000&bandwidth=900000000000&peak=165000000000000") && document.querySelector('[name="device"]').value === "a device of your own" && document.querySelector(".verdict.yes") && document.querySelector("[data-token]").textContent.includes("17.9 ms")`
	p.is("it is asked about", typed)
	p.visit("/?v=1&memory=24000000000&bandwidth=900000000000&peak=165000000000000")
	p.is("a link has it", typed)
	p.is("and shows the fields that it is in", `document.querySelector('[name="memory"]').checkVisibility()`)
	p.fill("device", "4090")
	p.is("a listed one takes its place", `location.search.endsWith("device=rtx-4090-24gb") && document.querySelector('[name="memory"]').value === ""`)
	p.close()
	p = open(t, url, "/?v=1&device=rtx%204090")
	p.is("nor are words a device of a link", `document.querySelector('[data-field="device"] .error')?.textContent.includes("Did you mean NVIDIA GeForce RTX 4090")`)
}

// holdsProgram holds the larger program when it has come and should start, until the page's release is called.
const holdsProgram = `
	const { instantiate } = WebAssembly;
	let programs = 0;
	WebAssembly.instantiate = (...of) => {
		const counts = of[0] instanceof WebAssembly.Module && WebAssembly.Module.exports(of[0]).some((x) => x.name === "answer");
		return counts && ++programs === 2 ? new Promise((done) => { globalThis.release = done }).then(() => instantiate(...of)) : instantiate(...of);
	};`

// longestWaits: the longest context is asked for while the program that knows it starts.
func longestWaits(t *testing.T, url string) {
	p := open(t, url, "/", func(p *page) { p.first(holdsProgram) })
	p.ready()
	p.fill("context", "4096") // the verdict is the larger program's
	p.is("the larger program is on its way", `globalThis.release`)
	eval[bool](p, `(document.querySelector('[data-chip="most"]').click(), setTimeout(release, 100), true)`)
	p.is("the longest that fits is taken", `/context=\d{6}/.test(location.search) && document.querySelector('[data-longest]').value === new URLSearchParams(location.search).get("context")`)
}

// beforeStays: the larger program starts while another model's config is on its way, and shows nothing of the model before.
func beforeStays(t *testing.T, url string) {
	p := open(t, url, "/", func(p *page) { p.first(holdsProgram) })
	p.ready()
	p.fill("context", "4096")
	p.is("the larger program is on its way", `globalThis.release`)
	eval[bool](p, `(() => {
		const real = fetch;
		globalThis.fetch = (address, ...rest) => (String(address).endsWith("config.json") ? new Promise((done) => { globalThis.arrive = done }) : Promise.resolve()).then(() => real(address, ...rest));
		return true;
	})()`)
	p.fill("model", "deepseek-v3")
	p.is("the model before goes", `!`+inSight(".blueprint"))
	eval[bool](p, `(release(), true)`)
	p.is("the larger program answers for it", `document.querySelector(".verdict")?.textContent.startsWith("Fits") && ![...document.querySelectorAll(".verdict")].some((v) => v.closest(".behind"))`)
	p.calm()
	if eval[bool](p, inSight(".blueprint")) {
		t.Error("it is back before the other model is there")
	}
	eval[bool](p, `(arrive(), true)`)
	p.counts("671026404352")
	p.is("and the answer is shown", inSight(".blueprint"))
}

func lengths(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	for _, c := range [][2]string{{"32k", "32,768"}, {"1.5K", "1,536"}, {"1 M", "1,048,576"}, {"32,000", "32,000"}, {"32Ki", "32,768"}} {
		p.fill("context", c[0])
		p.is(c[0]+" is "+c[1], `document.querySelector('[name="context"]').value === "`+c[1]+`"`)
	}
	eval[bool](p, `document.querySelector('[data-chip="131072"]').click() ?? true`)
	p.is("a chip is a length", `location.search === "?v=1&context=131072" && document.querySelector('[name="context"]').value === "131,072"`)
	eval[bool](p, `document.querySelector('[data-chip="most"]').click() ?? true`)
	p.is("the longest that fits is taken", `/context=\d{6}/.test(location.search) && !location.search.includes("=131072")`)
	p.is("it is the figure's", `document.querySelector('[data-longest]').value === new URLSearchParams(location.search).get("context")`)
	p.close()
	p = open(t, url, "/?v=1&context=32k")
	p.is("a link means thousands", `document.querySelector('[name="context"]').value === "32,000"`)
}
