package site_test

import (
	"path/filepath"
	"strconv"
	"testing"
)

// TestPredicted opens what is predicted, asks about users, and names an engine that there is not.
func TestPredicted(t *testing.T) {
	flows(t, []flow{
		{"speeds stand with their bands, and follow users and a promise", predictedServes},
		{"the first screen has a token's predicted time", predictedToken},
		{"a wrong engine names the nearest", predictedNearest},
		{"a run's own rate, layers on the host, and what is missing", predictedOwn},
		{"every public run is a point that leads to its question", predictedPoints},
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
	p.is("as something that opens", `getComputedStyle(`+fast+`.closest("details").querySelector("summary")).listStyleType === "disclosure-closed"`)
	eval[bool](p, `(`+fast+`.closest("details").open = true)`)
	p.predicts("Decode, tokens/s")
	// Half of the stroke lies outside a letter: as much as a space between two words is wide, so that no connector shows through.
	p.is("no connector crosses a label", `[...`+fast+`.querySelectorAll("svg.waterfall text")].every((t) => parseFloat(getComputedStyle(t).strokeWidth) / 2 >= 0.3 * parseFloat(getComputedStyle(t).fontSize))`)
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

func predictedOwn(t *testing.T, url string) {
	p := open(t, url, "/?v=1&model=llama-3.1-8b&weights=q4_k_m&device=rtx-4090-24gb&context=1024&measured=30#running")
	p.ready()
	p.wake()
	p.is("it is offered", fast)
	eval[bool](p, `(`+fast+`.closest("details").open = true)`)
	p.predicts("From the bound to the prediction")
	p.predicts("of the bound")
	p.predicts("Layers on the host")
	p.visit("/?v=1&model=llama-3.1-8b&device=h100-sxm-80gb&engine=mlx#running")
	p.ready()
	p.wake()
	p.is("it is offered", fast)
	eval[bool](p, `(`+fast+`.closest("details").open = true)`)
	p.predicts("Not predicted: MLX does not run on")
	p.is("no rate of decoding stands there", `!`+fast+`.textContent.includes("Decode, tokens/s")`)
	p.visit("/?v=1&model=mixtral-8x7b&weights=q4_k_m&device=rtx-4090-24gb&context=4096&ncmoe=32#running")
	p.ready()
	p.wake()
	p.is("it is offered", fast)
	eval[bool](p, `(`+fast+`.closest("details").open = true)`)
	p.predicts("Device and host, estimated")
}

func predictedPoints(t *testing.T, url string) {
	const points = `document.querySelectorAll("svg.points a[href]")`
	p := open(t, url, "/") // the site of these tests has no page on accuracy: here is the picture alone, from the same script and data
	scripts, err := filepath.Glob(filepath.Join(dist, "assets", "points-*.js"))
	if err != nil || len(scripts) != 1 {
		t.Fatal(scripts, err)
	}
	eval[bool](p, `import("/assets/`+filepath.Base(scripts[0])+`").then((m) => { const root = document.createElement("div"); document.querySelector("main").prepend(root); return m.startPoints(root); }).then(() => true)`)
	p.is("points are drawn", points+`.length > 500`)
	all := eval[int](p, points+`.length`)
	choose := func(label, option string) {
		eval[bool](p, `(() => { const s = [...document.querySelectorAll("form.filters label")].find((l) => l.textContent.startsWith("`+label+`")).querySelector("select");
			s.value = [...s.options].find((o) => o.text === "`+option+`").value; return s.dispatchEvent(new Event("change", { bubbles: true })) })()`)
	}
	choose("Engine", "mlx")
	p.is("the engine's runs are left", points+`.length > 0 && `+points+`.length < `+strconv.Itoa(all))
	choose("Device", "apple-m3-max-128gb")
	p.is("and the device's", `[...`+points+`].every((a) => a.getAttribute("href").includes("device=apple-m3-max-128gb") && a.getAttribute("href").includes("engine=mlx"))`)
	if n := eval[int](p, points+`.length`); n < 8 {
		t.Errorf("%d points of MLX on an M3 Max", n)
	}
}
