package site_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"llmsize/build/assets"
	"llmsize/build/check"
	"llmsize/build/toolchain"
)

// Llama 3.1 8B: embedding and head 128,256 × 4,096 each, 32 layers, norms.
const (
	llama = 2*128256*4096 + 32*(2*4096*4096+2*1024*4096+3*14336*4096+2*4096) + 4096
	// With twice the hidden size a head is 256 wide, so keys and values are 8·256 = 2,048 wide.
	llamaWide = 2*128256*8192 + 32*(2*8192*8192+2*2048*8192+3*14336*8192+2*8192) + 8192
	gpt2      = 50257*768 + 1024*768 + 12*(768*2304+2304+768*768+768+768*3072+3072+3072*768+768+4*768) + 2*768
	gpt2Deep  = 50257*768 + 1024*768 + 24*(768*2304+2304+768*768+768+768*3072+3072+3072*768+768+4*768) + 2*768
)

const gpt2Config = `{"architectures": ["GPT2LMHeadModel"], "model_type": "gpt2", "n_layer": 12}`

// TestPage reads the page as people do, in a browser.
func TestPage(t *testing.T) {
	flows(t, []flow{
		{"an edit is answered", anEdit},
		{"a link is the question", aLink},
		{"a link shows its own answer alone", ownAnswer},
		{"a link's question is fetched at once", together},
		{"what is off the screen follows", offScreen},
		{"unknown keys of a link are named", unknownKeys},
		{"what a link cannot carry is said", linkLimits},
		{"a copied link is the address", linkCopied},
		{"a question on its way is not lost", onItsWay},
		{"a message outlives the answer before", afterAnAnswer},
		{"a message outlives a program that comes late", afterAProgram},
		{"back returns to the model before", back},
		{"a config is pasted", paste},
		{"a file is dropped or chosen", files},
		{"a config too large for a link says so", tooLarge},
		{"a bad config is explained and kept", badConfig},
		{"a bad number is explained and kept", badNumber},
		{"a key is set and taken back", setKey},
		{"the program breaks and is started again", broken},
		{"what cannot be loaded gives no answer away", unloaded},
		{"without script everything is there", noScript},
		{"the keyboard is enough", keyboard},
		{"what a card runs is found by keys alone", cardByKeys},
		{"what a key does is found by keys alone", keyByKeys},
		{"nothing shifts", shifts},
		{"nothing shifts while the page comes", streamed},
		{"the first edit leaves the drawing where it is", unmoved},
		{"the page is light", weight},
		{"the theme is kept", theme},
		{"copies are plain", copies},
		{"paper has the link", paper},
		{"motion can be reduced", motion},
		{"models can be filtered and sorted", models},
		{"the book is searched", searches},
		{"a search without its index says so", searchFails},
		{"a chapter's calculator leaves the address alone", embedded},
		{"a model's page stands for its model", modelPage},
		{"nothing is wider than a phone", narrow},
		{"on a phone the verdict is on the first screen", firstScreen},
		{"the question's names are whole", wholeNames},
		{"the first screen answers to a hand", byHand},
		{"what a reader does before its script is there is not lost", early},
		{"a link leads to its place", placed},
		{"axe finds nothing", axe},
		{"axe notices what is planted", axeNotices},
	})
}

func anEdit(t *testing.T, url string) {
	p := open(t, url, "/")
	p.fill("set.hidden_size", "8,192")
	p.counts(strconv.Itoa(llamaWide))
	p.is("the address has the question", `location.search === "?v=1&set.hidden_size=8192"`)
	p.is("the title has the answer", `document.title.includes("18.7 B")`)
	p.is("what was typed stays", `document.querySelector('[name="set.hidden_size"]').value === "8,192"`)
	p.is("the answer is announced", `document.querySelector("[data-say]").textContent.startsWith("18,744,877,056 parameters")`)
	p.fill("context", "16k")
	p.is("16k is 16,384 tokens, and the field says so", `location.search === "?v=1&set.hidden_size=8192&context=16384" && document.querySelector('[name="context"]').value === "16,384"`)
	p.fill("weights", "fp32")
	// 18,744,877,056 parameters of four bytes, and 16,384 tokens of a cache of 2 · 32 layers · 8 heads · 256 values of two bytes:
	// the config names no head_dim, so a head is 8,192 / 32 wide.
	p.is("the verdict follows", `document.querySelector(".verdict").textContent.startsWith("Fits, with ")`)
	p.is("the bar is the device's", `document.querySelector("svg.memory.wide").getAttribute("aria-label").includes("weights 75.0 GB, KV cache 4.29 GB")`)
}

