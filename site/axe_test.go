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

// What axe is asked about a part of a page: everything but contrast, or contrast alone.
const (
	structure = `(of) => axe.run(of === ":root" ? document : of, { resultTypes: ["violations"], rules: { "color-contrast": { enabled: false } } })`
	contrast  = `(of) => axe.run({ include: (` + contrasted + `)([...document.querySelectorAll(of)]) }, { resultTypes: ["violations"], runOnly: ["color-contrast"] })`
)

// contrasted are the elements of some roots whose contrast is worth asking about. Axe takes three quarters of its time for contrast, for it
// asks what lies below each text. Texts of one look (colour, size and weight, on the same grounds and in the same places) have one
// contrast, so of each look three stand for all: the first, the middle and the last.
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
	for (const e of roots.flatMap((root) => [root, ...root.querySelectorAll("*")])) {
		if (!e.matches("input, select, textarea") && ![...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim())) continue;
		if (!e.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false })) continue;
		const c = getComputedStyle(e), look = [ground(e), c.color, c.fontSize, c.fontWeight, c.textShadow, e.matches(":disabled, :disabled *, [aria-disabled] *")].join();
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

// axeNotices: a fault that is planted is found, though it is one text among hundreds of its look.
func axeNotices(t *testing.T, url string) {
	p := open(t, url, "/answer/")
	eval[bool](p, unfolded)
	const one = `(() => { const all = [...document.querySelectorAll("table.tensors span")].filter((e) => !e.children.length && e.checkVisibility()), e = all[Math.floor(all.length / 3)]; `
	for _, c := range []struct{ plant, question, found string }{
		{one + `e.style.color = "rgb(128 128 128 / .4)"; return e })()`, contrast, "color-contrast: <span"},
		{one + `e.style.backgroundColor = "rgb(110 110 110)"; return e })()`, contrast, "color-contrast: <span"},
		{one + `e.style.opacity = ".3"; return e })()`, contrast, "color-contrast: <span"},
		{`(() => { document.documentElement.lang = ""; return document.body })()`, structure, "html-has-lang: <html"},
	} {
		p.is("there is something to plant in", `globalThis.planted = `+c.plant)
		if found := strings.Join(p.violations(c.question, ":root"), "\n"); !strings.Contains(found, c.found) {
			t.Errorf("%s is not noticed: %q", c.plant, found)
		}
		eval[bool](p, `(planted.removeAttribute("style"), true)`)
	}
}
