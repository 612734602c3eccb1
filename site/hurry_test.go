package site_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestHurry does what somebody does who has ten seconds, with real clicks and keys.
func TestHurry(t *testing.T) {
	flows(t, []flow{
		{"a dimension is typed over", typedOver},
		{"a phone says what an edit changed", changedOnPhone},
		{"a key is looked up", lookedUp},
		{"training is found", foundTraining},
		{"a config is pasted", pastedAnywhere},
		{"a phone shares", sharedFromPhone},
	})
}

// press clicks on the middle of an element, as a pointer does: it has to be in sight.
func (p *page) press(selector string) {
	p.t.Helper()
	at := eval[[]float64](p, `(() => { const r = document.querySelector(`+quote(selector)+`).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()`)
	if err := chromedp.Do(p.tab, chromedp.MouseClickXY(at[0], at[1])); err != nil {
		p.t.Fatal(err)
	}
}

func typedOver(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	eval[bool](p, `(document.querySelector('[name="set.hidden_size"]').scrollIntoView({ block: "center", behavior: "instant" }), true)`)
	p.press(`[name="set.hidden_size"]`)
	p.keys("8192")
	p.is("what was there is gone", `document.querySelector('[name="set.hidden_size"]').value === "8192"`)
	p.is("the change is said", `document.querySelector(".changes").textContent.startsWith("18.7 B")`)
}

func changedOnPhone(t *testing.T, url string) {
	p := open(t, url, "/", func(p *page) { p.size(390, 844) })
	p.ready()
	p.wake()
	eval[bool](p, `(document.querySelector('[name="set.hidden_size"]').scrollIntoView({ block: "center", behavior: "instant" }), true)`)
	p.fill("set.hidden_size", "8192")
	const inSight = `(({ top, bottom }) => top >= 0 && bottom <= innerHeight)`
	p.is("the strip at the foot has the change", `getComputedStyle(document.querySelector(".slim"), "::before").content.includes("18.7 B, was 8.03 B, × 2.33") && `+inSight+`(document.querySelector(".slim").getBoundingClientRect())`)
	p.is("what scales with it is offered where the keys are", inSight+`(document.querySelector(".shape [data-apply]").getBoundingClientRect())`)
	if !eval[bool](p, `(() => {
		const c = document.querySelector("[data-calculator]").calculator, offer = c.root.querySelector(".shape [data-apply]");
		c.update({ again: true }); // as when a larger program has come
		return new Promise((done) => setTimeout(() => done(offer.isConnected), 300));
	})()`) {
		t.Error("an offer goes from under a finger")
	}
	p.press(".shape [data-apply]")
	// 30,019,166,208 = 2 · 128,256 · 8,192 + 32 · (2 · 8,192² + 2 · 8,192 · 16 · 128 + 3 · 8,192 · 28,672 + 2 · 8,192) + 8,192.
	p.counts("30019166208")
	p.is("and taken away when it is done", `!document.querySelector(".shape [data-apply]")`)
}

// The key of all models stands before those of single ones that have its words in them.
func lookedUp(t *testing.T, url string) {
	p := open(t, url, "/")
	eval[bool](p, `(() => {
		const { fetch } = globalThis;
		globalThis.fetch = (what, ...rest) => what !== "/search.json" ? fetch(what, ...rest) : Promise.resolve(Response.json({
			pages: [["/keys/", "Keys"]], sections: [], terms: [
				[0, "decoder", "decoder_num_key_value_heads", "Key and value heads: num_key_value_heads of the decoder."],
				[0, "all", "num_key_value_heads", "As many as queries, fewer, or one."],
			],
		}));
		return true;
	})()`)
	p.keys("/")
	p.is("the dialog is open", `document.querySelector("dialog.search")?.open`)
	p.keys("num_key_value_heads")
	p.is("what is called just that is first", `document.querySelectorAll("dialog.search li a").length === 2 && document.querySelector("dialog.search li a").hash === "#all"`)
}

func foundTraining(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	const link = `.question > [href="#training"]`
	p.is("the first screen leads there", `document.querySelector('`+link+`').getBoundingClientRect().bottom < innerHeight`)
	p.press(link)
	p.is("the tab is shown", `document.documentElement.dataset.tab === "training" && location.hash === "#training"`)
	p.is("it is in sight, below the question", `(() => { const { top } = document.querySelector(".tabs").getBoundingClientRect(); return top >= document.querySelector(".sentence").getBoundingClientRect().bottom && top < innerHeight / 2 })()`)
}

func pastedAnywhere(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.press("[data-other] summary")
	eval[bool](p, `(() => { const d = new DataTransfer(); d.setData("text", `+quote(gpt2Config)+`); document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: d, bubbles: true, cancelable: true })); return true })()`)
	p.counts("124439808")
	p.is("the model's field says whose it is", `document.querySelector('[name="model"]').value === "" && document.querySelector('[name="model"]').placeholder === "your own config"`)
	const closed = `!document.querySelector("[data-other]").open`
	p.is("nothing lies over the answer", closed)
	paste := func(text string) {
		p.press("[data-other] summary")
		eval[bool](p, `(() => { const e = document.querySelector('[name="config"]'); e.focus(); e.value = `+quote(text)+`; e.dispatchEvent(new InputEvent("input", { inputType: "insertFromPaste", bubbles: true })); return true })()`)
	}
	paste(strings.Replace(gpt2Config, `"n_layer": 12`, `"n_layer": 24`, 1))
	p.counts(strconv.Itoa(gpt2Deep))
	p.is("nor after a paste into the field", closed+` && document.activeElement.parentElement.matches("[data-other]")`)
	paste(`{"model_type": "gpt2", "n_embd": "wide"}`)
	p.is("a mistake stays in sight", `document.querySelector("[data-other] .error")?.checkVisibility()`)
}

// What is open for a while lies above what it covers.
func sharedFromPhone(t *testing.T, url string) {
	p := open(t, url, "/", func(p *page) { p.size(390, 844) })
	p.ready()
	p.press("[data-share] summary")
	p.is("nothing shows through", `(() => {
		const sheet = document.querySelector("[data-share] .sheet"), { top, bottom } = sheet.getBoundingClientRect();
		return [...document.querySelectorAll(".facts-of .status")].every((stamp) => {
			const r = stamp.getBoundingClientRect(), y = r.y + r.height / 2;
			return y < top || y > Math.min(bottom, innerHeight) || !stamp.contains(document.elementFromPoint(r.x + r.width / 2, y));
		});
	})()`)
}