func aLink(t *testing.T, url string) {
	p := open(t, url, "/?v=1&model=gpt2&set.n_layer=24&context=1024&units=gib")
	p.counts(strconv.Itoa(gpt2Deep))
	for _, c := range [][2]string{{"model", "GPT-2 124M"}, {"set.n_layer", "24"}, {"context", "1,024"}, {"units", "gib"}, {"batch", "1"}} {
		p.is(c[0]+" stands in its field", `document.querySelector('[name="`+c[0]+`"]').value === "`+c[1]+`"`)
	}
	p.is("the address is canonical", `location.search === "?v=1&model=gpt2&set.n_layer=24&context=1024&units=gib"`)
	p.is("sizes are binary", `document.querySelector('.bytes').textContent.includes("GiB") || document.querySelector('.bytes').textContent.includes("MiB")`)
}

func unknownKeys(t *testing.T, url string) {
	p := open(t, url, "/?v=1&model=gpt2&kontext=5&batch=many")
	p.counts(strconv.Itoa(gpt2))
	p.is("the unknown key is named", `document.querySelector("[data-problems]").textContent.includes("kontext") && document.querySelector("[data-problems]").textContent.includes("context?")`)
	p.is("the bad value is named", `document.querySelector("[data-problems]").textContent.includes("In this link, batch")`)
	p.close()
	p = open(t, url, "/?v=1&model=gpt-2 124M&context=1024")
	p.expected = "status of 404" // of the name as it stands
	p.counts(strconv.Itoa(gpt2))
	p.is("a name that is only one model's is answered, which is said", `location.search === "?v=1&model=gpt2&context=1024" && document.querySelector("[data-problems]").textContent.startsWith("In this link, gpt-2 124M is GPT-2 124M.")`)
	p.close()
	p = open(t, url, "/?v=1&model=gpt5000")
	p.expected = "status of 404"
	p.is("an unknown model is named", `document.querySelector('[data-field="model"] .error')?.textContent.includes("gpt5000")`)
	p.is("the fields stay in one line, and the message in sight", `new Set([...document.querySelectorAll(".sentence input, .sentence > .field select")].filter((e) => e.checkVisibility() && !e.closest("details")).map((e) => Math.round(e.getBoundingClientRect().top))).size === 1 && document.querySelector('[data-field="model"] .error').clientWidth > 250`)
}

func back(t *testing.T, url string) {
	p := open(t, url, "/")
	p.fill("context", "4096")
	p.is("an edit replaces", `location.search === "?v=1&context=4096" && history.length === `+fmt.Sprint(eval[int](p, "history.length")))
	p.fill("model", "gpt2")
	p.counts(strconv.Itoa(gpt2))
	p.is("the model is in the address", `location.search === "?v=1&model=gpt2&context=4096"`)
	eval[bool](p, `history.back() ?? true`)
	p.counts(strconv.Itoa(llama))
	p.is("the field is back too", `document.querySelector('[name="model"]').value === "Llama 3.1 8B"`)
	eval[bool](p, `history.forward() ?? true`)
	p.counts(strconv.Itoa(gpt2))
	p.fill("context", "512")
	p.is("it is in the address", `location.search.includes("context=512")`)
	eval[bool](p, `history.back() ?? true`)
	p.counts(strconv.Itoa(llama))
	p.is("the field that has the focus is back as well", `document.activeElement.name === "context" && document.activeElement.value === "4,096"`)
}

func paste(t *testing.T, url string) {
	p := open(t, url, "/")
	p.fill("config", gpt2Config) // its family is not on the page: it is fetched
	p.counts(strconv.Itoa(gpt2))
	p.is("the config travels in the fragment", `location.hash.startsWith("#config=") && location.search === "?v=1"`)
	p.is("no model is chosen", `document.querySelector('[name="model"]').value === ""`)
	p.fill("context", "512")
	p.is("the fragment stays", `location.hash.startsWith("#config=") && location.search === "?v=1&context=512"`)
	link := eval[string](p, "location.search + location.hash")
	other := open(t, url, "/"+link)
	other.counts(strconv.Itoa(gpt2))
	other.is("the context came along", `document.querySelector('[name="context"]').value === "512"`)
	other.close()
	cut := open(t, url, "/"+link[:len(link)-12])
	cut.is("a cut link says so", `document.querySelector("[data-problems]").textContent.includes("cut off")`)
	cut.close()
	// Back returns to the model.
	eval[bool](p, `history.back() ?? true`)
	p.counts(strconv.Itoa(llama))
}

