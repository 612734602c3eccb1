package site_test

import (
	"strconv"
	"testing"
)

// TestFormulas opens numbers and reads their formulas.
func TestFormulas(t *testing.T) {
	flows(t, []flow{
		{"nothing is loaded before a number is looked at", formulasWait},
		{"an opened number shows its formula set, with values", formulasSet},
		{"rules of thumb are set", formulasOfRules},
		{"an edit changes the digits", formulasFollow},
		{"what is seen is what is heard", formulasHeard},
		{"what is copied is plain", formulasCopied},
		{"without atoms or font the text stays", formulasStayText},
		{"a formula is never wider than its place", formulasNarrow},
		{"letters of formulas light up", formulasLight},
		{"paper has them, light or dark", formulasOnPaper},
		{"axe finds nothing", formulasAxe},
	})
}

// unfold opens all numbers of a region and waits until the first formula of it is set.
func (p *page) unfold(region string) {
	p.t.Helper()
	p.is("the lens "+region+" is counted", `document.querySelector('[data-region="`+region+`"]') && !document.querySelector('[data-region="`+region+`"].behind')`)
	eval[bool](p, `(() => { for (const d of document.querySelectorAll('[data-region="`+region+`"] details')) d.open = true; return true })()`)
	p.is("formulas of "+region+" are set", `document.querySelector('[data-region="`+region+`"] mjx-math mjx-c')`)
}

// shown is a script for what the set formulas of a selector show: plain letters, no spaces.
func shown(selector string) string {
	return `[...document.querySelectorAll('` + selector + `')].map((e) => e.textContent.normalize("NFKC").replaceAll("⋅", "·").replaceAll(/\s/g, ""))`
}

func formulasWait(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.wake()
	p.is("no atoms and no font yet", `!performance.getEntriesByType("resource").some((r) => /formulas|typeset|zero/.test(r.name))`)
	p.hover(`document.querySelector(".bytes summary")`)
	p.is("they come with the pointer", `performance.getEntriesByType("resource").some((r) => /formulas.*woff2/.test(r.name))`)
	p.is("nothing is set yet", `!document.querySelector("mjx-math")`)
}

// The cache of Llama 3.1 8B at 8,192 tokens: 1 sequence, 32 layers, 2 · 8 · 128 = 2,048 elements, 2 bytes:
// 1 · 32 · 8,192 · 2,048 · 2 = 1,073,741,824.
func formulasSet(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.wake()
	p.unfold("bytes")
	for _, c := range [][2]string{{"in-symbols", "b·layers·s·2·k·d·bytes"}, {"in-values", "=1·32·8192·2048·2"}, {"in-sum", "=1073741824bytes"}} {
		p.is(c[1]+" is set", shown(".bytes ."+c[0])+`.includes("`+c[1]+`")`)
	}
	p.is("by MathJax's classes", `document.querySelector(".bytes mjx-math.NCM-N > mjx-mrow mjx-mi.d-s > mjx-c.mjx-c1D460")`)
	p.is("in MathJax's font", `document.fonts.check("16px MJX-NCM-N") && getComputedStyle(document.querySelector("mjx-math")).fontFamily.includes("MJX-NCM-N")`)
	p.is("on the line of the text", `(() => { const b = document.querySelector(".bytes .in-symbols").getBoundingClientRect(); return b.height > 12 && b.height < 40 })()`)
	// A query matrix is [a·d, h] = [32·128, 4096].
	p.unfold("parts")
	p.is("shapes are set", shown(".tensors .in-symbols")+`.join(" ").includes("a·d×h 32·128×4096")`)
}

// 12·L·h² = 12 · 32 · 4,096² = 6,442,450,944.
func formulasOfRules(t *testing.T, url string) {
	p := open(t, url, "/?v=1&mine=6442450944")
	p.ready()
	p.wake()
	p.is("the rule is set", shown(".near .in-symbols")+`.includes("12·L·h2")`)
	p.is("its exponent is one", `document.querySelector(".near mjx-msup > mjx-script")`)
	p.is("words are not", `[...document.querySelectorAll(".near .set-symbols > .symbols")].every((e) => /[·×+=/−]/.test(e.textContent))`)
}

