package site_test

import (
	"context"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	protocol "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"llmsize/build/pages"
	"llmsize/build/project"
	"llmsize/build/serve"
	"llmsize/build/toolchain"
	"llmsize/build/toolchain/browser"
	"llmsize/wasm/hub/hubtest"
)

// catalogue is the part of it that these tests build: small, and of all shapes.
var catalogue = []string{"llama-3.1-8b", "gpt2", "mixtral-8x7b", "deepseek-v3", "gemma-2-9b", "t5-v1.1-base", "bert-base-uncased", "mamba-130m"}

// dist is the folder of the site that host has built, and compiler the one that made the page's programs: their size depends on it.
var dist, compiler string

// patient is how many flows run at a time unless -parallel says otherwise. They wait more than they work: for frames,
// for programs, for what a page leaves for later.
const patient = "4"

// temporary is the folder of what all tests share.
var temporary string

func TestMain(m *testing.M) {
	flag.Parse()
	chosen := false
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "test.parallel" })
	var err error
	if !chosen {
		err = flag.Set("test.parallel", patient)
	}
	if err == nil {
		temporary, err = os.MkdirTemp("", "llmsize")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if flag.Lookup("test.bench").Value.String() == "" {
		browser.Brief()
	}
	release := browser.Keep()
	code := m.Run()
	release()
	if err := os.RemoveAll(temporary); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// host serves the site with a few models, as it is published: the same to all tests, built for the first one that asks.
func host(t testing.TB) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the site")
	}
	url, err := hosted()
	if err != nil {
		t.Fatal(err)
	}
	return url
}

var hosted = sync.OnceValues(func() (string, error) {
	root, err := toolchain.Root(".")
	if err != nil {
		return "", err
	}
	dir := filepath.Join(temporary, "few")
	if err := os.CopyFS(filepath.Join(dir, "site"), os.DirFS(filepath.Join(root, "site"))); err != nil {
		return "", err
	}
	const device = "h100-sxm-80gb" // the one that a query means that names none
	copied := []string{"devices/" + device, "devices/rtx-4090-24gb", "devices/apple-m2-ultra-192gb"}
	for _, slug := range catalogue {
		copied = append(copied, "models/"+slug)
	}
	for _, name := range copied {
		if err := copyFile(filepath.Join(dir, "content", name+".json"), filepath.Join(root, "content", name+".json")); err != nil {
			return "", err
		}
	}
	engines, err := filepath.Glob(filepath.Join(root, "content", "engines", "*.toml"))
	if err != nil || len(engines) == 0 {
		return "", fmt.Errorf("%d engines, %v", len(engines), err)
	}
	for _, file := range engines {
		if err := copyFile(filepath.Join(dir, "content", "engines", filepath.Base(file)), file); err != nil {
			return "", err
		}
	}
	for name, text := range map[string]string{"example.md": chapter, "tasks.md": tasksChapter} {
		if err := writeFile(filepath.Join(dir, "content", "chapters", name), []byte(text)); err != nil {
			return "", err
		}
	}
	// A device's page says what it holds of them.
	if err := writeFile(filepath.Join(dir, "content", "popular.toml"), []byte(`models = ["llama-3.1-8b"]`)); err != nil {
		return "", err
	}
	hub, err := stocked(root)
	if err != nil {
		return "", err
	}
	p := &project.Project{Root: root, Source: dir, Dist: filepath.Join(dir, "dist"), URL: "https://example.org", Hub: hub}
	if _, _, err := p.Build(context.Background(), nil); err != nil {
		return "", err
	}
	dist, compiler = p.Dist, p.Compiler
	return httptest.NewServer(serve.Handler(dist, serve.Options{})).URL, nil
})