func files(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	file := `const held = new DataTransfer(); held.items.add(new File([` + quote(gpt2Config) + `], "config.json", { type: "application/json" }))`
	eval[bool](p, `(() => { `+file+`; document.querySelector("h1").dispatchEvent(new DragEvent("dragover", { dataTransfer: held, bubbles: true, cancelable: true })); return true })()`)
	p.is("the page says where to drop", `document.documentElement.classList.contains("dropping")`)
	eval[bool](p, `(() => { `+file+`; document.querySelector("h1").dispatchEvent(new DragEvent("drop", { dataTransfer: held, bubbles: true, cancelable: true })); return true })()`)
	p.counts(strconv.Itoa(gpt2))
	p.is("its text stands in the field", `document.querySelector('[name="config"]').value.includes("gpt2") && !document.documentElement.classList.contains("dropping")`)

	p.close()
	p = open(t, url, "/")
	p.ready()
	eval[bool](p, `(() => { `+file+`; const e = document.querySelector('[name="file"]'); e.files = held.files; e.dispatchEvent(new Event("change", { bubbles: true })); return true })()`)
	p.counts(strconv.Itoa(gpt2))

	p.close()
	p = open(t, url, "/")
	p.ready()
	eval[bool](p, `(() => { const held = new DataTransfer(); held.items.add(new File(["x".repeat(2e6)], "model.safetensors")); const e = document.querySelector('[name="file"]'); e.files = held.files; e.dispatchEvent(new Event("change", { bubbles: true })); return true })()`)
	p.is("what is no checkpoint is refused", `document.querySelector('[data-checkpoint] .error')?.textContent.includes("model.safetensors")`)
}

func tooLarge(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	eval[bool](p, `(() => { const noise = Array.from({ length: 30000 }, () => Math.random().toString(36).slice(2, 10)).join(""); const e = document.querySelector('[name="config"]'); e.value = JSON.stringify({ ...`+gpt2Config+`, _name_or_path: noise }); e.dispatchEvent(new Event("input", { bubbles: true })); return true })()`)
	p.counts(strconv.Itoa(gpt2))
	p.is("the page says so", `document.querySelector("[data-problems]").textContent.includes("too large for a link")`)
	p.is("the address does not pretend", `location.hash === ""`)
}

func badConfig(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	const place = `(({ clientWidth, clientLeft }) => clientWidth + " " + clientLeft)(document.querySelector('[name="config"]'))`
	eval[bool](p, `(document.querySelector("[data-other]").open = true)`)
	unmarked := eval[string](p, place)
	for _, c := range []struct{ text, want string }{
		{`{"model_type": "gpt2",`, "Line 1: the text ends too early"},
		{`{"hidden_size": 4096}`, "model_type"},
		{`{"model_type": "gpt2", "n_embd": "wide"}`, "n_embd"},
		{`[1, 2]`, "A config is a JSON object"},
		{`{"model_type": "no-such-type"}`, "model_type"},
	} {
		p.fill("config", c.text)
		p.is("the message stands beside the field: "+c.want, `document.querySelector('[data-field="config"] .error')?.textContent.toLowerCase().includes(`+quote(strings.ToLower(c.want))+`)`)
		p.is("the text is kept", `document.querySelector('[name="config"]').value === `+quote(c.text))
		p.is("the field is marked", `document.querySelector('[name="config"]').getAttribute("aria-invalid") === "true" && document.getElementById(document.querySelector('[name="config"]').getAttribute("aria-describedby"))`)
		if marked := eval[string](p, place); marked != unmarked {
			t.Errorf("the text of a field that is marked stands elsewhere: %s, not %s", marked, unmarked)
		}
		if got := p.count(); got != strconv.Itoa(llama) {
			t.Errorf("after a bad config the page counts %s", got)
		}
	}
	p.fill("config", gpt2Config)
	p.counts(strconv.Itoa(gpt2))
	p.is("the message is gone", `!document.querySelector(".error") && !document.querySelector("[aria-invalid]")`)
}

