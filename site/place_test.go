package site_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// placed: what is below the first screen is laid out after it, but whoever follows a link to a place, loads the page
// again or comes back stands where they should.
func placed(t *testing.T, url string) {
	const all = `Promise.allSettled(document.getAnimations().map((a) => a.finished)).then(() => document.getAnimations().length === 0)`
	for _, place := range []string{"/#compute", "/#training", "/models/deepseek-v3/#sources"} {
		p := open(t, url, place)
		p.is("the link's place is on the screen", `(() => { const { top } = document.querySelector(location.hash).getBoundingClientRect(); return top >= 0 && top < innerHeight - 100 })()`)
		p.close()
	}
	p := open(t, url, "/")
	p.is("what is below comes later", `document.getAnimations().some((a) => a.animationName === "follow")`)
	eval[bool](p, all)
	p.is("and comes", `document.querySelector("#running .bytes").checkVisibility()`)
	const top = `document.querySelector("#running").getBoundingClientRect().top`
	before := eval[float64](p, `(document.querySelector("#running").scrollIntoView(), `+top+`)`)
	for what, act := range map[string]chromedp.Action[chromedp.Void]{"loaded again": chromedp.Reload(), "come back to": chromedp.NavigateBack()} {
		if what == "come back to" {
			p.visit("/404.html")
			p.expected = "404"
		}
		if err := chromedp.Do(p.tab, act); err != nil {
			t.Fatal(err)
		}
		eval[bool](p, all)
		p.is("the page "+what+" is where it was", fmt.Sprintf("Math.abs(%s - %f) < 200", top, before))
	}
}
