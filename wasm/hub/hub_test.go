//go:build !js

package main_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"llmsize/build/toolchain"
	"llmsize/build/toolchain/browser"
	"llmsize/core/family/families"
	"llmsize/wasm/hub/hubtest"
)

// page serves an empty page, the worker and the compiled program.
func page(t testing.TB, more map[string]string) string {
	t.Helper()
	wasm := filepath.Join(t.TempDir(), "hub.wasm")
	built, err := toolchain.BuildWASM(t.Context(), "wasm/hub", wasm, toolchain.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s, %d bytes", built.Compiler, built.Raw)
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, "<!doctype html><title>hub</title>")
	})
	lib := families.Library()
	var reach sync.Mutex
	mux.HandleFunc("/families/", func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimSuffix(path.Base(r.URL.Path), ".txt")
		if name == "index" {
			for _, file := range families.Names() {
				io.WriteString(w, strings.Join(append([]string{file}, lib.TypesOf(file)...), " ")+"\n")
			}
			return
		}
		reach.Lock()
		defer reach.Unlock() // a library is not for several at once
		files, err := lib.Reach(name)
		if err != nil {
			t.Error(err)
		}
		packed, err := lib.Pack(files)
		if err != nil {
			t.Error(err)
		}
		io.WriteString(w, packed)
	})
	mux.HandleFunc("/families.txt", func(w http.ResponseWriter, r *http.Request) {
		reach.Lock()
		defer reach.Unlock()
		packed, err := lib.Pack(families.Names())
		if err != nil {
			t.Error(err)
		}
		io.WriteString(w, packed)
	})
	paths := map[string]string{"/worker.js": "worker.js", "/exec.js": built.Exec, "/hub.wasm": wasm}
	maps.Copy(paths, more)
	for path, file := range paths {
		if _, err := os.Stat(file); err != nil {
			t.Fatal(err)
		}
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, file) })
	}
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

