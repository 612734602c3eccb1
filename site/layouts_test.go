package site_test

import (
	"strconv"
	"testing"
)

// TestLayouts tries the list of layouts, which is looked for beside the page.
func TestLayouts(t *testing.T) {
	flows(t, []flow{
		{"training begins with its days and the best layouts", layoutsLead},
		{"a worker looks, and follows edits", layoutsFollow},
		{"what answers an older question is not shown", layoutsSuperseded},
		{"a worker that cannot be had is said, and tried again", layoutsLost},
	})
}

// list is the list of layouts.
const list = `document.querySelector('[data-region="layouts"]')`

func (p *page) openLayouts() {
	p.t.Helper()
	eval[bool](p, `(document.querySelector('.tabs [href="#training"]').click(), `+list+`.closest("details").open = true, `+list+`.closest("details").scrollIntoView(), true)`)
}

// lists waits until the list shows a text.
func (p *page) lists(text string) {
	p.t.Helper()
	p.is("the list says "+text, list+`.checkVisibility({ visibilityProperty: true }) && `+list+`.textContent.includes(`+"`"+text+"`"+`)`)
}

// spy notes which workers are asked for anything but a predicted time, what they answer about layouts (they draw charts, too), and which
// regions the page's own program is asked for. What such a worker answers waits while hold is set.
const spy = `(() => {
	Object.assign(window, { made: [], answers: [], asked: 0, regions: [], hold: false, held: [] });
	const Original = Worker;
	window.Worker = class extends Original {
		constructor(address) { super(address); this.address = address; }
		postMessage(message) {
			if (message.program !== "speed" && !this.noted) { this.noted = true; made.push(this.address); }
			this.predicts = message.program === "speed";
			if (message.region === "layouts") asked++;
			super.postMessage(message);
		}
		set onmessage(f) { super.onmessage = (event) => { if (/ways to divide|Nothing fits/.test(event.data.html)) answers.push(event.data); if (hold && !this.predicts) held.push(() => f(event)); else f(event); }; }
	};
	const c = document.querySelector("[data-calculator]").calculator, { show } = c;
	c.show = (answer) => {
		const { html } = answer;
		answer.html = (region) => { regions.push(region); return html(region); };
		show.call(c, answer);
	};
	return true;
})()`

// layoutsLead: a link to the tab shows how long it takes, the peak and the best layouts before anybody moves, and nothing moves for them.
func layoutsLead(t *testing.T, url string) {
	for _, width := range []int64{1280, 600, 320} {
		p := open(t, url, "/?v=1&devices=64#training", func(p *page) { p.size(width, 844) })
		p.is("the link is answered", `document.documentElement.dataset.asked === undefined`)
		eval[bool](p, `(`+list+`.closest("details").scrollIntoView(), true)`)
		p.lists("over 64 devices fit")
		p.is("the step is laid out", `document.querySelector(".peak .said").textContent === "" && document.querySelector('[data-region="peak"]').textContent.includes('Peak of a step')`)
		p.calm()
		if got := eval[string](p, `[...document.querySelectorAll("#training [data-region]")].filter((e) => e.checkVisibility()).map((e) => e.dataset.region).join()`); got != "outset,peak,layouts,training" {
			t.Errorf("training shows %s", got)
		}
		p.is("it begins with the days", `/^[\d.]+ days for 161 B tokens on 64 ×/.test(document.querySelector('[data-region="outset"]').textContent)`)
		p.is("a list that has no address offers no link to it", `!`+list+`.closest("details").querySelector(":scope > number-link")`)
		if moved := p.moved(); moved != "" {
			t.Errorf("on %d pixels the layout shifts by %s", width, moved)
		}
		p.close()
	}
}

