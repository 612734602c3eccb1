package check

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// flow is something that a reader does on the home page.
type flow struct {
	name string
	do   func(t *tab) error
}

// flows are the main ones. Each begins with the home page in a tab of its own.
var flows = []flow{
	{"an edit is answered, and the address has it", edited},
	{"a link opens to the same answer", linked},
	{"Back returns to the model before", back},
	{"a bad config is explained and kept", bad},
	{"the theme is kept", themed},
	{"an answer of another lens follows", lenses},
	{"an opened number shows its formula set", formulas},
}

const (
	count   = `document.querySelector(".exactly").textContent`
	problem = `document.querySelector('[data-field="config"] .error')?.textContent ?? ""`
)

// edited types with the keyboard, as a reader does.
func edited(t *tab) error {
	before, err := t.text(count)
	if err != nil {
		return err
	}
	if err := t.write(`[name="set.num_hidden_layers"]`, "16"); err != nil {
		return err
	}
	if err := t.until("another count", count+` !== "`+before+`"`); err != nil {
		return err
	}
	return t.until("the question in the address", `location.search === "?v=1&set.num_hidden_layers=16"`)
}

func linked(t *tab) error {
	if err := t.open("/?v=1&model=gpt2&set.n_layer=24&context=1024&units=gib"); err != nil {
		return err
	}
	// 50,257 × 768 + 1,024 × 768, 24 layers of 7,087,872, and a norm of 1,536.
	if err := t.until("GPT-2 with 24 layers", count+` === "209494272"`); err != nil {
		return err
	}
	return t.until("the fields filled", `document.querySelector('[name="set.n_layer"]').value === "24" && document.querySelector('[name="context"]').value === "1,024"`)
}

func back(t *tab) error {
	before, err := t.text(count)
	if err != nil {
		return err
	}
	if err := t.write(`[name="model"]`, "gpt2"+enter); err != nil {
		return err
	}
	if err := t.until("GPT-2", count+` === "124439808"`); err != nil {
		return err
	}
	if _, err := t.call("browsingContext.traverseHistory", map[string]any{"delta": -1}); err != nil {
		return err
	}
	return t.until("the first model", count+` === "`+before+`" && document.querySelector('[name="model"]').value !== "gpt2"`)
}

func bad(t *tab) error {
	before, err := t.text(count)
	if err != nil {
		return err
	}
	const text = `{"model_type": "gpt2", "n_embd": "wide"}`
	// Through the clipboard: typed, cut, and pasted where no field has the focus.
	const field = `[name="config"]`
	if _, err := t.text(`document.querySelector("[data-other]").open = true, ""`); err != nil {
		return err
	}
	if err := errors.Join(t.write(field, text), t.press("a", control), t.press("x", control)); err != nil {
		return err
	}
	if _, err := t.text(`document.activeElement.blur(), ""`); err != nil {
		return err
	}
	if err := errors.Join(t.until("the field empty", `document.querySelector('`+field+`').value === ""`), t.press("v", control)); err != nil {
		return err
	}
	if err := t.until("the key named beside the field", `(`+problem+`).includes("n_embd")`); err != nil {
		return err
	}
	return t.until("the text kept, and the last good answer", `document.querySelector('[name="config"]').value === `+"`"+text+"`"+` && `+count+` === "`+before+`"`)
}

func themed(t *tab) error {
	const paper = `getComputedStyle(document.body).backgroundColor`
	choose := func(theme string) (string, error) {
		return t.text(`(() => { const s = document.querySelector("[data-theme-choice]"); s.value = "` + theme + `"; s.dispatchEvent(new Event("change", { bubbles: true })); return ` + paper + ` })()`)
	}
	light, err := choose("light")
	if err != nil {
		return err
	}
	dark, err := choose("dark")
	if err != nil {
		return err
	}
	if light == dark {
		return fmt.Errorf("light and dark paper are both %s", light)
	}
	if err := t.open("/models/"); err != nil {
		return err
	}
	return t.until("dark paper on the next page", paper+` === "`+dark+`"`)
}

// lenses looks further down, where a larger program answers.
func lenses(t *tab) error {
	if err := t.until("the lens laid out", `document.querySelector('[data-region="running"]').checkVisibility()`); err != nil {
		return err
	}
	if _, err := t.text(`(document.querySelector('[data-region="running"]').scrollIntoView(), "")`); err != nil {
		return err
	}
	before, err := t.text(`document.querySelector('[data-region="running"]').textContent`)
	if err != nil {
		return err
	}
	if err := t.write(`[name="context"]`, "65536"); err != nil {
		return err
	}
	return t.until("running it answered anew", `(() => { const r = document.querySelector('[data-region="running"]'); return !r.classList.contains("behind") && r.textContent !== `+"`"+strings.ReplaceAll(before, "`", "")+"`"+` })()`)
}

// without is what the page has to say when no script runs: it is read by the browser's own search for nodes.
func without(t *tab) error {
	for _, c := range []struct{ what, css string }{
		{"the note that scripts are off", "noscript p.note"}, {"the count", ".exactly"}, {"the drawing", "svg.plan"}, {"the table of tensors", "table.parts td"},
	} {
		got, err := t.call("browsingContext.locateNodes", map[string]any{"locator": map[string]any{"type": "css", "value": c.css}, "maxNodeCount": 1})
		if err != nil {
			return err
		}
		if nodes, _ := got["nodes"].([]any); len(nodes) == 0 {
			return fmt.Errorf("%s is not there", c.what)
		}
	}
	return nil
}

// until waits for a condition of the page. What it asks of may not be there before an answer is shown: then it is not so yet.
func (t *tab) until(what, condition string) error {
	for end := time.Now().Add(15 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		got, err := t.text(`String(Boolean(` + condition + `))`)
		if got == "true" {
			return nil
		}
		if time.Now().After(end) {
			if err != nil {
				return fmt.Errorf("%s does not come: %w", what, err)
			}
			where, _ := t.text(`location.href + " " + ` + count)
			return fmt.Errorf("%s does not come: %s at %s", what, condition, where)
		}
	}
}

// formulas comes by a link to a number: its formula is set in MathJax's font, on the line of the text.
func formulas(t *tab) error {
	if err := t.open("/?v=1&model=gpt2#at=bytes.cache"); err != nil {
		return err
	}
	if err := t.until("the formula set", `document.fonts.check("16px MJX-NCM-N") && document.querySelector(".bytes .in-symbols mjx-math mjx-c")`); err != nil {
		return err
	}
	const set = `document.querySelector(".bytes .in-symbols")`
	// Eleven signs at 16.9 px: as wide as they are drawn in any browser, give or take.
	if err := t.until("as wide and high as a line of it", `(() => { const b = `+set+`.getBoundingClientRect(); return b.width > 120 && b.width < 260 && b.height > 12 && b.height < 40 })()`); err != nil {
		return err
	}
	return t.until("its text beside it", `(`+set+`).parentNode.querySelector(".symbols").textContent.includes("layers")`)
}