// hub has the model hub's paths, and lets pages of other sites read its answers. left gets a value when a client leaves.
func hub(t *testing.T) (address string, left chan string) {
	t.Helper()
	left = make(chan string, 10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		model, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/resolve/main/config.json")
		if model != "a/closed" {
			w.Header().Set("Access-Control-Allow-Origin", "*")
			w.Header().Set("Access-Control-Expose-Headers", "X-Error-Code")
		}
		switch model {
		case "a/good", "a/closed":
			io.WriteString(w, `{"model_type": "llama", "note": "größer"}`)
		case "a/moved":
			w.Header().Set("Access-Control-Allow-Origin", "*")
			http.Redirect(w, r, "/a/good/resolve/main/config.json", http.StatusTemporaryRedirect)
		case "a/gated":
			w.Header().Set("X-Error-Code", "GatedRepo")
			w.WriteHeader(http.StatusUnauthorized)
		case "a/stalled":
			io.WriteString(w, `{"model_type":`)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			left <- model
		case "a/slow":
			<-r.Context().Done()
			left <- model
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL, left
}

type answer struct {
	ID     int
	OK     bool
	Config string
	Error  struct{ Kind, Message, Hint string }
}

// ask is a page's script: it sends requests to one worker and gives their answers by id.
const ask = `(async (requests) => {
	const worker = globalThis.hubWorker ??= new Worker("/worker.js");
	const answers = {};
	return JSON.stringify(await new Promise((resolve) => {
		worker.onmessage = ({data}) => {
			answers[data.id] = data;
			if (Object.keys(answers).length === requests.length) resolve(requests.map((r) => answers[r.id]));
		};
		for (const r of requests) worker.postMessage(r);
	}));
})(%s)`

func TestHubInBrowser(t *testing.T) {
	address, left := hub(t)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	tab := browser.Tab(t)
	if err := chromedp.Do(tab, chromedp.Navigate(page(t, nil))); err != nil {
		t.Fatal(err)
	}
	cases := []struct{ base, model, kind, want string }{
		{address, "a/good", "", `{"model_type": "llama", "note": "größer"}`},
		{address, "a/moved", "", `{"model_type": "llama", "note": "größer"}`},
		{address, "a/gated", "gated", "a/gated is gated"},
		{address, "a/none", "not-found", "no config.json for a/none"},
		{address, "gpt2", "id", "the owner is missing"},
		{address, "a/closed", "offline", "or the browser withholds"},
		{gone.URL, "a/good", "offline", "or the browser withholds"},
		{address, "a/slow", "timeout", "in time"},
		{address, "a/stalled", "timeout", "in time"},
	}
	var requests []map[string]any
	for i, c := range cases {
		timeout := 10000
		if c.kind == "timeout" {
			timeout = 500
		}
		requests = append(requests, map[string]any{"id": i, "exec": "/exec.js", "wasm": "/hub.wasm", "base": c.base, "model": c.model, "timeout": timeout})
	}
	answers := send(t, tab, requests)
	for i, c := range cases {
		a := answers[i]
		got := a.Config
		if !a.OK {
			got = a.Error.Message
		}
		if a.ID != i || a.OK != (c.kind == "") || a.Error.Kind != c.kind || !strings.Contains(got, c.want) || !a.OK && a.Error.Hint == "" {
			t.Errorf("%s: %+v, want %s %q", c.model, a, c.kind, c.want)
		}
	}
	// A timeout does not only stop waiting: the transfer ends.
	for range 2 {
		select {
		case <-left:
		case <-tab.Done():
			t.Fatal("after the timeout the hub still sends")
		}
	}
}

func TestProgramThatIsMissing(t *testing.T) {
	address, _ := hub(t)
	tab := browser.Tab(t)
	if err := chromedp.Do(tab, chromedp.Navigate(page(t, nil))); err != nil {
		t.Fatal(err)
	}
	request := func(wasm string) answer {
		return send(t, tab, []map[string]any{{"id": 7, "exec": "/exec.js", "wasm": wasm, "base": address, "model": "a/good"}})[0]
	}
	if a := request("/none.wasm"); a.OK || a.Error.Kind != "program" || !strings.Contains(a.Error.Message, "/none.wasm has status 404") {
		t.Errorf("missing program: %+v", a)
	}
	if a := request("/hub.wasm"); !a.OK {
		t.Errorf("the next request does not load it anew: %+v", a)
	}
}

// send runs the page's script in a tab.
func send(t *testing.T, tab context.Context, requests []map[string]any) []answer {
	t.Helper()
	data, err := json.Marshal(requests)
	if err != nil {
		t.Fatal(err)
	}
	text, err := chromedp.Run(tab, chromedp.Evaluate[string](fmt.Sprintf(ask, data), chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	var answers []answer
	if err := json.Unmarshal([]byte(text), &answers); err != nil {
		t.Fatal(err)
	}
	return answers
}

// written serves the checkpoints that real writers made, and says what is to be said of each.
func written(t *testing.T, hub *hubtest.Hub) (verdicts map[string]string) {
	t.Helper()
	text, err := os.ReadFile("../../core/checkpoint/testdata/written.txt")
	if err != nil {
		t.Fatal(err)
	}
	all, err := hubtest.ReadWritten(string(text))
	if err != nil {
		t.Fatal(err)
	}
	verdicts = map[string]string{}
	for _, w := range all {
		hub.Files("written/"+w.Name, w.Files, hubtest.Trouble{})
		verdicts[w.Name] = w.Verdict
	}
	return verdicts
}

// compared is an answer with its verdict.
type compared struct {
	answer
	Spent, Memory float64 // milliseconds in verify.wasm, and its memory
	Processor     float64 // milliseconds that all of Node's threads worked, which a machine with other work doesn't lengthen
	Answered      float64 // the memory of what has answered a question
	Peak          float64 // that of what read the headers, when it has made the model
	Answer        struct {
		Title string
		Error any
	}
	Verdict struct {
		Verdict     string
		HTML        string
		Differences []struct{ Kind, Reason string }
	}
}

func (c *compared) says() string {
	s := c.Verdict.Verdict
	for _, d := range c.Verdict.Differences {
		s += "; " + d.Kind + " " + d.Reason
	}
	return s
}

// compareAll asks one worker for verdicts, one after the other, and returns them by id; told counts the news between.
const compareAll = `(async (requests) => {
	const worker = new Worker("/worker.js");
	const answers = [];
	let told = 0;
	for (const r of requests) {
		answers.push(await new Promise((resolve) => {
			worker.onmessage = ({data}) => { if ("ok" in data) resolve(data); else told++; };
			if (r.dropped) r.files = r.dropped.map(([name, head, size]) => {
				const bytes = Uint8Array.from(atob(head), (c) => c.charCodeAt(0));
				return { path: name, file: new File([bytes, new Uint8Array(Math.max(size - bytes.length, 0))], name) };
			});
			worker.postMessage(r);
		}));
	}
	return JSON.stringify({answers, told});
})(%s)`

func TestVerifyInBrowser(t *testing.T) {
	verify := filepath.Join(t.TempDir(), "verify.wasm")
	built, err := toolchain.BuildWASM(t.Context(), "wasm/verify", verify, toolchain.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("verify: %s, %d bytes", built.Compiler, built.Raw)
	hub := hubtest.Start(t)
	verdicts := written(t, hub)
	address := page(t, map[string]string{"/verify.wasm": verify, "/verify.exec.js": built.Exec})
	tab := browser.Tab(t)
	if err := chromedp.Do(tab, chromedp.Navigate(address)); err != nil {
		t.Fatal(err)
	}
	request := func(id int, model string) map[string]any {
		return map[string]any{"id": id, "exec": "/exec.js", "wasm": "/hub.wasm", "verify": "/verify.wasm", "verifyExec": "/verify.exec.js", "families": "/families.txt", "base": hub.URL, "model": model, "timeout": 5000}
	}
	var requests []map[string]any
	var names []string
	for _, name := range []string{"llama-parts", "nf4", "gguf-per-layer", "nobodys", "no-last-norm"} { // the page's tests have more
		if verdicts[name] == "" {
			t.Fatalf("no checkpoint is called %s", name)
		}
		names = append(names, name)
		requests = append(requests, request(len(requests), "written/"+name))
	}
	small := map[string]hubtest.File{"config.json": {Head: []byte(`{"model_type":"llama"}`)}}
	add := func(id string, files map[string]hubtest.File, x hubtest.Trouble, want string) {
		hub.Files(id, files, x)
		verdicts[id] = want
		names = append(names, id)
		requests = append(requests, request(len(requests), id))
	}
	add("a/only-config", small, hubtest.Trouble{}, "holds no checkpoint")
	add("a/pickle", map[string]hubtest.File{"config.json": small["config.json"], "pytorch_model.bin": {Head: []byte("PK\x03\x04")}}, hubtest.Trouble{}, "runs code")
	add("a/gated", small, hubtest.Trouble{Gated: true, Token: "x"}, "is gated")
	dropped := request(len(requests), "")
	head := []byte("\x02\x00\x00\x00\x00\x00\x00\x00{}")
	dropped["dropped"] = [][]any{{"model.safetensors", base64.StdEncoding.EncodeToString(head), len(head)}}
	names, requests = append(names, "dropped"), append(requests, dropped)
	verdicts["dropped"] = "alone"
	cut := request(len(requests), "")
	cut["dropped"] = [][]any{{"model.safetensors", base64.StdEncoding.EncodeToString(head[:9]), 9}}
	names, requests = append(names, "cut"), append(requests, cut)
	verdicts["cut"] = "but the file has 9"
	data, err := json.Marshal(requests)
	if err != nil {
		t.Fatal(err)
	}
	text, err := chromedp.Run(tab, chromedp.Evaluate[string](fmt.Sprintf(compareAll, data), chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	var out struct {
		Answers []compared
		Told    int
	}
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	for i, a := range out.Answers {
		got := a.says()
		if !a.OK {
			got = a.Error.Message
		}
		if want := verdicts[names[i]]; a.OK && got != want || !strings.Contains(got, want) || a.OK && !strings.Contains(a.Verdict.HTML, `data-verdict="`+a.Verdict.Verdict+`"`) {
			t.Errorf("%s: %q, want %q", names[i], got, want)
		}
	}
	if len(out.Answers) != len(requests) || out.Told < len(names) {
		t.Errorf("%d answers to %d requests, %d news", len(out.Answers), len(requests), out.Told)
	}
	if hub.Sent() > 32<<20 {
		t.Errorf("%d bytes were sent: weights were read", hub.Sent())
	}
}