func badNumber(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	for _, c := range []struct{ field, value, want string }{
		{"context", "lots", "not a number"}, {"batch", "0", "out of range"}, {"set.num_attention_heads", "-3", "num_attention_heads"}, {"set.hidden_size", "big", "hidden_size"},
	} {
		p.fill(c.field, c.value)
		p.is("the message stands beside "+c.field, `document.querySelector('[data-field="`+c.field+`"] .error')`)
		p.is("the text is kept", `document.querySelector('[name="`+c.field+`"]').value === "`+c.value+`"`)
		p.is("the address has what is answered", `!/lots|batch=0|=-3|big/.test(location.search)`)
		if got := p.count(); got != strconv.Itoa(llama) {
			t.Errorf("after %s=%s the page counts %s", c.field, c.value, got)
		}
		p.is("it says whose answer is shown", `getComputedStyle(document.querySelector(".answer"), "::before").content.startsWith('"Showing the last valid answer')`)
		p.is("the message has an outline and an icon", `(() => { const e = document.querySelector(".error"); return parseFloat(getComputedStyle(e).borderTopWidth) > 0 && getComputedStyle(e, "::before").content.includes("\u26a0") })()`)
		if !strings.HasPrefix(c.field, "set.") { // a field of the question may be as narrow as a digit
			for _, width := range []int64{320, 800, 1280} {
				p.size(width, 800)
				p.is("the message is wide enough to be read, and on the screen", `(({ left, right, height }) => left >= 0 && right <= innerWidth && height < 120)(document.querySelector(".error").getBoundingClientRect())`)
			}
		}
		p.fill(c.field, "")
		p.is("an empty field is the default", `!document.querySelector(".error")`)
	}
	p.wake()
	p.fill("set.num_attention_heads", "-3")
	p.is("below the row of fields a message is as wide as the row", `document.querySelector(".shapes .error").getBoundingClientRect().height < 60`)
	p.is("the row stays one", `new Set([...document.querySelectorAll(".shapes .shape label")].map((e) => e.getBoundingClientRect().y)).size === 1`)
	p.fill("set.num_attention_heads", "")
	p.counts(strconv.Itoa(llama))
	p.close()
	p = open(t, url, "/?v=1&model=mixtral-8x7b") // whose class accepts that
	p.ready()
	p.counts("46702792704")
	p.fill("set.num_attention_heads", "33")
	p.is("33 heads over 8 are an estimate, which names the rule", `document.querySelector(".facts .status").textContent === "estimate" && /num_attention_heads.*num_key_value_heads|num_key_value_heads.*num_attention_heads/.test(document.querySelector(".warnings").textContent)`)
	p.is("the edited field stands out, without an error", `parseFloat(getComputedStyle(document.querySelector('[name="set.num_attention_heads"]')).borderTopWidth) === 2 && !document.querySelector(".error")`)
}

func setKey(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	eval[bool](p, `(() => { document.querySelector(".add-key").open = true; document.querySelector('[name="add-key"]').value = "tie_word_embeddings"; document.querySelector('[name="add-value"]').value = "true"; document.querySelector("[data-add]").click(); return true })()`)
	p.counts(strconv.Itoa(llama - 128256*4096))
	p.is("the key is in the address", `location.search === "?v=1&set.tie_word_embeddings=true"`)
	p.is("it can be taken back", `document.querySelector('[data-reset="tie_word_embeddings"]')`)
	eval[bool](p, `document.querySelector('[data-reset="tie_word_embeddings"]').click() ?? true`)
	p.counts(strconv.Itoa(llama))
	p.is("the address is plain again", `location.search === ""`)
}

func broken(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	eval[bool](p, `(() => { const was = TextDecoder.prototype.decode; TextDecoder.prototype.decode = function (...a) { TextDecoder.prototype.decode = was; throw new WebAssembly.RuntimeError("unreachable") }; return true })()`)
	p.fill("set.hidden_size", "8192")
	p.is("the page says so", `document.querySelector("[data-problems]").textContent.includes("started again")`)
	if got := p.count(); got != strconv.Itoa(llama) {
		t.Errorf("the last answer is gone: %s", got)
	}
	p.fill("set.hidden_size", "8192")
	p.counts(strconv.Itoa(llamaWide))
}

func noScript(t *testing.T, url string) {
	p := open(t, url, "/", func(p *page) {
		if _, err := chromedp.Call(p.tab, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
			p.t.Fatal(err)
		}
	})
	p.counts(strconv.Itoa(llama))
	for what, condition := range map[string]string{
		"the drawing is there":          `document.querySelector("svg.plan.wide .m")`,
		"the table has all tensors":     `document.querySelector("table.parts").textContent.includes("self_attn.q_proj.weight")`,
		"a link leads to all models":    `[...document.querySelectorAll("a")].some((a) => a.getAttribute("href") === "/models/" && a.checkVisibility())`,
		"no dead control is shown":      `!document.querySelector(".sentence").checkVisibility() && !document.querySelector(".tools").checkVisibility()`,
		"the bytes are there":           `document.querySelector(".bytes").textContent.includes("16.1 GB")`,
		"nothing of the script has run": `!document.documentElement.dataset.theme && !globalThis.Go`,
	} {
		p.is(what, condition)
	}
	eval[bool](p, `(() => { document.querySelector(".parts summary").click(); return true })()`)
	p.is("a row opens", `document.querySelector(".parts tr.more").checkVisibility()`)
}

