package site_test

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// TestMountain looks at the picture of memory over a step.
func TestMountain(t *testing.T) {
	flows(t, []flow{
		{"every area has its colour and its name", areasToldApart},
		{"a finger goes over the moments", momentTapped},
	})
}

// mountain opens a picture.
func (p *page) mountain(name string) {
	p.t.Helper()
	p.ready()
	p.wake()
	p.is("it can be opened", `document.querySelector('details.chart[data-name="`+name+`"] > summary')`)
	eval[bool](p, `(() => { const d = document.querySelector('details.chart[data-name="`+name+`"]'); d.open = true; d.scrollIntoView({ block: "center", behavior: "instant" }); return true })()`) // one that is open from the start is drawn when it is in sight
	p.is("it is drawn", `[...document.querySelectorAll('[data-region="`+name+`"] svg.chart')].some((s) => s.checkVisibility())`)
	p.is("it is dressed", `document.querySelector('[data-region="`+name+`"] .moment output')?.textContent && getComputedStyle(document.querySelector('[data-region="`+name+`"] .key')).display === "grid"`)
}

// near lists the areas of a picture that are less than a distance apart in OKLab, from each other or from the ground; a just noticeable
// difference is about 0.02.
const near = `(name, least) => {
	const lab = (colour) => {
		const n = colour.match(/[\d.]+/g).map(Number).slice(0, 3), of = colour.startsWith("rgb") ? 255 : 1;
		const [r, g, b] = n.map((c) => (c / of <= .04045 ? c / of / 12.92 : ((c / of + .055) / 1.055) ** 2.4));
		const [l, m, s] = [.4122214708 * r + .5363325363 * g + .0514459929 * b, .2119034982 * r + .6806995451 * g + .1073969566 * b, .0883024619 * r + .2817188376 * g + .6299787005 * b].map(Math.cbrt);
		return [.2104542553 * l + .793617785 * m - .0040720468 * s, 1.9779984951 * l - 2.428592205 * m + .4505937099 * s, .0259040371 * l + .7827717662 * m - .808675766 * s];
	};
	const graph = document.querySelector('[data-region="' + name + '"] .graph');
	const svg = [...graph.querySelectorAll("svg.chart")].find((s) => s.checkVisibility());
	const drawn = [...svg.querySelectorAll("path.fill")].map((path) => [path.textContent, getComputedStyle(path).fill]);
	const named = [...graph.querySelectorAll(".key li")].map((li) => [li.lastChild.textContent.trim(), getComputedStyle(li.querySelector("path")).fill]);
	const found = JSON.stringify(drawn) === JSON.stringify(named) ? [] : ["drawn " + JSON.stringify(drawn) + ", named " + JSON.stringify(named)];
	const all = [...drawn, ["the ground", getComputedStyle(document.body).backgroundColor]];
	if (/, 0\)$/.test(all.at(-1)[1])) all.at(-1)[1] = "rgb(255, 255, 255)";
	all.forEach(([a, x], i) => all.slice(i + 1).forEach(([b, y]) => {
		const far = Math.hypot(...lab(x).map((v, j) => v - lab(y)[j]));
		if (!(far >= least)) found.push(a + " and " + b + ": " + far.toFixed(3));
	}));
	return drawn.length > 2 ? found : ["only " + drawn.length + " areas are drawn"];
}`

func areasToldApart(t *testing.T, url string) {
	for _, c := range []struct{ name, link string }{
		{"step", "/?v=1&dp=8&zero=3&program=torchtitan#training"},
		{"step", "/?v=1&method=grpo&reference=on&lora-rank=8&dp=8&zero=3&rollouts=8#training"},
		{"step", "/?v=1&lora-rank=16&recompute=full#training"},
		{"prefill", "/?v=1&prompt=8192"},
	} {
		p := open(t, url, c.link)
		p.mountain(c.name)
		look := func(form string) {
			for _, width := range []int64{1280, 390} {
				p.size(width, 800)
				if found := eval[[]string](p, `(`+near+`)("`+c.name+`", .055)`); len(found) > 0 {
					t.Errorf("%s, %s, %d wide: %s", c.link, form, width, strings.Join(found, "; "))
				}
			}
		}
		look("light")
		p.media("prefers-color-scheme", "dark")
		look("dark")
		p.media("prefers-color-scheme", "light")
		eval[string](p, `(document.documentElement.dataset.theme = "dark")`)
		look("dark by choice")
		p.medium("print")
		look("on paper, from a dark page")
		p.close()
	}
}

func momentTapped(t *testing.T, url string) {
	p := open(t, url, "/#training", func(p *page) { p.size(390, 844) })
	p.mountain("step")
	const said = `document.querySelector('[data-region="step"] .moment output').textContent`
	p.is("it begins at its peak", said+`.startsWith("optimizer's step")`)
	at := eval[[]float64](p, `(() => { const s = [...document.querySelectorAll('[data-region="step"] svg.chart')].find((s) => s.checkVisibility()); s.scrollIntoView({ block: "center", behavior: "instant" }); const r = s.getBoundingClientRect(); return [r.x + r.width * .3, r.y + r.height / 2] })()`)
	for _, do := range []input.DispatchTouchEventParams{{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: at[0], Y: at[1]}}}, {Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}}} {
		if _, err := chromedp.Call(p.tab, input.DispatchTouchEvent, do); err != nil {
			t.Fatal(err)
		}
	}
	p.is("a tap shows the moment", said+`.startsWith("forward, layer ")`)
	// Five numbers for each parameter, and the lists that foreach makes; with the step in one kernel without them: 20 and 16 bytes of
	// each of 8.03 B, and what the loss holds.
	p.fill("optimizer-kernel", "fused")
	p.is("a change is followed, and said", said+`.includes("The peak was 161 GB, optimizer's step.")`)
}
