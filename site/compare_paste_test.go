package site_test

import (
	"strconv"
	"strings"
	"testing"
)

// A Mamba, whose family the page of a Llama does not have.
const mambaConfig = `{"architectures": ["MambaForCausalLM"], "model_type": "mamba", "num_hidden_layers": 2}`

const swap, clear = `[data-aside="compare"] [data-go="S"]`, `[data-aside="compare"] [data-go="C"]`

// sides waits until the comparison leads from one exact number of parameters to another.
func (p *page) sides(from, to int) {
	p.t.Helper()
	p.is("it compares "+strconv.Itoa(from)+" with "+strconv.Itoa(to), `(() => { const all = [...(`+comparison+`?.querySelector("table.fall")?.querySelectorAll("tr.whole > td") ?? [])].map((td) => td.textContent); return all[0] === "`+strconv.Itoa(from)+`" && all[1] === "`+strconv.Itoa(to)+`" })()`)
}

// compares opens what asks for another side.
func (p *page) compares() {
	p.t.Helper()
	p.click(`[data-more="compare"]`)
	p.is("it asks for another side", `document.querySelector('[name="vs-config"]')`)
}

func pastedSecond(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.compares()
	p.fill("vs-config", gpt2Config)
	p.sides(llama, gpt2)
	p.says(comparison, "a gpt2 config")
	p.is("the link carries it", `location.search === "?v=1" && /^#vs\.config=[\w-]{30,}$/.test(location.hash)`)
	p.counts(strconv.Itoa(llama))
	p.fill("context", "1024")
	p.is("an edit is about both sides", `location.search === "?v=1&context=1024" && location.hash.startsWith("#vs.config=") && !document.querySelector(".otherwise")`)
	p.calm() // every part of the comparison is about the edit
	link := eval[string](p, "location.search + location.hash")
	text := eval[string](p, comparison+`.textContent`)

	other := open(t, url, "/"+link)
	other.sides(llama, gpt2)
	other.is("the link opens to the same", comparison+`.textContent === `+quote(text))
	other.is("its config stands in the field", `document.querySelector('[name="vs-config"]').value.includes("gpt2")`)
	other.is("the address stays", `location.search + location.hash === `+quote(link))
	other.close()
	// Without a query, as somebody may cut it.
	bare := open(t, url, "/"+link[strings.IndexByte(link, '#'):])
	bare.sides(llama, gpt2)
	bare.close()

	eval[bool](p, `history.back() ?? true`)
	p.is("Back undoes it", `location.hash === "" && !document.querySelector(".sides") && document.querySelector('[name="vs-config"]').value === ""`)
	eval[bool](p, `history.forward() ?? true`)
	p.sides(llama, gpt2)

	// The other way round the config is the first side's, and the model the other's.
	p.click(swap)
	p.counts(strconv.Itoa(gpt2))
	p.sides(gpt2, llama)
	p.is("the address is swapped", `location.search === "?v=1&context=1024&vs=llama-3.1-8b" && location.hash.startsWith("#config=")`)
	again := open(t, url, "/"+eval[string](p, "location.search + location.hash"))
	again.sides(gpt2, llama)
	again.close()
	p.click(swap)
	p.sides(llama, gpt2)
	p.is("and back", `location.search + location.hash === `+quote(link))
	eval[bool](p, `history.back() ?? true`)
	p.sides(gpt2, llama)
	eval[bool](p, `history.back() ?? true`)
	p.sides(llama, gpt2)
	p.click(clear)
	p.is("it is cleared", `location.search === "?v=1&context=1024" && location.hash === "" && !document.querySelector(".sides")`)
	// A model takes the config's place.
	p.fill("vs-config", gpt2Config)
	p.sides(llama, gpt2)
	p.fill("vs", "mamba-130m")
	p.is("the model stands in the address", `location.search === "?v=1&context=1024&vs=mamba-130m" && location.hash === ""`)
	p.says(comparison, "Mamba")
	p.fill("vs-config", gpt2Config)
	p.is("and the other way", `location.search === "?v=1&context=1024" && location.hash.startsWith("#vs.config=") && document.querySelector('[name="vs"]').value === ""`)
}