// noneBehind: no region in sight waits for the larger program.
const noneBehind = `![...document.querySelectorAll(".region:is(.behind, .due)")].some((r) => !r.hidden && r.offsetParent)`

func keyboard(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.keys(kb.Tab)
	p.is("the first stop skips to the content", `document.activeElement.classList.contains("skip") && document.activeElement.getBoundingClientRect().top >= 0`)
	eval[bool](p, `(() => { for (const d of document.querySelectorAll(".question details")) d.open = true; return true })()`)
	seen := map[string]bool{}
	var order []string
	ends := 0
	for range 100 {
		p.keys(kb.Tab)
		name := eval[string](p, `(() => { const e = document.activeElement; if (e === document.body) return "end"; const s = getComputedStyle(e); if (s.outlineStyle === "none" || parseFloat(s.outlineWidth) === 0) return "no focus ring on " + e.outerHTML.slice(0, 80); const r = e.getBoundingClientRect(), at = (from, size, end) => Math.max(0, Math.min(end - 1, from + size / 2)), top = document.elementFromPoint(at(r.x, r.width, innerWidth), at(r.y, r.height, innerHeight)); if (r.bottom <= 0 || r.top >= innerHeight || !(e.contains(top) || top?.contains(e) || e.labels?.[0]?.contains(top) || top?.closest(".sheet"))) return "no focus ring in sight on " + e.outerHTML.slice(0, 80); return e.name || e.dataset.reset || e.matches(".shape [data-apply]") && "offer" || e.dataset.copy || e.dataset.for || e.nodeName })()`)
		if strings.HasPrefix(name, "no focus ring") {
			t.Fatal(name)
		}
		seen[name] = true
		order = append(order, name)
		if name == "set.hidden_size" {
			p.keys(kb.Control + "a")
			p.keys("\b\b\b\b8192")
			p.counts(strconv.Itoa(llamaWide))
			p.is("what scales with it is offered", `document.querySelector(".shape [data-apply]")`)
		}
		// What is counted anew is hidden, and not focused, until it is there; Tab goes on from its place.
		if name == "end" {
			if ends++; ends == 2 {
				break
			}
			p.is("all is counted", noneBehind)
		}
	}
	for _, want := range []string{"model", "set.hidden_size", "context", "batch", "weights", "kv", "units", "link", "number", "SUMMARY"} {
		if !seen[want] {
			t.Errorf("%s cannot be reached by Tab; reached %v", want, seen)
		}
	}
	fields := []string{"set.hidden_size", "set.num_hidden_layers", "set.vocab_size", "set.num_attention_heads", "set.num_key_value_heads", "set.head_dim", "set.intermediate_size", "hidden_size", "offer"}
	if at := slices.Index(order, fields[0]); at < 0 || !slices.Equal(order[at:min(at+len(fields), len(order))], fields) {
		t.Errorf("Tab goes through %v; from an edited field it should go on to the next, and behind the last to the way back and to what is offered", order)
	}
	eval[bool](p, `document.querySelector('.tabs [href="#tensors"]').focus() ?? true`)
	p.keys(kb.Enter)
	p.is("Enter shows a tab", `location.hash === "#tensors" && document.querySelector(".parts summary").checkVisibility() && document.querySelector('.tabs [aria-current]').hash === "#tensors"`)
	p.is("the table is counted", noneBehind)
	eval[bool](p, `document.querySelector(".parts summary").focus() ?? true`)
	p.keys(kb.Enter)
	p.is("Enter opens a row", `document.querySelector(".parts tr.more").checkVisibility()`)
}

// tabTo presses Tab until the element that has the focus meets a condition, and says after how many.
func (p *page) tabTo(what, condition string) int {
	p.t.Helper()
	for n := 1; n <= 60; n++ {
		p.keys(kb.Tab)
		if eval[bool](p, `(() => { const e = document.activeElement; return Boolean(`+condition+`) })()`) {
			return n
		}
	}
	p.t.Fatalf("sixty times Tab do not lead to %s", what)
	return 0
}

// cardByKeys: from the home page to a device's matrix, and from a cell to its answer.
func cardByKeys(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.keys("/")
	p.is("the search is open", `document.querySelector("dialog.search")?.open && document.activeElement.type === "search"`)
	p.keys("4090")
	p.is("the card is found first", `document.querySelector("dialog.search li a")?.pathname === "/devices/rtx-4090-24gb/"`)
	p.keys(kb.Enter)
	p.is("its page is there", `location.pathname === "/devices/rtx-4090-24gb/" && document.readyState === "complete"`)
	p.tabTo("the way past the header", `e.classList.contains("skip")`)
	p.keys(kb.Enter)
	if n := p.tabTo("a cell of the matrix", `e.closest("td") && e.search?.includes("device=rtx-4090-24gb")`); n > 12 {
		t.Errorf("a cell is %d steps behind the header", n)
	}
	p.keys(kb.Enter)
	p.is("the cell's answer is there", `new URLSearchParams(location.search).get("device") === "rtx-4090-24gb" && document.querySelector(".verdict")?.textContent.startsWith("Fits") && document.querySelector("svg.memory.wide")?.ariaLabel.startsWith("Memory of NVIDIA GeForce RTX 4090")`)
}

