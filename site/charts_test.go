package site_test

import (
	"strconv"
	"strings"
	"testing"
)

// Llama 3.1 8B keeps 131,072 bytes of a token: 1.07 GB of 8,192, 2.15 GB of 16,384.
func chartsOpen(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.wake()
	for _, name := range []string{"size", "kv", "timeline", "roofline", "step"} {
		p.is(name+" can be opened", `document.querySelector('details.chart[data-name="`+name+`"] > summary')`)
	}
	if n := eval[int](p, `document.querySelectorAll("svg.chart").length`); n != 0 {
		t.Errorf("%d charts are drawn although none is open", n)
	}
	openChart := func(name string) {
		eval[bool](p, `(document.querySelector('details.chart[data-name="`+name+`"]').open = true)`)
		p.is(name+" is drawn", `document.querySelector('[data-region="`+name+`"] svg.chart text')?.checkVisibility()`)
	}
	openChart("kv")
	says := func(what string) string {
		return `document.querySelector('[data-region="kv"]').textContent.includes("` + what + `")`
	}
	p.is("the reader's point is there", says("8,192: 1.07 GB"))
	p.is("the device is there", says("NVIDIA H100"))
	p.is("it says what is seen", `document.querySelector('[data-region="kv"] svg.chart').getAttribute("aria-label").includes("At 8,192 tokens it takes 1.07 GB")`)
	p.is("one of the widths is shown", `[...document.querySelectorAll('[data-region="kv"] svg.chart')].filter((s) => s.checkVisibility()).length === 1`)
	p.is("it has its colours", `getComputedStyle(document.querySelector('[data-region="kv"] .l-B')).strokeDasharray !== "none"`)
	p.fill("context", "16384")
	p.is("the chart follows", says("16,384: 2.15 GB"))
	eval[bool](p, `(document.querySelector('[data-region="kv"] .numbers').open = true)`)
	p.is("the numbers are behind it", `document.querySelector('[data-region="kv"] .numbers table').checkVisibility()`)
	for _, name := range []string{"size", "timeline", "roofline", "step"} {
		openChart(name)
	}
	const moment = `document.querySelector('[data-region="step"] .moment`
	p.is("a step begins at its peak", moment+` output')?.textContent.startsWith("optimizer's step: weights 16.1 GB, optimizer states 96.4 GB")`)
	eval[bool](p, `(() => { const s = `+moment+` input'); s.value = "0"; s.dispatchEvent(new Event("input")); return true })()`)
	p.is("another moment says what lives then", moment+` output').textContent.startsWith("forward, embedding: weights 16.1 GB, optimizer states 96.4 GB, ")`)
	p.is("and the line stands there", `[...document.querySelectorAll('[data-region="step"] .cursor')].every((c) => c.getAttribute("d")?.startsWith("M"))`)
	p.is("training leads with its peak", `document.querySelector('#training details.peak [data-region="peak"]').textContent.includes("161 GB")`)
	eval[bool](p, `(document.querySelector('details.chart[data-name="kv"]').open = false, true)`)
	p.fill("context", "4096")
	p.is("the others follow", `document.querySelector('[data-region="timeline"]').textContent.includes("prefill, 4,096 tokens")`)
	p.is("a closed one is left", says("16,384: 2.15 GB"))
	eval[bool](p, `(document.querySelector('details.chart[data-name="kv"]').open = true)`)
	p.is("until it is opened", says("4,096: 537 MB"))
}

func chartOfNothing(t *testing.T, url string) {
	p := open(t, url, "/?v=1&model=bert-base-uncased")
	p.is("BERT is counted", `document.querySelector(".exactly").textContent === "`+strconv.Itoa(109482240)+`" || document.querySelector(".about").textContent.includes("BERT")`)
	p.wake()
	eval[bool](p, `(document.querySelector('details.chart[data-name="kv"]').open = true)`)
	p.is("it says why", `document.querySelector('[data-region="kv"]').textContent.includes("Nothing is kept from one token to the next")`)
}

// The example has every kind; tests of width and of axe see them there.
func chartsInChapters(t *testing.T, url string) {
	for _, width := range []int64{1280, 320} {
		p := open(t, url, "/example/", func(p *page) { p.size(width, 800) })
		for _, kind := range []string{"kv", "timeline", "roofline", "step", "size"} {
			p.is(kind+" is drawn", `[...document.querySelectorAll('figure[data-kind="`+kind+`"] svg.chart')].filter((s) => s.checkVisibility()).length === 1`)
		}
		small := eval[[]string](p, `[...document.querySelectorAll("svg.chart text")].filter((t) => t.checkVisibility() && t.getBoundingClientRect().height < 11).map((t) => t.textContent)`)
		if len(small) > 0 {
			t.Errorf("at %d these are too small to read: %s", width, strings.Join(small, ", "))
		}
		out := eval[[]string](p, `[...document.querySelectorAll("svg.chart")].filter((s) => s.checkVisibility()).flatMap((s) => { const b = s.getBoundingClientRect(); return [...s.querySelectorAll("text")].filter((t) => { const r = t.getBoundingClientRect(); return r.right > Math.min(b.right + 1, innerWidth) || r.left < b.left - 1 }).map((t) => t.textContent) })`)
		if len(out) > 0 {
			t.Errorf("at %d these stand outside: %s", width, strings.Join(out, ", "))
		}
		p.close()
	}
}