func pastedBoth(t *testing.T, url string) {
	p := open(t, url, "/#config="+pack(gpt2Config)+"&vs.config="+pack(strings.Replace(gpt2Config, "12", "24", 1)))
	p.sides(gpt2, gpt2Deep)
	p.fill("batch", "4")
	p.is("the address has both", `/^#config=[\w-]+&vs\.config=[\w-]+$/.test(location.hash) && location.search === "?v=1&batch=4"`)
	p.wake()
	p.is("the link that is offered has both", `document.querySelector("[data-link]").textContent.endsWith(location.search + location.hash)`)
	p.click(swap)
	p.sides(gpt2Deep, gpt2)
	p.is("the configs have changed places", `location.hash === "#config=`+pack(strings.Replace(gpt2Config, "12", "24", 1))+`&vs.config=`+pack(gpt2Config)+`" && document.querySelector('[name="config"]').value.includes("24")`)
	p.fill("set.n_layer", "12")
	p.says(comparison, "Parameters: the same, 124 M")
	p.click(swap)
	p.is("what was changed goes along", `location.search === "?v=1&batch=4&vs.set.n_layer=12"`)
	// A number that is linked to is behind both.
	eval[bool](p, `(document.querySelector(".bytes details").open = true)`)
	p.click(".bytes number-link button")
	p.is("the number's link has both", `/^#config=[\w-]+&vs\.config=[\w-]+&at=bytes\.weights$/.test(location.hash)`)
	p.visit("/models/gpt2/?v=1&model=gpt2#vs.config=" + pack(mambaConfig))
	p.says(comparison, "a mamba config")
}

func pastedFile(t *testing.T, url string) {
	held := `const held = new DataTransfer(); held.items.add(new File([` + quote(gpt2Config) + `], "config.json", { type: "application/json" })); const section = document.querySelector('[data-aside="compare"]')`
	p := open(t, url, "/")
	p.ready()
	p.compares()
	eval[bool](p, `(() => { `+held+`; document.querySelector("h1").dispatchEvent(new DragEvent("dragover", { dataTransfer: held, bubbles: true, cancelable: true })); section.querySelector("h2").dispatchEvent(new DragEvent("dragover", { dataTransfer: held, bubbles: true, cancelable: true })); return true })()`)
	p.is("the section says that it takes it", `document.querySelector(".aside.over") && !document.documentElement.classList.contains("dropping")`)
	eval[bool](p, `(() => { `+held+`; section.querySelector("h2").dispatchEvent(new DragEvent("drop", { dataTransfer: held, bubbles: true, cancelable: true })); return true })()`)
	p.sides(llama, gpt2)
	p.counts(strconv.Itoa(llama))
	p.is("it is marked no more", `!document.querySelector(".aside.over")`)
	p.click(clear)
	p.is("it is cleared", `!document.querySelector(".sides")`)
	eval[bool](p, `(() => { `+held+`; const e = document.querySelector('[name="vs-file"]'); e.files = held.files; e.dispatchEvent(new Event("change", { bubbles: true })); return true })()`)
	p.sides(llama, gpt2)
	p.click(clear)
	p.is("it is cleared again", `!document.querySelector(".sides")`)
	// A config that is pasted into the field for a model is meant as a config.
	eval[bool](p, `(() => { const clipboardData = new DataTransfer(); clipboardData.setData("text", `+quote(gpt2Config)+`); document.querySelector('[name="vs"]').dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true })); return true })()`)
	p.sides(llama, gpt2)
}

func pastedBad(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.compares()
	for _, c := range []struct{ text, want string }{
		{`{"model_type": "gpt2",`, "the text ends too early"}, {`{"model_type": "no-such-type"}`, "no-such-type"}, {`[1]`, "JSON object"}, {`{"model_type": "gpt2", "n_embd": "wide"}`, "n_embd"},
	} {
		p.fill("vs-config", c.text)
		p.says(comparison+`?.querySelector(".error")`, c.want)
		p.is("the text is kept", `document.querySelector('[name="vs-config"]').value === `+quote(c.text))
		p.is("it goes into no link", `location.hash === ""`)
		p.counts(strconv.Itoa(llama))
	}
	// The families of all types were loaded for one that is not known; here a family is needed.
	p.close()
	p = open(t, url, "/#vs.config="+pack(mambaConfig))
	p.says(comparison, "a mamba config")
	p.is("that family alone is loaded", `performance.getEntriesByType("resource").map((r) => r.name).filter((name) => name.includes("/families-")).map((name) => name.split("/").pop()).join() === "index.txt,mamba.txt"`)
	p.is("its layers are counted", comparison+`.textContent.includes("only the second keeps it")`)
}