// keyByKeys: from the home page to a key, what it means, what it changes, and the model as it was beside it.
func keyByKeys(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.tabTo("the key", `e.name === "set.num_key_value_heads"`)
	p.is("what it means is said", `document.querySelector(".help")?.checkVisibility() && document.querySelector(".help").textContent.includes("num_key_value_heads")`)
	p.keys("1") // the field's text is chosen when the focus comes
	// One head of 128 in place of eight: 2 · 4,096 · 7 · 128 weights less in each of 32 layers, and 2 · 32 · 128 · 2 bytes of cache a token.
	p.counts(strconv.Itoa(llama - 32*2*4096*7*128))
	p.is("what it changes is said", `document.querySelector(".changes").textContent.includes("was 8.03 B") && document.querySelector(".brief").textContent.includes("16,384 bytes")`)
	p.tabTo("comparing", `e.dataset.more === "compare"`)
	p.keys(kb.Enter)
	p.is("the other model is asked for", `document.activeElement.name === "vs"`)
	p.keys("llama 3.1 8b")
	p.keys(kb.Enter)
	p.is("both stand side by side", `location.search.includes("vs=llama-3.1-8b") && document.querySelector(".aside .sides")?.textContent.includes("8.03 B") && document.querySelector(".aside .sides").textContent.includes("+235 M")`)
}

// weight adds up what a browser asks for before the first edit is answered, as the host packs it: all of it is what
// build/check counts as the first load.
func weight(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	got := eval[[]string](p, `[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].map((r) => new URL(r.name).pathname).sort()`)
	root, err := toolchain.Root(".")
	if err != nil {
		t.Fatal(err)
	}
	brotli := assets.Brotli{CacheDir: filepath.Join(root, ".cache", "brotli")}
	sum := 0
	for _, name := range slices.Compact(got) {
		file := name
		if strings.HasSuffix(name, "/") {
			file += "index.html"
		}
		data, err := os.ReadFile(filepath.Join(dist, file))
		if err != nil {
			t.Fatal(err)
		}
		n, err := brotli.Size(data)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%7d %s", n, name)
		sum += n
	}
	limit := check.TinyGo.First.Limit
	if compiler != "tinygo" {
		limit = check.Go.First.Limit
	}
	t.Logf("%d bytes with %s", sum, compiler)
	if sum > limit {
		t.Errorf("%d bytes travel before the first answer, more than %d", sum, limit)
	}
	const beside = `performance.getEntriesByType("resource").some((r) => r.name.includes("/beside-"))`
	if eval[bool](p, `new Promise((r) => { dispatchEvent(new PointerEvent("pointermove")); setTimeout(() => r(`+beside+`), 200); })`) {
		t.Error("a pointer that hasn't moved loads what stands beside the answer")
	}
	eval[bool](p, `dispatchEvent(new PointerEvent("pointermove", { movementX: 1 }))`)
	p.is("one that has moved loads it", beside)
}

func theme(t *testing.T, url string) {
	p := open(t, url, "/", func(p *page) { p.media("prefers-color-scheme", "dark") })
	paper := `getComputedStyle(document.body).backgroundColor`
	dark := eval[string](p, paper)
	choose := func(value string) {
		eval[bool](p, `(() => { const s = document.querySelector("[data-theme-choice]"); s.value = "`+value+`"; s.dispatchEvent(new Event("change", { bubbles: true })); return true })()`)
	}
	choose("light")
	light := eval[string](p, paper)
	if light == dark {
		t.Errorf("light and dark paper are both %s", dark)
	}
	p.visit("/models/")
	if got := eval[string](p, paper); got != light {
		t.Errorf("on the next page the paper is %s, want %s", got, light)
	}
	choose("system")
	if got := eval[string](p, paper); got != dark {
		t.Errorf("with the system's theme the paper is %s, want %s", got, dark)
	}
}

