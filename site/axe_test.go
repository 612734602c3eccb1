package site_test

import (
	"os"
	"strings"
	"testing"
)

// accessibleInAllForms asks axe about a page, or a part of it: on a wide light screen, then on a narrow dark one. Its structure
// is read on both, and so is the contrast of either theme's colours.
func (p *page) accessibleInAllForms(part ...string) {
	p.t.Helper()
	for _, form := range []struct {
		width  int64
		scheme string
	}{{1280, "light"}, {320, "dark"}} {
		p.size(form.width, 800)
		p.media("prefers-color-scheme", form.scheme)
		p.calm()
		p.accessible(part...)
	}
}

// accessible asks axe about a page as it stands, or a part of it.
func (p *page) accessible(part ...string) {
	p.t.Helper()
	of := ":root"
	if len(part) > 0 {
		of = part[0]
	}
	for _, question := range []string{structure, contrast} {
		for _, f := range p.violations(question, of) {
			p.t.Errorf("axe at %s, %d wide, dark: %t: %s", eval[string](p, "location.pathname"), eval[int64](p, "innerWidth"), eval[bool](p, `matchMedia("(prefers-color-scheme: dark)").matches`), f)
		}
	}
}

// What axe is asked about a part of a page: everything but colours, or colours alone.
const (
	structure = `(of) => axe.run(of === ":root" ? document : of, { resultTypes: ["violations"], rules: { "color-contrast": { enabled: false }, "link-in-text-block": { enabled: false } } })`
	contrast  = `(of) => axe.run({ include: (` + contrasted + `)([...document.querySelectorAll(of)]) }, { resultTypes: ["violations"], runOnly: ["color-contrast", "link-in-text-block"] })`
)

// contrasted are the elements of some roots whose colours are worth asking about. Axe takes three quarters of its time for colours, for it
// asks what lies below each text, and what stands around each link. Texts of one look (colour, size, weight and line, on the same grounds
// and in the same places; of links, what is around them, too) have one contrast, so of each look three stand for all: the first, the
// middle and the last.
const contrasted = `(roots) => {
	const ids = new Map(), grounds = new Map(), looks = new Map();
	const id = (text) => ids.get(text) ?? (ids.set(text, ids.size), ids.size - 1);
	const ground = (e) => {
		if (!e) return 0;
		if (!grounds.has(e)) {
			const c = getComputedStyle(e);
			grounds.set(e, id([ground(e.parentElement), c.backgroundColor, c.backgroundImage, c.opacity, c.position, c.filter, c.clipPath].join()));
		}
		return grounds.get(e);
	};
	const around = (a) => { // a link's own line and edge, and the text and letters of its place
		const c = getComputedStyle(a), p = getComputedStyle(a.parentElement);
		return [c.textDecoration, c.borderBottom, c.display, p.color, p.display, p.fontWeight, a.parentElement.textContent.trim() === a.textContent.trim()];
	};
	for (const e of roots.flatMap((root) => [root, ...root.querySelectorAll("*")])) {
		if (!e.matches("input, select, textarea") && ![...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim())) continue;
		if (!e.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false })) continue;
		const c = getComputedStyle(e), look = [ground(e), c.color, c.fontSize, c.fontWeight, c.textShadow, e.matches(":disabled, :disabled *, [aria-disabled] *"), e.matches("a *, a") && around(e.closest("a"))].join();
		looks.set(look, [...(looks.get(look) ?? []), e]);
	}
	return [...looks.values()].flatMap((all) => [...new Set([all[0], all[all.length >> 1], all.at(-1)])]);
}`

// violations are what axe answers to a question about a part of the page as it stands.
func (p *page) violations(question, of string) []string {
	p.t.Helper()
	script, err := os.ReadFile("../node_modules/axe-core/axe.min.js")
	if err != nil {
		p.t.Fatal("axe is not installed, run `npm ci`:", err)
	}
	p.is("what a link asks is answered", `document.documentElement.dataset.asked === undefined`)
	if !eval[bool](p, `"axe" in globalThis`) {
		eval[bool](p, "(() => {"+string(script)+"\n})(); true")
	}
	return eval[[]string](p, `(`+question+`)(`+quote(of)+`).then(({ violations }) => violations.map((v) => v.id + ": " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + " — " + (n.any[0]?.message ?? n.all[0]?.message ?? n.none[0]?.message)).join(" | ")))`)
}

// axeNotices: faults that are planted are found, though each is one text among hundreds of its look.
func axeNotices(t *testing.T, url string) {
	p := open(t, url, "/answer/")
	eval[bool](p, unfolded)
	planted := eval[int](p, `(() => {
		const all = [...document.querySelectorAll("table.tensors span")].filter((e) => e.textContent.length > 2 && !e.children.length && e.checkVisibility()); // axe is unsure of one letter
		const link = [...document.querySelectorAll("main p a")].find((a) => a.checkVisibility() && a.parentElement.textContent.length > a.textContent.length + 30);
		const faults = [["color", "rgb(128 128 128 / .4)"], ["backgroundColor", "rgb(110 110 110)"], ["opacity", ".3"]].map(([name, value], i) => [all[Math.floor(all.length * (i + 2) / 6)], name, value]);
		faults.push([link, "textDecoration", "none"], [link, "color", "rgb(70 70 70)"], [link, "borderBottom", "none"]);
		for (const [e, name, value] of faults) e.style[name] = value;
		return new Set(faults.map(([e]) => e)).size;
	})()`)
	if planted != 4 {
		t.Fatalf("%d elements to plant in", planted)
	}
	eval[string](p, `(document.documentElement.lang = "")`)
	for _, c := range []struct {
		question string
		found    []string
	}{
		{contrast, []string{`color-contrast: `, ` style="color: `, ` style="background-color: `, ` style="opacity: `, `link-in-text-block: <a `}},
		{structure, []string{`html-has-lang: <html`}},
	} {
		all := strings.Join(p.violations(c.question, ":root"), "\n")
		for _, found := range c.found {
			if !strings.Contains(all, found) {
				t.Errorf("%s is not noticed: %q", found, all)
			}
		}
	}
}