const chapter = `+++
title = "An example"
description = "A chapter with figures."
question = "How do figures look in a text?"
date = 2026-11-21
query = "model=gpt2"
+++

GPT-2 has {= parameters.total =} parameters.

::: figure kind=calculator id=fig-one
The calculator at GPT-2.
:::

::: figure kind=drawing query="model=mixtral-8x7b"
Eight experts.
:::

::: figure kind=bar
By role.
:::

::: figure kind=table
Every component.
:::

## Figures that are shown {#shown}

The chapter's figures are drawn to scale.
Attention and feed-forward have \(12h^2\) parameters in each of \(L\) layers.

::: figure kind=kv query="context=512"
The cache.
:::

::: figure kind=timeline
While it answers.
:::

::: figure kind=roofline
What bounds it.
:::

::: figure kind=step
While it is trained.
:::

::: figure kind=size
Wider and deeper.
:::
`

func writeFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}

func copyFile(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return writeFile(to, data)
}

// hubs is the model hub that the site asks: the same for all tests.
var hubs *hubtest.Hub

// stocked fills it with checkpoints that real writers made, and with what goes wrong.
func stocked(root string) (pages.Hub, error) {
	text, err := os.ReadFile(filepath.Join(root, "core", "checkpoint", "testdata", "written.txt"))
	if err != nil {
		return pages.Hub{}, err
	}
	written, err := hubtest.ReadWritten(string(text))
	if err != nil {
		return pages.Hub{}, err
	}
	hubs, _ = hubtest.New()
	for _, w := range written {
		hubs.Files("written/"+w.Name, w.Files, hubtest.Trouble{})
		if w.Name == "llama-parts" {
			hubs.Files("a/slow", w.Files, hubtest.Trouble{Slow: 200 * time.Millisecond})
			hubs.Files("a/late", w.Files, hubtest.Trouble{Slow: 2 * time.Second})
			hubs.Files("a/whole", w.Files, hubtest.Trouble{NoRange: true})
			hubs.Files("a/busy", w.Files, hubtest.Trouble{Busy: 1})
			hubs.Files("a/secret", w.Files, hubtest.Trouble{NoCORS: true})
			hubs.Files("a/gated", w.Files, hubtest.Trouble{Gated: true, Token: "none"})
			hubs.Files("a/limited", w.Files, hubtest.Trouble{Busy: 1 << 20, Retry: "600"})
		}
		if w.Name == "gguf-llama" {
			for _, f := range w.Files {
				hubs.Files("a/ggufs", map[string]hubtest.File{"m-Q8_0.gguf": f, "m-F16.gguf": f}, hubtest.Trouble{})
			}
		}
	}
	hubs.Files("a/gpt2", map[string]hubtest.File{"config.json": {Head: []byte(gpt2Config)}}, hubtest.Trouble{})
	hubs.Files("a/pickle", map[string]hubtest.File{"config.json": {Head: []byte(gpt2Config)}, "pytorch_model.bin": {Head: []byte("PK\x03\x04")}}, hubtest.Trouble{})
	return pages.HubAt(hubs.URL, hubs.Data)
}

// page is a tab with a page of the site.
type page struct {
	t   testing.TB
	tab context.Context
	url string

	mu         sync.Mutex
	complaints []string // what the browser has to say about the page
	expected   string   // a word of the complaints that the test is about; several with "|" between

	kept    bool // the worker that keeps the site for when there is no network may start
	loading loading
	closing sync.Once
	leave   func()
}

// flow is something that a reader does, tried on the site at an address.
type flow struct {
	name string
	test func(t *testing.T, url string)
}

// flows tries each in a browser of its own profile, several at a time, over one site.
func flows(t *testing.T, all []flow) {
	t.Helper()
	t.Parallel()
	url := host(t)
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.test(t, url)
		})
	}
}