func copies(t *testing.T, url string) {
	p := open(t, url, "/?v=1&model=gpt2&context=1024")
	p.counts(strconv.Itoa(gpt2))
	defer p.clipboard()()
	copied := func(what string) string {
		// What it says goes after four seconds, which a busy machine may sleep through.
		eval[bool](p, `(() => {
			const button = document.querySelector('[data-copy="`+what+`"]'), said = button.parentElement.querySelector("[data-said]");
			window.told = [];
			new MutationObserver(() => told.push(said.textContent)).observe(said, { childList: true });
			button.click();
			return true;
		})()`)
		p.is("it says something", `told.find(Boolean)`)
		if said := eval[string](p, `told.find(Boolean)`); said != "Copied" {
			t.Errorf("it says %q", said)
		}
		return eval[string](p, `navigator.clipboard.readText()`)
	}
	if got := copied("number"); got != strconv.Itoa(gpt2) {
		t.Errorf("the number is copied as %q", got)
	}
	if got := copied("link"); got != url+"/?v=1&model=gpt2&context=1024" {
		t.Errorf("the link is copied as %q", got)
	}
	p.fill("context", "8192") // as it was: nothing else is asked
	if got := copied("link"); got != url+"/models/gpt2/" {
		t.Errorf("the link of a model alone is copied as %q", got)
	}
	if got := copied("markdown"); !strings.Contains(got, "| attention | 2362368 | 12 | 28348416 | 22.8% |\n") {
		t.Errorf("the table is copied as\n%s", got)
	}
	if got := copied("csv"); !strings.Contains(got, "attention,2362368,12,28348416,22.8%\r\n") {
		t.Errorf("the table is copied as\n%s", got)
	}
	second(p)
	p.close()
	p = open(t, url, "/", gates)
	eval[bool](p, `open_calc()`)
	p.fill("set.num_hidden_layers", "16")
	p.counts(strconv.FormatInt(llama-16*(2*4096*4096+2*1024*4096+3*14336*4096+2*4096), 10))
	eval[bool](p, `(navigator.clipboard.writeText = async (text) => { globalThis.copied = text }, document.querySelector('[data-copy="csv"]').click(), open_lenses())`)
	// Attention of 16 layers.
	p.is("a copy waits for the table of the question", `copied.includes("attention,`+strconv.Itoa(2*4096*4096+2*1024*4096)+`,16,`+strconv.Itoa(16*(2*4096*4096+2*1024*4096))+`,")`)
}

// A copy's word stands until its own clock strikes, not until that of the copy before.
func second(p *page) {
	eval[bool](p, `(() => {
		const button = document.querySelector('[data-copy="csv"]');
		window.clocks = [];
		const set = window.setTimeout;
		window.setTimeout = (strikes, after, ...words) => after === 4000 ? clocks.push(() => strikes(...words)) : set(strikes, after, ...words);
		button.click(), button.click();
		return true;
	})()`)
	p.is("two clocks run", `clocks.length === 2`)
	word := `document.querySelector('[data-copy="csv"]').parentElement.querySelector("[data-said]").textContent`
	eval[bool](p, `(clocks[0](), true)`)
	if said := eval[string](p, word); said != "Copied" {
		p.t.Errorf("after the first copy's time the second one's word is %q", said)
	}
	eval[bool](p, `(clocks[1](), true)`)
	if said := eval[string](p, word); said != "" {
		p.t.Errorf("after its time a word still stands: %q", said)
	}
}

func paper(t *testing.T, url string) {
	for _, path := range []string{"/", "/models/deepseek-v3/", "/models/t5-v1.1-base/"} {
		p := open(t, url, path)
		p.ready()
		p.is("faces and regions are there", `document.fonts.status === "loaded" && `+noneBehind)
		for _, moved := range []bool{false, true} { // the first move sets formulas, and opens what training begins with
			if moved {
				p.wake()
				p.calm()
			}
			if n := p.sheets(); n > 1 {
				t.Errorf("%s takes %d pages, moved over: %v", path, n, moved)
			}
		}
		p.close()
	}
	p := open(t, url, "/?v=1&model=gpt2")
	p.counts(strconv.Itoa(gpt2))
	p.medium("print")
	p.is("the link stands there as text", `document.querySelector("[data-link]").checkVisibility() && document.querySelector("[data-link]").textContent.endsWith("/?v=1&model=gpt2")`)
	p.is("controls do not", `!document.querySelector(".sentence").checkVisibility()`)
	if n := p.sheets(); n != 1 {
		t.Errorf("the answer takes %d pages", n)
	}
	p.is("how bytes come about is printed", `document.querySelector(".bytes .sum").checkVisibility()`)
	p.is("tensors are not", `!document.querySelector(".parts tr.more").checkVisibility()`)
	eval[bool](p, `(document.querySelector(".parts summary").click(), true)`)
	p.is("unless a reader has opened them", `document.querySelector(".parts tr.more").checkVisibility()`)
	p.size(720, 1000) // a sheet
	p.goes("/?v=1&model=mixtral-8x7b&devices=8&zero=3")
	p.is("the next answer", `document.querySelector(".facts-row").textContent.includes("Time per token") && document.querySelector(".exactly").textContent === "46702792704"`)
	p.is("facts stand beside each other", `new Set([...document.querySelectorAll(".facts-row > *")].filter((e) => e.checkVisibility()).map((e) => Math.round(e.getBoundingClientRect().left))).size > 1`)
}

