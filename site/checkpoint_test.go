package site_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"llmsize/core/checkpoint"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/units"
	"llmsize/site/view"
	"llmsize/wasm/hub/fetch"
	"llmsize/wasm/hub/hubtest"
)

// TestCheckpoints brings models from the hub and from files, as readers do.
func TestCheckpoints(t *testing.T) {
	flows(t, []flow{
		{"each kind of checkpoint has its verdict", verdicts},
		{"a class that nobody knows is answered from its files", nobodys},
		{"one of several files is chosen", chosen},
		{"an address and Enter fetch", entered},
		{"a link asks the hub on a click alone", askedOnClick},
		{"the plug is pulled midway", unplugged},
		{"what the hub refuses is said", refusedByHub},
		{"another question ends the reading", endsReading},
		{"files are read here", readHere},
	})
}

// onDisk reads a written checkpoint natively: its verdict as the page shows it, and what it comes to.
func onDisk(t *testing.T, name string) (hubtest.Written, *checkpoint.Verdict, string) {
	t.Helper()
	text, err := os.ReadFile("../core/checkpoint/testdata/written.txt")
	if err != nil {
		t.Fatal(err)
	}
	all, err := hubtest.ReadWritten(string(text))
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(w hubtest.Written) bool { return w.Name == name })
	if i < 0 {
		t.Fatalf("no checkpoint is called %s", name)
	}
	w := all[i]
	l := &checkpoint.List{}
	for _, n := range slices.Sorted(maps.Keys(w.Files)) {
		if !strings.HasSuffix(n, ".json") {
			if err := fetch.ReadHeader(l, n, w.Files[n].Size, bytes.NewReader(w.Files[n].Head)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := l.Finish(); err != nil {
		t.Fatal(err)
	}
	cfg := l.Config()
	if c, ok := w.Files["config.json"]; ok {
		v, fail := config.ParseObject(string(c.Head))
		if fail != nil {
			t.Fatal(fail)
		}
		cfg = v
	}
	m, fail := family.Describe(cfg, families.Library())
	if fail != nil || m.ReadAs != "" {
		m = nil
	}
	v := checkpoint.Verify(l, cfg, m)
	return w, &v, view.Verdict(&v, l)
}

// fetches asks for a model of the hub by its id.
func (p *page) fetches(id string) {
	p.t.Helper()
	p.fill("model", id)
	p.is("the id is offered", `document.querySelector('[data-field="model"] [data-fetch]')?.dataset.fetch === "`+id+`"`)
	eval[bool](p, `document.querySelector('[data-field="model"] [data-fetch]').click() ?? true`)
}

const region = `document.querySelector("[data-checkpoint]")`

// shows says that the region begins with what a verdict's HTML says.
func (p *page) shows(what, html string) {
	p.t.Helper()
	p.is(what, region+`.textContent.startsWith(Object.assign(document.createElement("div"), { innerHTML: `+quote(html)+` }).textContent)`)
}

func verdicts(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.is("nothing of it is loaded before", `!performance.getEntriesByType("resource").some((r) => /hub|verify|checkpoint/.test(r.name))`)
	for _, name := range []string{"llama-parts", "tied-twice", "ahead", "gptq", "awq", "mxfp4", "fp8", "gguf-llama", "no-last-norm"} {
		w, v, html := onDisk(t, name)
		if want := w.Verdict; v.Config != w.Class || !strings.HasPrefix(want, v.Verdict) {
			t.Fatalf("%s: natively %s of %d, want %s of %d", name, v.Verdict, v.Config, want, w.Class)
		}
		p.fetches("written/" + name)
		p.shows(name+": the verdict, to the element, with its reason", html)
		p.is(name+": the class has what torch counts", region+`.textContent.includes(`+quote("class"+units.Group(w.Class))+`)`)
		p.counts(fmt.Sprint(w.Class))
		p.is(name+": the link names the model at its commit", `location.search.startsWith("?v=1&model=written/`+name+"@"+hubs.Commit("written/"+name)+`") && location.hash === ""`)
	}
	if hubs.Sent() > 256<<20 {
		t.Errorf("%d bytes were sent: weights were read", hubs.Sent())
	}
}

func nobodys(t *testing.T, url string) {
	_, v, html := onDisk(t, "nobodys")
	p := open(t, url, "/")
	p.ready()
	p.fetches("written/nobodys")
	p.shows("the checkpoint is alone", html)
	p.counts(fmt.Sprint(v.Parameters))
	p.is("it is drawn", `document.querySelector('[data-region="wide"] svg .m')`)
	p.is("what is assumed is said", `document.querySelector('[data-region="count"]').textContent.includes("headers alone")`)
	p.is("the count is exact", `document.querySelector('[data-region="count"] .status').textContent === "exact"`)
	for _, id := range []string{"fit", "bytes", "running", "training", "compute"} {
		p.is(id+" is marked as an estimate, with what is assumed", `document.querySelector('[data-region="`+id+`"] .status.estimate')?.closest("p").textContent.includes("headers alone")`)
	}
	before := eval[string](p, `document.querySelector('[data-region="running"]').textContent`)
	p.fill("context", "512")
	p.is("an edit is answered from the files", `location.search.endsWith("&context=512") && document.querySelector('[data-region="running"]').textContent !== `+quote(before))
	p.counts(fmt.Sprint(v.Parameters))
	p.is("the verdict stays", region+`.querySelector("[data-verdict]")`)
}

func chosen(t *testing.T, url string) {
	_, v, html := onDisk(t, "gguf-llama")
	p := open(t, url, "/")
	p.ready()
	p.fetches("a/ggufs")
	p.is("the files are listed", `[...`+region+`.querySelectorAll("li button")].map((b) => b.textContent).join() === "m-F16.gguf,m-Q8_0.gguf"`)
	eval[bool](p, region+`.querySelectorAll("li button")[1].click() ?? true`)
	p.shows("the one that was chosen is read", html)
	p.counts(fmt.Sprint(v.Config))
	p.is("the link names the file", `location.search === "?v=1&model=a/ggufs@`+hubs.Commit("a/ggufs")+`:m-Q8_0.gguf"`)
}

func entered(t *testing.T, url string) {
	w, _, html := onDisk(t, "qwen3")
	p := open(t, url, "/")
	p.ready()
	p.typed("model", hubs.URL+"/written/qwen3/tree/main")
	p.is("an address is offered", options+`.at(-1)?.textContent.startsWith("Fetch ")`)
	p.keys(kb.Enter)
	p.shows("it is fetched", html)
	p.counts(fmt.Sprint(w.Class))
	eval[bool](p, `history.back() ?? true`)
	p.is("back is the model before", `document.querySelector('[name="model"]').value === "Llama 3.1 8B" && `+region+`.hidden`)
	n := len(asks("written/qwen3/"))
	eval[bool](p, `history.forward() ?? true`)
	p.counts(fmt.Sprint(w.Class))
	if again := len(asks("written/qwen3/")); again != n {
		t.Errorf("going back to it asked the hub %d times more", again-n)
	}
}

// asks are the requests that name a model.
func asks(model string) (list []string) {
	for _, line := range hubs.Log() {
		if strings.Contains(line, model) {
			list = append(list, line)
		}
	}
	return list
}

func askedOnClick(t *testing.T, url string) {
	w, _, html := onDisk(t, "gemma2")
	before := len(asks("written/gemma2/")) // of a run before this one
	p := open(t, url, "/?v=1&model=written/gemma2@main&set.rope_theta=5000&context=2048")
	p.is("the link's model is shown, with a way to fetch it", `document.querySelector('[name="model"]').value === "written/gemma2@main" && document.querySelector('[data-field="model"] [data-fetch]')?.textContent === "Fetch written/gemma2@main"`)
	p.calm()
	if asked := asks("written/gemma2/"); len(asked) > before {
		t.Errorf("the hub was asked before: %s", asked[before:])
	}
	eval[bool](p, `document.querySelector('[data-field="model"] [data-fetch]').click() ?? true`)
	p.counts(fmt.Sprint(w.Class))
	p.shows("it is held against its files", html)
	p.is("the rest of the question stays", `location.search === "?v=1&model=written/gemma2@`+hubs.Commit("written/gemma2")+`&set.rope_theta=5000&context=2048"`)
}

func unplugged(t *testing.T, url string) {
	w, _, html := onDisk(t, "llama-parts")
	p := open(t, url, "/")
	p.expected = "Failed to load"
	p.ready()
	p.fetches("a/slow")
	p.counts(fmt.Sprint(w.Class)) // of the config, before the headers are in
	hubs.Unplug("a/slow", true)
	p.is("the page says so", region+`.querySelector(".error")?.textContent.includes("could not be reached")`)
	p.is("and what stays", region+`.textContent.includes("The answer from the config stays.")`)
	p.counts(fmt.Sprint(w.Class))
	hubs.Unplug("a/slow", false)
	eval[bool](p, `[...`+region+`.querySelectorAll("button")].find((b) => b.textContent === "Try again").click() ?? true`)
	p.shows("it recovers", html)
}

func refusedByHub(t *testing.T, url string) {
	p := open(t, url, "/")
	p.expected = "Failed to load|CORS policy"
	p.ready()
	for id, want := range map[string]string{
		"a/none":    "The hub shows no model a/none to the public",
		"a/gated":   "a/gated is gated: the hub shows its files to people who accepted its terms. Open the model's page where you are signed in, copy its config.json, and paste it here.",
		"a/limited": "The hub answers no more requests from this address for a while",
		"a/secret":  "or the browser withholds its answer",
	} {
		p.fetches(id)
		p.is(id+": "+want, `document.querySelector('[data-field="model"] .error')?.textContent.includes(`+quote(want)+`) && `+region+`.hidden`)
	}
	for id, want := range map[string]string{"a/pickle": "reading one runs code", "a/gpt2": "holds no checkpoint beside its config"} {
		p.fetches(id)
		p.is(id+": "+want, region+`.querySelector(".error")?.textContent.includes(`+quote(want)+`)`)
		p.counts(fmt.Sprint(gpt2))
	}
	_, _, html := onDisk(t, "llama-parts")
	for _, id := range []string{"a/whole", "a/busy"} {
		p.fetches(id)
		p.shows(id+" is read all the same", html)
	}
}

func endsReading(t *testing.T, url string) {
	w, _, _ := onDisk(t, "llama-parts")
	p := open(t, url, "/")
	p.ready()
	p.fetches("a/late")
	p.counts(fmt.Sprint(w.Class))
	p.is("it says how far it is", region+`.querySelector("progress") && /headers/.test(`+region+`.textContent)`)
	p.fill("context", "512")
	p.is("how it is used is no other model", `location.search.endsWith("&context=512") && !`+region+`.hidden`)
	p.fill("model", "gpt2")
	p.counts(fmt.Sprint(gpt2))
	p.is("the reading is over", region+`.hidden && `+region+`.textContent === ""`)
	p.fetches("a/late")
	p.is("it can be stopped", region+`.querySelector("button")?.textContent === "Stop"`)
	eval[bool](p, region+`.querySelector("button").click() ?? true`)
	p.is("it is stopped", region+`.hidden`)
	p.counts(fmt.Sprint(gpt2))
}

func readHere(t *testing.T, url string) {
	held := func(name string) string {
		w, _, _ := onDisk(t, name)
		s := `const held = new DataTransfer();`
		for _, n := range slices.Sorted(maps.Keys(w.Files)) {
			f := w.Files[n]
			s += fmt.Sprintf(` held.items.add(new File([Uint8Array.from(atob(%q), (c) => c.charCodeAt(0)), new Uint8Array(%d)], %q));`, base64.StdEncoding.EncodeToString(f.Head), max(f.Size-int64(len(f.Head)), 0), n)
		}
		return s
	}
	p := open(t, url, "/")
	p.ready()
	before := len(hubs.Log())
	w, _, html := onDisk(t, "gptq")
	eval[bool](p, `(() => { `+held("gptq")+` const e = document.querySelector('[name="file"]'); e.files = held.files; e.dispatchEvent(new Event("change", { bubbles: true })); return true })()`)
	p.shows("files that were chosen are read", html)
	p.counts(fmt.Sprint(w.Class))
	p.is("their config is in the link", `location.hash.startsWith("#config=")`)
	p.is("the page says that they stay", region+`.textContent.includes("Nothing was sent anywhere")`)
	w, _, html = onDisk(t, "gguf-qwen2")
	eval[bool](p, `(() => { `+held("gguf-qwen2")+` document.querySelector("h1").dispatchEvent(new DragEvent("drop", { dataTransfer: held, bubbles: true, cancelable: true })); return true })()`)
	p.shows("a GGUF file that was dropped is read", html)
	p.counts(fmt.Sprint(w.Class))
	_, v, html := onDisk(t, "nobodys")
	drop := `document.querySelector("h1").dispatchEvent(new DragEvent("drop", { dataTransfer: held, bubbles: true, cancelable: true }));`
	bad := `const held = new DataTransfer(); held.items.add(new File(["<!doctype html><title>Sign in"], "model.safetensors")); ` + drop
	eval[bool](p, `(() => { `+held("nobodys")+drop+` return true })()`)
	p.shows("so are files of a class that nobody knows", html)
	p.is("the answer is theirs", `document.querySelector('[data-region="count"]').textContent.includes("headers alone")`)
	p.counts(fmt.Sprint(v.Parameters))
	// A bad file comes as soon as the verdict shows, which is before the page has its answer: that answer, asked before, ends nothing.
	eval[bool](p, `(() => {
		const seen = new MutationObserver(() => { if (`+region+`.querySelector("[data-verdict]")) { seen.disconnect(); globalThis.early = !document.querySelector('[data-region="count"]').textContent.includes("headers alone"); `+bad+` } });
		document.querySelector('[name="model"]').dispatchEvent(new ClipboardEvent("paste", { clipboardData: (() => { const d = new DataTransfer(); d.setData("text/plain", `+quote(gpt2Config)+`); return d })(), bubbles: true, cancelable: true }));
		seen.observe(`+region+`, { childList: true });
		`+held("nobodys")+drop+` return true })()`)
	p.is("a bad file is named", region+`.querySelector(".error")?.textContent.includes("model.safetensors") && `+region+`.textContent.includes("web page")`)
	p.is("the answer of the files before it comes all the same", `globalThis.early && document.querySelector('[data-region="count"]').textContent.includes("headers alone")`)
	p.is("the bad file is named still", region+`.querySelector(".error")?.textContent.includes("model.safetensors")`)
	// A folder that is dropped is opened: a browser gives its entries a hundred at a time, and other things lie beside the checkpoint and above it.
	w, _, html = onDisk(t, "llama-parts")
	eval[bool](p, `(() => { `+held("llama-parts")+`
		const file = (f, at) => ({ isFile: true, fullPath: at + f.name, file: (take) => take(f) });
		const folder = (all, at) => ({ isDirectory: true, fullPath: at, createReader: () => { let i = 0; return { readEntries: (take) => take(all.slice(i, i += 100)) } } });
		const noise = Array.from({ length: 250 }, (_, i) => file(new File(["x"], "note-" + i + ".txt"), "/models/llama/"));
		const inner = folder([...noise, ...[...held.files].map((f) => file(f, "/models/llama/")), folder([file(new File(["{}"], "config.json"), "/models/llama/old/")], "/models/llama/old")], "/models/llama");
		const event = new Event("drop", { bubbles: true, cancelable: true });
		Object.defineProperty(event, "dataTransfer", { value: { types: ["Files"], files: [], items: [{ webkitGetAsEntry: () => folder([inner], "/models") }] } });
		document.querySelector("h1").dispatchEvent(event); return true })()`)
	p.shows("a folder that was dropped is read", html)
	p.counts(fmt.Sprint(w.Class))
	eval[bool](p, `document.querySelector('[name="model"]').dispatchEvent(new ClipboardEvent("paste", { clipboardData: (() => { const d = new DataTransfer(); d.setData("text/plain", `+quote(gpt2Config)+`); return d })(), bubbles: true, cancelable: true })) ?? true`)
	p.counts(fmt.Sprint(gpt2))
	p.is("another config ends it", region+`.hidden`)
	if after := len(hubs.Log()); after < before {
		t.Error("the log shrinks")
	}
	for _, r := range eval[[]string](p, `performance.getEntriesByType("resource").map((r) => r.name)`) {
		if !strings.HasPrefix(r, url) {
			t.Errorf("%s was asked", r)
		}
	}
}
