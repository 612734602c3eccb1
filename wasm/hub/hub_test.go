//go:build !js

package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"llmsize/build/browser"
	"llmsize/build/toolchain"
)

// page serves an empty page, the worker and the compiled program.
func page(t *testing.T) string {
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
	for path, file := range map[string]string{"/worker.js": "worker.js", "/exec.js": built.Exec, "/hub.wasm": wasm} {
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
	if err := chromedp.Do(tab, chromedp.Navigate(page(t))); err != nil {
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
	if err := chromedp.Do(tab, chromedp.Navigate(page(t))); err != nil {
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
