package site_test

import "os"

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
	script, err := os.ReadFile("../node_modules/axe-core/axe.min.js")
	if err != nil {
		p.t.Fatal("axe is not installed, run `npm ci`:", err)
	}
	p.is("what a link asks is answered", `document.documentElement.dataset.asked === undefined`)
	eval[bool](p, "globalThis.axe ?? "+"(() => {"+string(script)+"\n})(); true")
	of := "document"
	if len(part) > 0 {
		of = quote(part[0])
	}
	for _, f := range eval[[]string](p, `axe.run(`+of+`, { resultTypes: ["violations"] }).then((r) => r.violations.map((v) => v.id + ": " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + " — " + (n.any[0]?.message ?? n.all[0]?.message ?? n.none[0]?.message)).join(" | ")))`) {
		p.t.Errorf("axe at %s, %d wide, dark: %t: %s", eval[string](p, "location.pathname"), eval[int64](p, "innerWidth"), eval[bool](p, `matchMedia("(prefers-color-scheme: dark)").matches`), f)
	}
}
