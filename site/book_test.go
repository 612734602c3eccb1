package site_test

import (
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"llmsize/build/project"
	"llmsize/build/serve"
	"llmsize/build/toolchain"
)

// TestTexts builds the whole site and opens every chapter and every page beside the chapters, as published but without script:
// nothing is wider than a small phone or a sheet of paper, with all that is folded open, drawings can be
// read on the phone, and paper has no controls. The check
// finds nothing either: no broken link, no number that nobody vouches for, no figure without a link, nothing over its budget of bytes.
func TestTexts(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the site")
	}
	host(t) // which makes the programs
	root, err := toolchain.Root(".")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := project.New(root, filepath.Join(t.TempDir(), "dist"), "https://example.org")
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := whole.Build(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("the check", func(t *testing.T) {
		t.Parallel()
		findings, _, err := whole.Check(out)
		if err != nil {
			t.Fatal(err)
		}
		for _, finding := range findings {
			t.Error(finding)
		}
	})
	server := httptest.NewServer(serve.Handler(whole.Dist, serve.Options{}))
	t.Cleanup(server.Close)
	var texts []string
	for _, text := range out.Pages {
		if text.Kind == "chapter" || text.Kind == "page" {
			texts = append(texts, text.Path)
		}
	}
	const tabs = 4 // each goes from text to text, as a reader does
	for n := range tabs {
		t.Run(fmt.Sprint("texts, tab ", n), func(t *testing.T) {
			t.Parallel()
			var p *page
			for i := n; i < len(texts); i += tabs {
				if p == nil {
					p = open(t, server.URL, texts[i], scriptless, func(p *page) { p.size(320, 800) })
				} else {
					eval[bool](p, `(document.body.remove(), true)`) // else what was read is laid out again for the next one's screen
					p.medium("screen")
					p.size(320, 800)
					p.visit(texts[i])
				}
				whole := p.t
				t.Run(texts[i], func(t *testing.T) {
					p.t = t
					p.fits()
				})
				p.t = whole
			}
		})
	}
	t.Run("a family's drawing comes when its row is opened", func(t *testing.T) {
		t.Parallel()
		p := open(t, server.URL, "/every-architecture/")
		p.is("none is loaded before", `document.querySelector("[data-catalogue] .sort") && document.querySelectorAll("a.drawn").length > 700 && !document.querySelector(".catalogue img")`)
		eval[bool](p, `document.querySelector(".tree summary").click() ?? true`)
		p.is("it is there, as wide as the list", `(() => { const i = document.querySelector("tr:has(.tree[open]) + .below img"); return i?.naturalWidth > 100 && i.alt && i.clientWidth > 700 })()`)
		eval[bool](p, `document.querySelector(".tree summary").click() ?? true`)
		p.is("it goes with its row", `document.querySelector(".below").hidden`)
		// The lists of a page find for each other, by names and not by what a family is built on, and after sorting too.
		eval[bool](p, `document.querySelector(".sort").click() ?? true`)
		eval[bool](p, `(() => { const f = document.querySelector("[data-filter]"); f.value = "bitnet"; return f.dispatchEvent(new Event("input")) })()`)
		p.is("the rows are found", `(() => { const rows = [...document.querySelector("[data-catalogue]").querySelectorAll("tbody tr:not([hidden])")]; return rows.length > 0 && rows.length < 9 && rows.every((r) => /bitnet/i.test(r.textContent)) })()`)
		eval[bool](p, `(() => { const f = document.querySelector("[data-filter]"); f.value = "vivit"; return f.dispatchEvent(new Event("input")) })()`)
		p.is("another list has it", `document.querySelector('[data-filtered] a[href="#vision"]')?.textContent === "1 in Vision"`)
		eval[bool](p, `document.querySelector('[data-filtered] a[href="#vision"]').click() ?? true`)
		p.is("which shows it", `[...document.querySelectorAll("[data-catalogue]")].some((l) => l.querySelector("[data-filtered]").textContent.startsWith("1 of ") && l.querySelector("tbody tr:not([hidden]) summary").textContent === "ViViT")`)
	})
	t.Run("the words that readers bring find what they mean", func(t *testing.T) {
		t.Parallel()
		p := open(t, server.URL, "/")
		p.keys("/")
		for _, c := range [][2]string{
			{"vram", `path.startsWith("/memory-to-run/")`}, {"quantization", `path.startsWith("/low-precision") || /quanti|weights/i.test(text)`},
			{"quantisation", `path.startsWith("/low-precision") || /quanti|weights/i.test(text)`}, {"fit", `/fit/i.test(text)`}, {"blog", `path === "/contents/"`},
			{"llama3", `first && path.startsWith("/models/llama-3")`}, {"mixtral 22", `first && path === "/models/mixtral-8x22b/"`},
		} {
			p.is(c[0]+" is searched", `(() => { const f = document.querySelector("dialog.search input"); f.value = "`+c[0]+`"; f.dispatchEvent(new Event("input")); return true })()`)
			p.is(c[0]+" finds it", `[...document.querySelectorAll("dialog.search li a")].slice(0, 8).some((a, i) => { const first = i === 0, path = a.pathname, text = a.textContent; return `+c[1]+` })`)
		}
	})
	if len(texts) < 20 {
		t.Errorf("%d texts", len(texts))
	}
}

// fits reports what is wider than a small phone or a sheet, what a phone cannot show, and controls on paper. The screen is a phone's.
func (p *page) fits() {
	p.t.Helper()
	eval[bool](p, unfolded)
	if got := eval[int64](p, `document.documentElement.scrollWidth`); got > 320 {
		p.t.Errorf("%d wide on a screen of 320", got)
	}
	p.legible()
	sheet := int64(672) // A4 less its margins
	p.size(sheet, 950)
	p.medium("print")
	if eval[string](p, `getComputedStyle(document.body).page`) == "wide" {
		sheet = 1000 // turned, for the widest tables
		p.size(sheet, 950)
	}
	if got := eval[int64](p, `document.documentElement.scrollWidth`); got > sheet {
		p.t.Errorf("%d wide on paper of %d", got, sheet)
	}
	if got := eval[string](p, `[...document.querySelectorAll("button, input, select, .cite, [data-contents]")].filter((e) => e.checkVisibility()).map((e) => e.outerHTML.slice(0, 60)).join()`); got != "" {
		p.t.Errorf("paper has %s", got)
	}
}

// legible reports drawings whose writing is too small to read, or runs into other writing.
func (p *page) legible() {
	p.t.Helper()
	if found := eval[string](p, `(() => {
		const found = [];
		for (const svg of document.querySelectorAll("svg")) {
			const boxes = [];
			for (const text of svg.querySelectorAll("text")) {
				if (!text.checkVisibility()) continue;
				const m = text.getScreenCTM(), size = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(m.a, m.b), box = text.getBoundingClientRect();
				if (size < 8.5) found.push(text.textContent + " is set in " + size.toFixed(1) + " px");
				for (const [other, o] of boxes)
					if (Math.min(box.right, o.right) - Math.max(box.left, o.left) > 3 && Math.min(box.bottom, o.bottom) - Math.max(box.top, o.top) > 5) found.push(text.textContent + " is written over " + other);
				boxes.push([text.textContent, box]);
			}
		}
		return found.join("; ");
	})()`); found != "" {
		p.t.Errorf("%s", found)
	}
}
