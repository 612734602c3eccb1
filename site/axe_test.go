package site_test

import "os"

// accessible asks axe about a page, or a part of it, once all of it is laid out.
func (p *page) accessible(part ...string) {
	p.t.Helper()
	script, err := os.ReadFile("../node_modules/axe-core/axe.min.js")
	if err != nil {
		p.t.Skip("axe is not installed, run `npm ci`:", err)
	}
	p.is("what a link asks is answered", `document.documentElement.dataset.asked === undefined`)
	eval[bool](p, `Promise.allSettled(document.getAnimations().map((a) => a.finished)).then(() => true)`)
	eval[bool](p, string(script)+"; true")
	of := "document"
	if len(part) > 0 {
		of = quote(part[0])
	}
	for _, f := range eval[[]string](p, `axe.run(`+of+`).then((r) => r.violations.map((v) => v.id + ": " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + " — " + (n.any[0]?.message ?? n.all[0]?.message ?? n.none[0]?.message)).join(" | ")))`) {
		p.t.Errorf("axe at %s, %d wide, dark: %t: %s", eval[string](p, "location.pathname"), eval[int64](p, "innerWidth"), eval[bool](p, `matchMedia("(prefers-color-scheme: dark)").matches`), f)
	}
}