// open opens a path in a tab of its own. setup runs before the page loads.
func open(t testing.TB, url, path string, setup ...func(p *page)) *page {
	t.Helper()
	p := &page{t: t, url: url, loading: watched()}
	p.tab, p.leave = browser.OpenTab(t)
	err := chromedp.Listen(p.tab, func(event any) {
		p.loading.observe(event)
		text := ""
		switch e := event.(type) {
		case *log.EventEntryAdded:
			text = e.Entry.Text
		case *runtime.EventExceptionThrown:
			text = e.ExceptionDetails.Text
			if e.ExceptionDetails.Exception != nil {
				text += " " + e.ExceptionDetails.Exception.Description
			}
		}
		// What a closed part measures is Chromium's hint about speed: tests ask for colours and sizes there.
		if text != "" && !strings.Contains(text, "favicon") && !strings.HasPrefix(text, "Rendering was performed in a subtree hidden by content-visibility") {
			p.mu.Lock()
			p.complaints = append(p.complaints, text)
			p.mu.Unlock()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(p.tab, serviceworker.Enable, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(p.tab, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		t.Fatal(err)
	}
	p.first(starts)
	p.size(1280, 800)
	for _, f := range setup {
		f(p)
	}
	if !p.kept {
		p.first(keepsNothing)
	}
	p.visit(path)
	t.Cleanup(p.close)
	return p
}

// close closes the tab, once, and tells what the browser had to say about the page.
func (p *page) close() {
	p.closing.Do(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, c := range p.complaints {
			if p.expected == "" || !slices.ContainsFunc(strings.Split(p.expected, "|"), func(word string) bool { return strings.Contains(c, word) }) {
				p.t.Error("the browser complains:", c)
			}
		}
		p.leave()
	})
}

func (p *page) visit(path string) {
	p.t.Helper()
	p.loading.begin()
	limited, cancel := context.WithTimeout(p.tab, patience)
	defer cancel()
	if err := chromedp.Do(limited, chromedp.Navigate(p.url+path)); err != nil {
		p.t.Fatalf("%s does not load: %v: %s", path, err, p.loading.say(p.tab))
	}
}

func (p *page) size(width, height int64) {
	p.t.Helper()
	if err := chromedp.Do(p.tab, chromedp.EmulateViewport(width, height)); err != nil {
		p.t.Fatal(err)
	}
}

// medium shows the page as on paper, "print", or on a "screen".
func (p *page) medium(name string) {
	p.t.Helper()
	if _, err := chromedp.Call(p.tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: name}); err != nil {
		p.t.Fatal(err)
	}
}

// media sets what the reader's system prefers: "prefers-color-scheme", "dark".
func (p *page) media(feature, value string) {
	p.t.Helper()
	_, err := chromedp.Call(p.tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: feature, Value: value}}})
	if err != nil {
		p.t.Fatal(err)
	}
}

// keys presses keys.
func (p *page) keys(text string) {
	p.t.Helper()
	// As a keyboard does: what a page takes of a raw key types no letter.
	raw := func(k *input.DispatchKeyEventParams) {
		if k.Type == kb.KeyDown {
			k.Type = input.DispatchKeyEventTypeRawKeyDown
		}
	}
	if err := chromedp.Do(p.tab, chromedp.KeyEvent(text, raw)); err != nil {
		p.t.Fatal(err)
	}
}

// eval runs a script, which may be a promise, and returns what it gives.
func eval[T any](p *page, script string) T {
	p.t.Helper()
	v, err := chromedp.Run(p.tab, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%s: %v", script, err)
	}
	return v
}

// is checks a condition that has to hold now or soon.
func (p *page) is(what, condition string) {
	p.t.Helper()
	p.soon(what, "Boolean("+condition+")")
}

// soon checks that a script, which may be a promise, gives true now or soon. Between two pages, and
// before the next one is whole, there may be nothing to ask: that is not so yet.
func (p *page) soon(what, script string) {
	p.t.Helper()
	p.within(patience, what, script)
}

// within is soon with a time of its own.
func (p *page) within(limit time.Duration, what, script string) {
	p.t.Helper()
	wait := 10 * time.Millisecond
	for end := time.Now().Add(limit); ; time.Sleep(wait) {
		wait = min(2*wait, 80*time.Millisecond) // asking costs the page what it is asked for
		so, err := chromedp.Run(p.tab, chromedp.Evaluate[bool](script, chromedp.EvalAwaitPromise))
		if so && err == nil {
			return
		}
		if p.tab.Err() != nil {
			p.t.Fatalf("not so: %s\n%s\n%v", what, script, err)
		}
		if time.Now().After(end) {
			p.t.Fatalf("not so: %s\n%s\n%v\n%s; count %s, said %q", what, script, err, p.loading.say(p.tab), p.count(), p.problems())
		}
	}
}