// sheets is how many sheets of A4 a page takes.
func (p *page) sheets() int {
	p.t.Helper()
	styled := true
	pdf, err := chromedp.Run(p.tab, chromedp.PrintToPDF(func(a *cdppage.PrintToPDFParams) {
		a.PaperWidth, a.PaperHeight, a.PreferCSSPageSize = 8.27, 11.69, &styled
	}))
	if err != nil || len(pdf) < 5000 {
		p.t.Fatalf("printed %d bytes, %v", len(pdf), err)
	}
	return bytes.Count(pdf, []byte("/Type /Page\n"))
}

func motion(t *testing.T, url string) {
	moves := `parseFloat(getComputedStyle(document.querySelector("svg.plan rect")).transitionDuration)`
	if got := eval[float64](open(t, url, "/"), moves); got == 0 {
		t.Error("the drawing does not move at all")
	}
	p := open(t, url, "/", func(p *page) { p.media("prefers-reduced-motion", "reduce") })
	if got := eval[float64](p, moves); got != 0 {
		t.Errorf("the drawing moves for %.2f s although motion is reduced", got)
	}
}

func models(t *testing.T, url string) {
	p := open(t, url, "/models/")
	p.is("the heads can be clicked", `document.querySelector("th .sort")`)
	p.is("weights are as published", `[...document.querySelectorAll("th")].some((th) => th.textContent.startsWith("Weights, as published"))`)
	eval[bool](p, `(() => { const f = document.querySelector("[data-filter]"); f.value = "gpt"; f.dispatchEvent(new Event("input", { bubbles: true })); return true })()`)
	p.is("one model is left", `[...document.querySelectorAll("tbody tr")].filter((r) => r.checkVisibility()).length === 1 && document.querySelector("[data-filtered]").textContent === "1 of 8 models"`)
	eval[bool](p, `(() => { const f = document.querySelector("[data-filter]"); f.value = ""; f.dispatchEvent(new Event("input", { bubbles: true })); document.querySelectorAll("th .sort")[2].click(); return true })()`)
	p.is("the largest stands first", `document.querySelector("tbody tr").textContent.includes("671,026,404,352")`)
}

func embedded(t *testing.T, url string) {
	p := open(t, url, "/example/")
	p.counts(strconv.Itoa(gpt2))
	p.fill("set.n_layer", "24")
	p.counts(strconv.Itoa(gpt2Deep))
	// 2 · 24 layers · 768 · 8,192 tokens at 2 bytes.
	p.is("bytes follow", `document.querySelector('[data-region="bytes"]').innerText.includes("604 MB")`)
	p.is("and the table", `document.querySelector('[data-region="parts"]').innerText.includes("× 24")`)
	p.is("the address stays", `location.search === "" && location.hash === ""`)
	p.is("a link leads to the calculator", `document.querySelector("[data-open]").getAttribute("href") === "/?v=1&model=gpt2&set.n_layer=24"`)
}

func modelPage(t *testing.T, url string) {
	p := open(t, url, "/models/gpt2/")
	p.counts(strconv.Itoa(gpt2))
	p.fill("context", "512")
	p.is("an edit stays on the page", `location.pathname === "/models/gpt2/" && location.search === "?v=1&model=gpt2&context=512"`)
	p.fill("model", "llama-3.1-8b")
	p.is("another model has the calculator", `location.pathname === "/" && location.search === "?v=1&context=512"`)
	p.counts(strconv.Itoa(llama))
}

// unfolded opens all that is folded.
const unfolded = `(() => { for (const d of document.querySelectorAll("details")) d.name = "", d.open = true; return true })()`

func axe(t *testing.T, url string) {
	for _, path := range []string{"/", "/models/", "/models/deepseek-v3/", "/example/", "/404.html"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			p := open(t, url, path)
			if path == "/" {
				p.ready()
				p.fill("set.hidden_size", "8192")
				p.fill("context", "lots")
				p.is("an error is shown", `document.querySelector(".error")`)
			}
			eval[bool](p, unfolded)
			p.accessibleInAllForms()
		})
	}
}