func pastedLimits(t *testing.T, url string) {
	noise := `Array.from({ length: 3600 }, (_, i) => Math.imul(i + 1, 2654435761).toString(36) + Math.random().toString(36).slice(2, 10)).join("")`
	p := open(t, url, "/")
	p.ready()
	large := `(name) => { const e = document.querySelector('[name="' + name + '"]'); e.value = JSON.stringify({ ...` + gpt2Config + `, _name_or_path: ` + noise + ` }); e.dispatchEvent(new Event("input", { bubbles: true })); return true }`
	eval[bool](p, `(`+large+`)("config")`)
	p.counts(strconv.Itoa(gpt2))
	p.is("one of them is carried", `location.hash.length > 40000 && location.hash.length < 65536`)
	p.compares()
	eval[bool](p, `(`+large+`)("vs-config")`)
	p.says(comparison, "Parameters: the same, 124 M")
	p.says(`document.querySelector('[data-aside="compare"] [data-said]')`, "too large for one link")
	p.is("the address does not pretend", `!location.hash.includes("vs.config")`)
	p.close()
	packed := pack(gpt2Config)
	for _, c := range []struct{ hash, says string }{
		{"#vs.config=" + packed[:len(packed)-8], "cut off or changed"},
		{"#vs.config=" + strings.Repeat("A", 64<<10+1), "longer than 64 kB"},
		{"#config=" + packed + "&vs.config=" + strings.Repeat("A", 64<<10-10), "together longer than 64 kB"},
		{"#vs.config=" + pack(strings.Repeat(" ", 30<<20)), "unpacks to more than 1 MB"},
	} {
		other := open(t, url, "/"+c.hash)
		other.says(`document.querySelector('[data-aside="compare"] [data-said]')`, c.says)
		if got, want := other.count(), strconv.Itoa(map[bool]int{true: gpt2, false: llama}[strings.HasPrefix(c.hash, "#config")]); got != want {
			t.Errorf("%.20s counts %s, want %s", c.hash, got, want)
		}
		other.close()
	}
}

// pastedKept: an answer to a pasted config is kept, then another model chosen.
func pastedKept(t *testing.T, url string) {
	p := open(t, url, "/")
	p.fill("config", gpt2Config)
	p.counts(strconv.Itoa(gpt2))
	p.is("its keys have fields", `document.querySelector('[name="set.n_layer"]')`)
	p.fill("set.n_layer", "24")
	p.counts(strconv.Itoa(gpt2Deep))
	p.compares()
	p.click(`[data-keep]`)
	p.fill("model", "llama-3.1-8b")
	p.sides(llama, gpt2Deep)
	p.is("it travels as the other side", `location.search === "?v=1&vs.set.n_layer=24" && /^#vs\.config=[\w-]{30,}$/.test(location.hash)`)
}

func compareTimes(t *testing.T, url string) {
	p := open(t, url, "/?v=1&context=1&vs.batch=1024&vs.context=1048576")
	p.says(comparison, "Time of one new token, at best")
	row := func(name string) string {
		return `[...` + comparison + `.querySelectorAll(".sides tbody")].find((b) => b.querySelector("summary")?.textContent.includes(` + quote(name) + `))`
	}
	p.is("a time opens", `(`+row("Time of one new token")+`.querySelector("details").open = true)`)
	p.is("it says what binds", row("Time of one new token")+`.textContent.includes("What binds: memory")`)
	p.is("a drawing is shown", row("Time of one new token")+`.querySelector("svg.waterfall").checkVisibility()`)
	p.is("what fits opens", `(`+row("Fits the device")+`.querySelector("details").open = true)`)
	p.is("it says which term decides", row("Fits the device")+`.textContent.includes("What decides it: cache")`)
	// The steps of both add up.
	for _, name := range []string{"Time of one new token", "Time of the prefill", "Fits the device"} {
		p.is(name+" adds up", `(() => { const rows = [...`+row(name)+`.querySelectorAll("table.fall tr")].map((tr) => [tr.classList.contains("whole"), Number(tr.cells[1].textContent.replace("−", "-").replaceAll(/[^\d-]/g, ""))]); const last = rows.pop()[1]; return rows.length > 1 && rows.reduce((n, [, x]) => n + x, 0) === last })()`)
	}
}