// count is the exact number on the page, as it would be copied.
func (p *page) count() string {
	return eval[string](p, `document.querySelector(".exactly")?.textContent ?? ""`)
}

// problems are all messages on the page.
func (p *page) problems() string {
	return eval[string](p, `[...document.querySelectorAll(".error, [data-problems]")].map((e) => e.textContent).filter(Boolean).join(" / ")`)
}

// counts waits until the page shows a number.
func (p *page) counts(want string) {
	p.t.Helper()
	p.is("the count is "+want, `document.querySelector(".exactly").textContent === "`+want+`"`)
}

// keepsNothing leaves out the worker that keeps the site for when there is no network: five seconds after a page came it loads and
// keeps all of it, in each tab anew, which takes as much of the processor as all else of the page. TestOffline has it.
const keepsNothing = `delete Navigator.prototype.serviceWorker;`

// starts notes when the page has a counting program: what waits for it has run before the next task.
const starts = `globalThis.started = 0;
	const { instantiate } = WebAssembly;
	WebAssembly.instantiate = (...of) => instantiate(...of).then((made) => { setTimeout(() => globalThis.started++); return made; });`

// ready waits until the page answers edits at once.
func (p *page) ready() {
	p.t.Helper()
	// A chapter's program waits until a reader comes to a calculator.
	p.is("the counting program is there", `(document.querySelector(".embedded[data-calculator]")?.dispatchEvent(new Event("focusin")), globalThis.started > 0)`)
}

// calm waits until the page has nothing left to do: whatever waits for an idle moment, a frame or the end of a movement has had it.
func (p *page) calm() {
	p.t.Helper()
	if lacks := eval[string](p, calm); lacks != "" {
		p.t.Fatalf("the page does not come to rest: %s", lacks)
	}
}

var calm = fmt.Sprintf(`(async () => {
	const moving = () => document.getAnimations().filter((a) => a.playState !== "finished").map((a) => a.animationName ?? a.transitionProperty);
	const steps = {
		"an idle moment": () => new Promise((done) => requestIdleCallback(done, { timeout: 2000 })),
		"a frame": () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
		"what moves": () => Promise.allSettled(document.getAnimations().map((a) => a.finished)),
	};
	for (let turn = 0; turn < 2; turn++)
		for (const [name, step] of Object.entries(steps)) {
			const late = new Promise((done) => setTimeout(done, %d, "late"));
			if (await Promise.race([step(), late]) === "late") return name + " does not come; " + moving() + " moves, the page is " + document.visibilityState;
		}
	return "";
})()`, patience.Milliseconds())

// fill types a value into a field, as one event.
func (p *page) fill(name, value string) {
	p.t.Helper()
	eval[bool](p, `(() => { const e = document.querySelector('[name="`+name+`"]'); e.focus(); e.value = `+quote(value)+`; e.dispatchEvent(new Event("input", { bubbles: true })); e.dispatchEvent(new Event("change", { bubbles: true })); return true })()`)
}

// goes asks another link's question of the page that is there, as Back and Forward do.
func (p *page) goes(link string) {
	p.t.Helper()
	eval[bool](p, `(history.pushState(null, "", `+quote(link)+`), dispatchEvent(new PopStateEvent("popstate")), true)`)
}

func quote(s string) string {
	return "`" + strings.NewReplacer("\\", "\\\\", "`", "\\`", "${", "\\${").Replace(s) + "`"
}

// board is held by the test that uses the clipboard, of which a browser has one for all its tabs.
var board sync.Mutex

// clipboard lets the page use the clipboard, and keeps other tests from it until it is released.
func (p *page) clipboard() (release func()) {
	p.t.Helper()
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		_, err := chromedp.CallBrowser(p.tab, protocol.SetPermission, protocol.SetPermissionParams{Permission: &protocol.PermissionDescriptor{Name: name}, Setting: protocol.PermissionSettingGranted, Origin: p.url, BrowserContextID: browser.Profile(p.tab)})
		if err != nil {
			p.t.Fatal(err)
		}
	}
	board.Lock()
	return board.Unlock
}
