package site_test

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestHurry does what somebody does who has ten seconds, with real clicks and keys.
func TestHurry(t *testing.T) {
	flows(t, []flow{
		{"a dimension is typed over", typedOver},
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
