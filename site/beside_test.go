package site_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// TestBeside tries what is loaded when a reader first moves.
func TestBeside(t *testing.T) {
	flows(t, []flow{
		{"nothing of it is loaded before", besideWaits},
		{"charts open and follow edits", chartsOpen},
		{"charts stand in chapters", chartsInChapters},
		{"a chart that cannot be drawn says why", chartOfNothing},
		{"a box, its row and its letters light up", lightsUp},
		{"a tap holds the light", tapHolds},
		{"words of the prose light up", wordsLightUp},
		{"a link opens a number", linkOpens},
		{"a link to a number carries a config", linkWithConfig},
		{"numbers keep their names", numberNames},
		{"keys do what the list says", keysWork},
		{"keys can be switched off", keysOff},
		{"a key in focus is explained", keyExplained},
		{"a slider changes the model, a button takes it back", sliderAndReset},
		{"the table is copied as JSON", copiesJSON},
		{"a phone's share sheet gets the link", shares},
	})
}

// wake moves the pointer and waits for what that loads.
func (p *page) wake() {
	p.t.Helper()
	for i := range 400 { // the page may not listen yet
		p.mouse(200, float64(400+i%2))
		if eval[bool](p, `Boolean(document.querySelector(".keys-button"))`) {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	p.t.Fatal("what stands beside the answer is not loaded")
}

// mouse moves the pointer to a place of the screen.
func (p *page) mouse(x, y float64) {
	p.t.Helper()
	if _, err := chromedp.Call(p.tab, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: x, Y: y}); err != nil {
		p.t.Fatal(err)
	}
}

// still waits until a place of the screen stays where it is for two frames: what was out of sight finds its height when
// it is scrolled to.
func (p *page) still(where string) {
	p.t.Helper()
	p.soon("what is pointed at stands still", `(async () => { const frame = () => new Promise(requestAnimationFrame); const before = String(`+where+`); await frame(); await frame(); return String(`+where+`) === before })()`)
}

// hover scrolls to an element and moves the pointer to its middle.
func (p *page) hover(expression string) {
	p.t.Helper()
	where := `(() => { const e = ` + expression + `; e.scrollIntoView({ block: "center", behavior: "instant" }); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()`
	p.still(where)
	at := eval[[]float64](p, where)
	p.mouse(at[0], at[1])
}

func besideWaits(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	loaded := `performance.getEntriesByType("resource").some((r) => r.name.includes("beside"))`
	if eval[bool](p, loaded) {
		t.Error("it is loaded before anybody moves")
	}
	p.wake()
	p.is("it is loaded then", loaded)
	p.calm()
	if moved := p.moved(); moved != "" {
		t.Errorf("the layout shifts by %s", moved)
	}
}

func keysWork(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.keys("?") // the very first thing that somebody does
	p.is("the list is there", `document.querySelector("dialog.keys-list")?.open && document.querySelectorAll("dialog.keys-list kbd").length > 10`)
	p.keys("\x1b")
	p.is("it closes", `!document.querySelector("dialog.keys-list").open`)
	p.keys("m")
	p.is("m is the model, and no letter of it", `document.activeElement.name === "model" && document.activeElement.value === "Llama 3.1 8B"`)
	eval[bool](p, `(document.activeElement.blur(), true)`)
	p.keys("?")
	p.is("the list is there again", `document.querySelector("dialog.keys-list").open`)
	// Until the next frame the focus is in the list, which is no longer there.
	eval[bool](p, `(document.querySelector("dialog.keys-list").close(), document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "m", bubbles: true, cancelable: true })), true)`)
	p.is("that key is heard", `document.activeElement.name === "model"`)
	p.keys("e")
	p.is("in a field a key is a letter", `document.activeElement.name === "model" && document.activeElement.value.endsWith("e")`)
	eval[bool](p, `(document.activeElement.value = "llama-3.1-8b", document.activeElement.blur(), true)`)
	p.keys("e")
	p.is("e is the first key", `document.activeElement.name === "set.hidden_size" && document.activeElement.value === "4096"`)
	eval[bool](p, `(document.activeElement.blur(), true)`)
	p.keys("3")
	p.is("3 is the third part", `document.activeElement.querySelector("h2")?.textContent === document.querySelectorAll(".lens > h2")[1].textContent`)
	p.keys("t")
	p.is("t is the next theme", `document.documentElement.dataset.theme === "light"`)
	p.keys("tt")
	p.is("and the system's again", `!document.documentElement.dataset.theme`)
}

func keysOff(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.wake()
	eval[bool](p, `(document.querySelector(".keys-button").click(), document.querySelector("dialog.keys-list input").click(), document.querySelector("dialog.keys-list form button").click(), true)`)
	p.is("the list is closed", `!document.querySelector("dialog.keys-list").open && document.activeElement === document.body`)
	p.keys("m")
	p.keys("/")
	p.keys("?")
	if eval[bool](p, `document.activeElement.name === "model" || Boolean(document.querySelector("dialog[open]"))`) {
		t.Error("a key that is off does something")
	}
	p.visit("/models/")
	p.wake()
	p.keys("?")
	if eval[bool](p, `Boolean(document.querySelector("dialog[open]"))`) {
		t.Error("on the next page keys are on again")
	}
	eval[bool](p, `(document.querySelector(".keys-button").click(), document.querySelector("dialog.keys-list input").click(), document.querySelector("dialog.keys-list form button").click(), true)`)
	p.is("the list is closed", `!document.querySelector("dialog.keys-list").open && document.activeElement === document.body`)
	p.keys("?")
	p.is("they are on again", `document.querySelector("dialog.keys-list").open`)
}

func keyExplained(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.wake()
	eval[bool](p, `(document.querySelector('[name="set.intermediate_size"]').focus(), true)`)
	p.is("its meaning is there", `document.querySelector(".help-words")?.textContent.length > "intermediate_size".length + 10`)
	p.is("where it comes from", `document.querySelector(".help-key .quiet").textContent === "The config says 14336."`)
	eval[bool](p, `(document.querySelector(".all-keys").open = true, document.querySelector('table.keys [name="set.rms_norm_eps"], table.keys [name="set.head_dim"], table.keys input').focus(), true)`)
	p.is("another one's too", `!document.querySelector(".help-words").textContent.startsWith("intermediate_size")`)
}

func sliderAndReset(t *testing.T, url string) {
	p := open(t, url, "/?v=1&set.hidden_size=8192")
	p.counts(strconv.Itoa(llamaWide))
	p.wake()
	p.is("a link's change can be taken back", `document.querySelector("[data-reset-all]")?.checkVisibility()`)
	p.is("no key is explained before one has the focus", `!document.querySelector(".help-key").checkVisibility()`)
	p.close()
	p = open(t, url, "/")
	p.ready()
	p.wake()
	eval[bool](p, `(document.querySelector('[name="set.hidden_size"]').focus(), true)`)
	p.is("the slider is there", `document.querySelector('.help input[type="range"]')?.checkVisibility()`)
	// Four quarters of an octave above its own value is twice of it.
	eval[bool](p, `(() => { const r = document.querySelector('.help input[type="range"]'); r.value = Number(r.value) + 4; r.dispatchEvent(new Event("input", { bubbles: true })); return true })()`)
	p.counts(strconv.Itoa(llamaWide))
	p.is("the field has the value", `document.querySelector('[name="set.hidden_size"]').value.replace(",", "") === "8192"`)
	p.fill("set.num_hidden_layers", "16")
	p.is("the address has both", `location.search.includes("set.hidden_size=8192") && location.search.includes("set.num_hidden_layers=16")`)
	p.is("the way back is there", `document.querySelector("[data-reset-all]").checkVisibility() && document.querySelector("[data-reset-all]").textContent === "Back to Llama 3.1 8B as it is"`)
	eval[bool](p, `(document.querySelector("[data-reset-all]").click(), true)`)
	p.counts(strconv.Itoa(llama))
	p.is("the address is plain", `location.search === ""`)
	p.is("the way back is gone", `!document.querySelector("[data-reset-all]").checkVisibility()`)
	eval[bool](p, `(history.back(), true)`)
	p.is("Back undoes the reset", `location.search.includes("set.hidden_size=8192")`)
}

func copiesJSON(t *testing.T, url string) {
	p := open(t, url, "/?v=1&model=gpt2")
	p.counts(strconv.Itoa(gpt2))
	p.is("its keys are there", `document.querySelector('[name="set.n_layer"]') !== null`)
	p.wake()
	defer p.clipboard()()
	// In one breath with an edit: the table that is copied is the edited model's.
	eval[bool](p, `(() => {
		const e = document.querySelector('[name="set.n_layer"]'); e.value = "24"; e.dispatchEvent(new Event("input", { bubbles: true }));
		[...document.querySelectorAll(".tools button")].find((b) => b.textContent === "Copy table as JSON").click();
		return true;
	})()`)
	p.is("it says so", `[...document.querySelectorAll("[data-said]")].some((s) => s.textContent === "Copied")`)
	var rows []map[string]any
	if err := json.Unmarshal([]byte(eval[string](p, `navigator.clipboard.readText()`)), &rows); err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r["component"] == "attention" {
			if r["in_one_layer"] != 2362368.0 || r["layers"] != 24.0 || r["parameters"] != 2*28348416.0 || !strings.HasSuffix(r["share"].(string), "%") {
				t.Errorf("attention is %v", r)
			}
			return
		}
	}
	t.Errorf("no attention in %v", rows)
}

// A browser without a screen has no share sheet: this one replaces it.
func shares(t *testing.T, url string) {
	p := open(t, url, "/?v=1&model=gpt2&context=1024")
	p.counts(strconv.Itoa(gpt2))
	eval[bool](p, `(navigator.share = (data) => { globalThis.shared = data; return Promise.resolve() }, true)`)
	p.wake()
	eval[bool](p, `([...document.querySelectorAll(".tools button")].find((b) => b.textContent === "Share").click(), true)`)
	p.is("the link is shared", `shared.url === location.href && location.search === "?v=1&model=gpt2&context=1024" && shared.title.includes("GPT-2")`)
}
