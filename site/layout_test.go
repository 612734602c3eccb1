package site_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

func shifts(t *testing.T, url string) {
	pages := []string{"/", "/models/", "/models/deepseek-v3/", "/example/"}
	links := []string{"/?v=1&model=gpt2", "/?v=1&model=deepseek-v3&context=32768", "/models/gpt2/?v=1&context=512", "/?v=1&vs=gpt2", "/?v=1&mine=7000000000", "/?v=1&kontext=5", "/?v=1&device=4090", "/?v=1&memory=24000000000&bandwidth=900000000000"}
	for _, size := range [][2]int64{{1280, 800}, {390, 844}, {1440, 2400}} {
		paths := pages
		if size[1] < 2000 { // else lenses are on the first screen, and come a little later than the rest of a link's answer
			paths = slices.Concat(pages, links)
		}
		for _, path := range paths {
			t.Run(fmt.Sprint(size[0], " ", path), func(t *testing.T) {
				t.Parallel()
				p := open(t, url, path, func(p *page) { p.size(size[0], size[1]) })
				if path != "/models/" {
					p.ready()
				}
				p.is("a link's question is answered", `document.documentElement.dataset.asked === undefined && ![...document.querySelectorAll(":is(.lens, .aside) :is(.behind, .due)")].some((e) => e.checkVisibility())`)
				p.calm()
				p.wake() // the first move brings what is beside the answer
				p.calm()
				if moved := p.moved(); moved != "" {
					t.Errorf("the layout shifts by %s", moved)
				}
			})
		}
	}
}

// moved is what has shifted since the page began, and by how much; empty when it is 0.000, as it is told.
func (p *page) moved() string {
	p.t.Helper()
	return eval[string](p, `new Promise((done) => {
		const all = [];
		let sum = 0;
		new PerformanceObserver((l) => {
			for (const e of l.getEntries()) sum += e.value, all.push(e.value.toFixed(4) + " at " + e.startTime.toFixed(), ...e.sources.map((s) => [s.previousRect, s.currentRect].map((r) => [r.x, r.y, r.width, r.height].map(Math.round).join(",")).join(" to ") + " " + (s.node?.closest ? s.node : s.node?.parentElement)?.outerHTML.slice(0, 80)));
		}).observe({ type: "layout-shift", buffered: true });
		// What was observed before is handed over in a task of its own.
		requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(() => setTimeout(() => done(sum < .0005 ? "" : all.join(" "))))));
	})`)
}

// unmoved: what the published files hold is said of a model as it is, and not of an edited one; its place is beside the count, which is
// higher.
func unmoved(t *testing.T, url string) {
	p := open(t, url, "/models/deepseek-v3/")
	p.ready()
	p.size(1280, 800)
	p.is("the fact is there", `document.querySelector(".published")`)
	const top = `document.querySelector(".blueprint").getBoundingClientRect().top + scrollY`
	before := eval[float64](p, top)
	p.fill("set.hidden_size", "8192")
	p.is("the fact is gone", `!document.querySelector(".published")`)
	if after := eval[float64](p, top); after != before {
		t.Errorf("the drawing moves from %.1f to %.1f", before, after)
	}
}

// wholeNames: the question's own words are read whole.
func wholeNames(t *testing.T, url string) {
	for path, widths := range map[string][]int64{"/": {1440, 1280, 1100, 768, 390, 320}, "/models/deepseek-v3/": {1280, 768}} { // "as published (fp8-block)" is a long one
		p := open(t, url, path)
		for _, width := range widths {
			p.size(width, 844)
			p.calm()
			if cut := eval[string](p, `[...document.querySelectorAll(".sentence input")].filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth).map((e) => e.value).join()`); cut != "" {
				t.Errorf("%s: on %d pixels %s is cut", path, width, cut)
			}
			if cut := eval[bool](p, `(() => {
				const e = document.querySelector(".sentence select"), style = getComputedStyle(e), pen = document.createElement("canvas").getContext("2d");
				pen.font = `+"`${style.fontWeight} ${style.fontSize} ${style.fontFamily}`"+`;
				return e.checkVisibility() && pen.measureText(e.selectedOptions[0].text).width + parseFloat(style.paddingLeft) + 20 > e.clientWidth; // 20 for the arrow
			})()`); cut {
				t.Errorf("%s: on %d pixels the format is cut", path, width)
			}
		}
		p.close()
	}
	p := open(t, url, "/?v=1&context=131072&devices=64")
	p.is("the link is answered", `document.querySelector(".verdict").textContent.startsWith("Fits")`)
	p.size(320, 844)
	p.is("a long context is whole on a phone", `(({ value, scrollWidth, clientWidth }) => value === "131,072" && scrollWidth <= clientWidth)(document.querySelector('[name="context"]'))`)
	for width := int64(768); width < 1600; width += 64 {
		p.size(width, 844)
		p.calm()
		if apart := eval[string](p, `[...document.querySelectorAll(".sentence > i")].filter((i) => Math.abs(i.getBoundingClientRect().bottom - i.nextElementSibling.getBoundingClientRect().bottom) > 2).map((i) => i.textContent + " " + i.nextElementSibling.dataset.field).join()`); apart != "" {
			t.Errorf("on %d pixels a line ends between %s", width, apart)
		}
	}
}

// firstScreen: on a phone both pickers, the verdict and the memory bar are on the first screen, and a line of them stays in sight.
func firstScreen(t *testing.T, url string) {
	p := open(t, url, "/", func(p *page) { p.size(390, 844) })
	p.ready()
	for _, what := range []string{`[name="model"]`, `[name="device"]`, ".verdict", "svg.memory.narrow"} {
		p.is(what+" is on it", `(() => { const b = document.querySelector('`+what+`').getBoundingClientRect(); return b.height > 0 && b.bottom < 600 })()`)
	}
	p.is("the context comes next", `document.querySelector('[name="context"]').getBoundingClientRect().top > document.querySelector("svg.memory.narrow").getBoundingClientRect().bottom`)
	eval[bool](p, `document.querySelector('[name="model"]').focus() ?? true`)
	for _, next := range []string{"device", "context"} {
		p.keys(kb.Tab)
		p.is("by Tab "+next+" comes next, as it stands", `document.activeElement.name === "`+next+`"`)
	}
	eval[bool](p, `document.querySelector('[data-apply="weights=q4_k_m"]').click() ?? true`)
	p.is("a format is a tap", `location.search === "?v=1&weights=q4_k_m" && document.querySelector('[data-apply="weights=q4_k_m"]').ariaPressed === "true"`)
	p.is("the bar in small is at the foot", `(() => { const b = document.querySelector(".slim").getBoundingClientRect(); return b.bottom > innerHeight - 2 && b.height < 80 && document.querySelector(".slim svg").checkVisibility() })()`)
}

// narrow: pages fit on screens from 320 pixels on, whatever is open.
func narrow(t *testing.T, url string) {
	for _, path := range []string{"/", "/models/", "/models/deepseek-v3/", "/models/t5-v1.1-base/", "/example/", "/404.html"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			p := open(t, url, path)
			eval[bool](p, unfolded)
			for _, width := range []int64{320, 640, 1000, 1280} {
				p.size(width, 800)
				p.calm()
				if got := eval[int64](p, `document.documentElement.scrollWidth`); got > width {
					t.Errorf("%d wide on a screen of %d", got, width)
				}
				if width == 320 {
					p.legible()
				}
			}
		})
	}
}