func formulasFollow(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.wake()
	p.unfold("bytes")
	p.unfold("parts")
	p.fill("context", "16384")
	p.is("digits follow", shown(".bytes .in-values")+`.includes("=1·32·16384·2048·2")`)
	p.is("and the result", shown(".bytes .in-sum")+`.includes("=`+strconv.Itoa(1*32*16384*2048*2)+`bytes")`)
	p.fill("set.hidden_size", "8192")
	p.is("shapes follow", shown(".tensors .in-symbols")+`.join(" ").includes("a·d×h 32·256×8192")`)
	p.is("one of each", `[...document.querySelectorAll(".set-symbols")].every((e) => e.querySelectorAll(":scope > .in-symbols").length === 1 && e.querySelectorAll(":scope > .symbols").length === 1)`)
	p.fill("model", "gpt2")
	p.counts(strconv.Itoa(gpt2))
	p.is("another model too", shown(".bytes .in-values")+`.includes("=1·12·16384·1536·2")`) // 2 · 12 heads of 64
}

// What is hidden beside a formula says the same; a fraction's bar is a stroke and parentheses there.
func formulasHeard(t *testing.T, url string) {
	p := open(t, url, "/?v=1&model=deepseek-v3&draft=1")
	p.ready()
	p.wake()
	for _, region := range []string{"bytes", "parts", "running", "compute", "training"} {
		p.unfold(region)
	}
	p.is("all of them", `document.querySelectorAll("mjx-math").length > 100`)
	odd := eval[[]string](p, `(() => {
		const plain = (e) => e.textContent.normalize("NFKC").replaceAll("⋅", "·").replaceAll(/[-\u2212]/g, "-").replaceAll(/[\s/()^]/g, "");
		return ["symbols", "values", "sum"].flatMap((part) => [...document.querySelectorAll(".set-" + part)].map((host) => [host.querySelector(":scope > ." + part), host.querySelector(":scope > .in-" + part)])
			.filter(([text, set]) => !text || !set || plain(text) !== plain(set)).map(([text, set]) => text?.textContent + " | " + set?.textContent)).slice(0, 5);
	})()`)
	for _, o := range odd {
		t.Error("text and formula differ:", o)
	}
	p.is("only the text is heard", `[...document.querySelectorAll(".calc mjx-container")].every((e) => e.getAttribute("aria-hidden") === "true")`)
	p.is("and not seen", `[...document.querySelectorAll(".set-symbols > .symbols, .set-values > .values, .set-sum > .sum")].every((e) => getComputedStyle(e).clipPath !== "none" && e.offsetWidth <= 1)`)
}

func formulasCopied(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.wake()
	p.unfold("bytes")
	p.unfold("running")
	for _, c := range []struct{ what, words, want string }{
		{".formula-line", "layers", "b·layers·s·2·k·d·bytes\n=1·32·8192·2048·2\n=1073741824 bytes"},
		{".in-values", "2048", "=1·32·8192·2048·2"},
		{".formula-line", "memory:", "memory: (weights + cache) / bandwidth = (15.0 GB + 1.07 GB) / (3.35 TB/s) = 4.80 ms"},
	} {
		got := eval[string](p, `(() => {
			const e = [...document.querySelectorAll(".answer `+c.what+`")].findLast((l) => l.textContent.includes("`+c.words+`"));
			getSelection().selectAllChildren(e);
			const event = new ClipboardEvent("copy", { clipboardData: new DataTransfer(), bubbles: true, cancelable: true });
			e.dispatchEvent(event);
			return event.clipboardData.getData("text/plain").trim();
		})()`)
		if got != c.want {
			t.Errorf("copied %q, not %q", got, c.want)
		}
	}
}

