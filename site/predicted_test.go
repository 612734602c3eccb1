package site_test

import "testing"

// TestPredicted opens what is predicted, asks about users, and names an engine that there is not.
func TestPredicted(t *testing.T) {
	flows(t, []flow{
		{"speeds stand with their bands, and follow users and a promise", predictedServes},
		{"the first screen has a token's predicted time", predictedToken},
		{"a wrong engine names the nearest", predictedNearest},
	})
}

// fast is the region of predicted speeds.
const fast = `document.querySelector('[data-region="speed"]')`

func (p *page) predicts(text string) {
	p.t.Helper()
	p.is("it says "+text, fast+`.checkVisibility({ visibilityProperty: true }) && `+fast+`.textContent.includes(`+quote(text)+`)`)
}

func predictedServes(t *testing.T, url string) {
	p := open(t, url, "/?v=1&model=llama-3.1-8b&device=h100-sxm-80gb&prompt=1024&context=2048&output=256&users=8#running")
	p.ready()
	p.wake()
	p.is("it is offered", fast)
	eval[bool](p, `(`+fast+`.closest("details").open = true)`)
	p.predicts("Decode, tokens/s")
	if !eval[bool](p, `[...`+fast+`.querySelectorAll("tbody tr")].some((r) => r.textContent.startsWith("Decode") && / to /.test(r.cells[2].textContent) && parseFloat(r.cells[1].textContent) > 0)`) {
		t.Error("no number with a band")
	}
	p.predicts("First token, 8 users")
	p.predicts("Users against latency")
	p.fill("users", "64")
	p.predicts("First token, 64 users")
	p.fill("tpot-ms", "20")
	p.predicts("Within the promise, later ones in 20.0 ms")
	p.is("the promise is drawn as a box", fast+`.querySelectorAll(".graph .key li").length > 3`)
}

// The build predicts for the page's own question; of another the bound stands until somebody is at the page.
func predictedToken(t *testing.T, url string) {
	const token, predicted = `document.querySelector("[data-token] dd")`, `document.querySelector("[data-token] .status.estimate")`
	p := open(t, url, "/")
	p.is("the build has predicted", predicted+` && `+token+`.textContent.includes("at best")`)
	p.visit("/?v=1&model=llama-3.1-8b&weights=q4_k_m&device=rtx-4090-24gb")
	p.is("the bound stands", `!document.documentElement.dataset.asked && `+token+` && !`+predicted+` && `+token+`.textContent.startsWith("at best")`)
	p.wake()
	p.is("then what is predicted", predicted)
	was := eval[string](p, token+`.textContent`)
	p.fill("context", "32768")
	p.is("it follows", predicted+` && `+token+`.textContent !== `+quote(was)+` && !`+token+`.ariaBusy`)
	p.fill("batch", "64") // caches of 4.29 GB
	p.is("of what does not fit the bound is left", `!`+predicted+` && `+token+`.textContent.startsWith("at best")`)
}

func predictedNearest(t *testing.T, url string) {
	p := open(t, url, "/?v=1&engine=vlm")
	p.is("the nearest engine is named", `document.body.textContent.includes("vllm")`)
}