// Llama 3.1 8B has 8.03 billion parameters: at 16 bytes each they do not fit one device of 80 GB, and 64 GB of eight do.
func layoutsFollow(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.wake()
	eval[bool](p, spy)
	if eval[int](p, `made.length`) != 0 {
		t.Error("a worker is made before anybody asks")
	}
	p.openLayouts()
	p.lists("Nothing fits 1 device.")
	p.fill("devices", "8")
	p.lists("over 8 devices fit")
	eval[bool](p, `(`+list+`.querySelector("tbody details").open = true)`)
	n := eval[int](p, `answers.length`)
	p.fill("seq", "2048")
	p.is("it is looked for again", `answers.length > `+strconv.Itoa(n))
	p.lists("over 8 devices fit")
	p.is("what was opened stays open", list+`.querySelector("tbody details").open`)
	p.is("the page has written its own regions", `regions.length > 0`)
	p.is("it says nothing more", `document.querySelector('[data-region="layouts"]').closest("details").querySelector(".said").textContent === ""`)
	eval[bool](p, `(`+list+`.closest("details").open = false, true)`)
	n = eval[int](p, `answers.length`)
	before := eval[int](p, `asked`)
	p.fill("seq", "4096")
	p.is("the page has decided whether to look", list+`.style.visibility === "hidden"`)
	if eval[int](p, `asked`) != before {
		t.Error("it is looked for while the list is closed")
	}
	p.openLayouts()
	p.is("it is looked for when it is opened", `answers.length > `+strconv.Itoa(n))
	p.lists("over 8 devices fit")
	if got := eval[[]string](p, `made`); len(got) != 1 {
		t.Errorf("workers %q, want one", got)
	}
	if eval[bool](p, `regions.includes("layouts")`) {
		t.Error("the page's own program looks for layouts")
	}
	if eval[bool](p, `performance.getEntriesByType("resource").some((r) => r.name.includes("explain"))`) {
		t.Error("the page loads the program that the worker has")
	}
}

func layoutsSuperseded(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.wake()
	eval[bool](p, spy)
	eval[bool](p, `(document.querySelector("#training .peak").open = false, hold = true)`) // the same worker counts the peak
	p.openLayouts()
	said := list + `.closest("details").querySelector(".said").textContent`
	p.is("it says that it looks", said+` === "Looking."`)
	p.is("the worker has answered", `held.length === 1`)
	p.fill("devices", "8")
	p.is("the page has another answer", `regions.length > 0`)
	eval[bool](p, `(() => { window.seen = []; new MutationObserver(() => seen.push(`+list+`.textContent)).observe(`+list+`, { childList: true, subtree: true, characterData: true }); held.shift()(); return true })()`)
	p.is("the newer question is asked", `held.length === 1`)
	if got := eval[int](p, `seen.length`); got != 0 {
		t.Errorf("the list shows the answer to the question before: %q", eval[[]string](p, `seen`)[0])
	}
	p.is("it still looks", said+` === "Looking."`)
	eval[bool](p, `(hold = false, held.shift()(), true)`)
	p.lists("over 8 devices fit")
	// A list that is there goes out of sight as soon as the page has another answer.
	eval[bool](p, `(hold = true)`)
	p.fill("devices", "16")
	p.is("the old list is out of sight", `!`+list+`.checkVisibility({ visibilityProperty: true }) && `+said+` === "Looking."`)
	p.is("the worker has answered", `held.length === 1`)
	eval[bool](p, `(held.shift()(), true)`)
	p.lists("over 16 devices fit")
}

func layoutsLost(t *testing.T, url string) {
	p := open(t, url, "/")
	p.expected = "404"
	p.ready()
	p.wake()
	said := list + `.closest("details").querySelector(".said").textContent`
	eval[bool](p, `(window.Original = Worker, window.Worker = class { constructor() { throw new Error("no workers here"); } }, true)`)
	p.openLayouts()
	p.is("it says why there is none", said+`.includes("no workers here")`)
	eval[bool](p, `(window.Worker = class extends Original { constructor() { super("/assets/nothing.js"); } }, true)`)
	p.fill("devices", "8")
	p.is("it says that it did not load", said+`.includes("did not load")`)
	eval[bool](p, `(window.Worker = Original, `+list+`.closest("details").open = false, true)`)
	p.openLayouts()
	p.lists("over 8 devices fit")
}