func formulasStayText(t *testing.T, url string) {
	for _, gone := range []string{"formulas-*.json", "formulas-*.woff2", "zero-*.woff2", "typeset-*.js"} {
		p := open(t, url, "/")
		p.expected = "Failed to load"
		p.ready()
		p.wake()
		p.without(gone)
		eval[bool](p, `(() => { for (const d of document.querySelectorAll(".bytes details")) d.open = true; return true })()`)
		p.is("it was asked for", `performance.getEntriesByType("resource").some((r) => r.name.includes("formulas"))`)
		p.fill("context", "16384")
		p.is("the answer follows", `document.querySelector(".bytes").textContent.includes("16384")`)
		p.calm()
		p.is("the text is in sight", `[...document.querySelectorAll(".bytes .symbols")].every((e) => e.offsetWidth > 20) && !document.querySelector("mjx-math")`)
		p.close()
	}
}

func formulasNarrow(t *testing.T, url string) {
	for _, path := range []string{"/?v=1&draft=4&served=1000000000&devices=8&tp=2&pp=2", "/?v=1&model=deepseek-v3&draft=1&devices=1024&tp=8&ep=8", "/?v=1&model=t5-v1.1-base", "/models/mamba-130m/"} {
		p := open(t, url, path, func(p *page) { p.size(320, 800) })
		p.ready()
		p.wake()
		for _, region := range []string{"bytes", "parts", "running", "compute", "training"} {
			p.is("the lens "+region, `document.querySelector('[data-region="`+region+`"]:not(.behind)') || scrollBy(0, 400)`)
		}
		eval[bool](p, `(() => { for (const d of document.querySelectorAll(".calc details")) d.open = true; return true })()`)
		for _, width := range []int64{320, 1000} {
			p.size(width, 800)
			p.is("formulas are set", `document.querySelectorAll("mjx-math").length > 10`)
			if got := eval[int64](p, `document.documentElement.scrollWidth`); got > width {
				t.Errorf("%s is %d wide on a screen of %d", path, got, width)
			}
			for _, o := range eval[[]string](p, `[...document.querySelectorAll(".formula-line > mjx-container")].filter((e) => e.scrollWidth > e.clientWidth + 1 || e.getBoundingClientRect().right > e.parentNode.getBoundingClientRect().right + 1).map((e) => e.textContent)`) {
				t.Errorf("%s at %d: out of its box: %s", path, width, o)
			}
		}
		p.close()
	}
}

func formulasLight(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.wake()
	p.unfold("bytes")
	p.hover(`document.querySelector(".bytes mjx-mi.d-k")`)
	p.is("the field of key and value heads lights up", `(() => { const f = document.querySelector('[name="set.num_key_value_heads"]'); return getComputedStyle(f).boxShadow !== "none" })()`)
	p.is("and the letter", `getComputedStyle(document.querySelector(".bytes mjx-mi.d-k")).outlineStyle === "solid"`)
	p.is("in its colour", `getComputedStyle(document.querySelector(".bytes mjx-mi.d-k")).color === getComputedStyle(document.querySelector(".field var.d-k")).color`)
}

func formulasOnPaper(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.wake()
	p.unfold("bytes")
	p.media("prefers-color-scheme", "dark")
	p.is("light glyphs on dark", `(() => { const [r] = getComputedStyle(document.querySelector(".bytes mjx-mn")).color.match(/\d+/g); return r > 150 })()`)
	p.media("forced-colors", "active")
	p.is("and in the system's colours", `document.querySelector(".bytes mjx-c").offsetHeight > 0`)
	p.medium("print")
	p.is("dark glyphs on paper", `(() => { const [r] = getComputedStyle(document.querySelector(".bytes mjx-mn")).color.match(/\d+/g); return r < 100 })()`)
}

func formulasAxe(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.wake()
	for _, region := range []string{"bytes", "parts", "running"} {
		p.unfold(region)
	}
	p.accessibleInAllForms(".answer")
}
