package site_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// failing makes what is fetched fail for addresses that a pattern matches, until mend() is called: a
// status of 503, a file of which half arrived, or, for "none", a browser without WebAssembly. What is
// copied is kept in copied.
func failing(how, pattern string) func(p *page) {
	return func(p *page) {
		p.first(`globalThis.copied = []; navigator.clipboard.writeText = async (text) => { copied.push(text); };`)
		if how == "none" {
			p.first(`delete globalThis.WebAssembly;`)
			return
		}
		p.first(`const real = fetch; let broken = true; globalThis.mend = () => { broken = false; return true; };
			globalThis.fetch = async (address, ...rest) => {
				if (!broken || !` + pattern + `.test(String(address?.url ?? address))) return real(address, ...rest);
				if ("` + how + `" === "503") return new Response("", { status: 503 });
				const whole = await (await real(address, ...rest)).arrayBuffer();
				return new Response(whole.slice(0, whole.byteLength / 2), { headers: { "content-type": "application/wasm" } });
			};`)
	}
}

// unanswered checks that the page shows an answer as that of another question, which it names, and copies nothing of it.
func (p *page) unanswered(shown string) {
	p.t.Helper()
	p.is("it is said whose answer is shown", `getComputedStyle(document.querySelector(".answer"), "::before").content.includes(`+quote(shown)+`) && document.querySelector(".calc").matches(".stale")`)
	p.is("it is not called exact, nor shown at full strength", `!`+inSight(".answer .status")+` && getComputedStyle(document.querySelector(".answer .exactly")).color === getComputedStyle(document.querySelector(".answer .quiet")).color`)
	p.is("all can be copied", `document.querySelectorAll("[data-copy]").length > 3`)
	eval[bool](p, `(() => {
		for (const b of [...document.querySelectorAll(".calc button")].filter((b) => /^(Copy|Share)/.test(b.textContent))) b.click();
		return true;
	})()`)
	p.calm()
	if got := eval[[]string](p, "copied"); len(got) > 0 {
		p.t.Errorf("copied: %q", got)
	}
	p.is("that nothing is copied is said", `[...document.querySelectorAll(".answer [data-said]")].some((e) => e.textContent.startsWith("Not copied: your question has no answer"))`)
}

// unloaded: where a program or a file cannot be loaded, the answer that the page was built with, or that of an earlier
// question, does not pass for that of the question which is asked.
func unloaded(t *testing.T, url string) {
	for _, how := range []string{"503", "half", "none"} {
		t.Run(how, func(t *testing.T) {
			p := open(t, url, "/?v=1&model=gpt2&context=1024", failing(how, `/\/(calc|lenses)-/`))
			p.is("the reason is said", `/^The counting program could not be loaded: .+/.test(document.querySelector("[data-problems]").textContent)`)
			p.wake() // more ways to copy
			p.unanswered("Llama 3.1 8B.")
			if how == "none" {
				return
			}
			eval[bool](p, `mend()`)
			p.fill("context", "512")
			p.counts(strconv.Itoa(gpt2))
			p.is("it is the question's", `!document.querySelector(".stale") && `+inSight(".answer .status"))
			p.click(`[data-copy="number"]`)
			p.is("it is copied", `copied.length === 1 && copied[0] === "`+strconv.Itoa(gpt2)+`"`)
		})
	}
	t.Run("the larger program answers for the small one", func(t *testing.T) {
		p := open(t, url, "/?v=1&model=gpt2&context=1024", gates, failing("503", `/\/calc-/`))
		p.is("the small one has failed", `document.querySelector(".calc.waiting")`)
		eval[bool](p, `open_lenses()`)
		p.counts(strconv.Itoa(gpt2))
		p.is("nothing is lacking", `!document.querySelector(".stale, .waiting") && document.querySelector("[data-problems]").textContent === "" && `+inSight(".verdict"))
	})
	t.Run("an edit", func(t *testing.T) {
		p := open(t, url, "/", failing("503", `/\/calc-/`))
		p.is("the script is there", `document.querySelector("[data-calculator]").calculator`)
		p.click(`[data-copy="number"]`)
		p.is("the page's own answer is copied", `copied[0] === "`+strconv.Itoa(llama)+`"`)
		eval[bool](p, `(copied.length = 0) === 0`)
		p.fill("context", "4096")
		p.is("the reason is said", `document.querySelector("[data-problems]").textContent.includes("status 503")`)
		p.unanswered("Llama 3.1 8B.")
	})
	for _, c := range []struct{ link, pattern, said string }{
		{"/?v=1&model=gpt2&weights=q4_k_m", `/\/lenses-/`, "The larger counting program could not be loaded"},
		{"/?v=1&model=gpt2&set.model_type=gpt_neo", `/\/families-/`, "This kind of model could not be loaded"},
		{"/?v=1&model=gpt2", `/gpt2.config\.json/`, "The config of gpt2 could not be loaded"},
		{"/?v=1&model=gpt2", `/\/models-/`, "The list of models could not be loaded"},
		{"/?v=1&model=gpt5000", `/nothing/`, "No model of the catalogue is called gpt5000"},
		{"/?v=1&model=gpt5000" + strings.Repeat("0", 90_000), `/nothing/`, "is called gpt5000" + strings.Repeat("0", 52) + "…."}, // 59 of its letters
		{"/?v=1&set.num_hidden_layers=-1", `/nothing/`, "num_hidden_layers must be 1 or more"},
		{"/#config=x", `/nothing/`, "config"},
	} {
		t.Run(c.said, func(t *testing.T) {
			p := open(t, url, c.link, failing("503", c.pattern))
			if strings.Contains(c.link, "gpt5000") {
				p.expected = "status of 4" // its config is asked for before it is known that there is none; of a long name, 431
			}
			p.is("the reason is said", fmt.Sprintf(`[...document.querySelectorAll(".error, [data-problems]")].some((e) => e.textContent.includes(%q))`, c.said))
			p.unanswered("Llama 3.1 8B.")
		})
	}
	t.Run("a model that is not there", func(t *testing.T) {
		p := open(t, url, "/?v=1&context=4096", failing("503", `/nothing/`))
		p.counts(strconv.Itoa(llama))
		p.ready()
		p.is("nothing is stale", `!document.querySelector(".stale")`)
		p.fill("model", "gpt-22")
		p.unanswered("Llama 3.1 8B context=4096.")
		p.fill("model", "llama-3.1-8b")
		p.is("the model that was shown is again", `!document.querySelector(".stale")`)
	})
}

// framedNames: whatever a frame is asked, it says what is wrong.
func framedNames(t *testing.T, _, url string) {
	for _, name := range []string{".", "..", "...", "", "%2e", "gpt2/..", "gpt2%2F..%2Fmixtral-8x7b", "%00", "gpt-22"} {
		p := open(t, url, "/embed/?model="+name, func(p *page) { p.expected = "Failed to load" })
		p.is("the mistake is said for "+name, `document.querySelector("[data-problems]").textContent.startsWith("This question has no answer: no model of the catalogue is called")`)
		if said := p.problems(); strings.Contains(said, "null") || strings.Contains(said, "undefined") {
			t.Errorf("%s: %s", name, said)
		}
		p.is("no number is shown", `!`+inSight(".exactly"))
		p.close()
	}
}
