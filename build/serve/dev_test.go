package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"llmsize/build/toolchain/browser"
)

// log collects what the server says; it is read while the server runs.
type log struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func wait(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited 10 s for %s", what)
		}
	}
}

// start runs a server whose pages say what content/word says, and fail to build when it says "broken".
func start(t *testing.T, rerun ...string) (root, address string, said *log) {
	t.Helper()
	root = folder(t, map[string]string{"content/word": "first", "build/main.go": "package main"})
	dist := filepath.Join(root, "dist")
	said = &log{}
	d := &Dev{Root: root, Dir: dist, Watch: []string{"content", "build", "not-there"}, Addr: "localhost:0", Log: said, Rerun: rerun}
	d.Build = func(ctx context.Context, changed []string) error {
		word, err := os.ReadFile(filepath.Join(root, "content", "word"))
		if err != nil {
			return err
		}
		if string(word) == "broken" {
			return errors.New(root + "/content/word:1: <b>broken</b>")
		}
		write(t, filepath.Join(dist, "_headers"), "/*\n  Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'\n")
		write(t, filepath.Join(dist, "index.html"), fmt.Sprintf("<!doctype html><html><body><h1>%s</h1></body></html>", word))
		return nil
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- d.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	wait(t, "the address", func() bool { return strings.Contains(said.String(), "http://localhost:") })
	_, rest, _ := strings.Cut(said.String(), "serve: ")
	address, _, _ = strings.Cut(rest, "\n")
	return root, address, said
}

func TestPageReloadsAndShowsErrors(t *testing.T) {
	root, address, _ := start(t)
	tab := browser.Tab(t)
	if err := chromedp.Do(tab, chromedp.Navigate(address)); err != nil {
		t.Fatal(err)
	}
	says := func(js, want string) func() bool {
		return func() bool {
			got, err := chromedp.Run(tab, chromedp.Evaluate[string](js))
			return err == nil && got == want // an error: the page is being replaced
		}
	}
	const heading = `document.querySelector("h1").textContent`
	const overlay = `document.body.lastElementChild.shadowRoot?.querySelector("pre").textContent ?? ""`
	wait(t, "the page", says(heading, "first"))
	wait(t, "its connection", says(`String(performance.getEntriesByName(location.origin + "/__dev/reload.js").length)`, "1"))
	write(t, filepath.Join(root, "content", "word"), "second")
	wait(t, "the reload", says(heading, "second"))
	write(t, filepath.Join(root, "content", "word"), "broken")
	wait(t, "the error, as text and without the folder", says(overlay, "content/word:1: <b>broken</b>"))
	const shown = `getComputedStyle(document.body.lastElementChild.shadowRoot.querySelector("div")).position`
	wait(t, "the overlay's style, which the page's policy allows", says(shown, "fixed"))
	write(t, filepath.Join(root, "content", "word"), "third")
	wait(t, "the next site", says(heading, "third"))
}

func TestFirstBuildFails(t *testing.T) {
	said := &log{}
	root := folder(t, map[string]string{"content/word": "x"})
	d := &Dev{Root: root, Dir: filepath.Join(root, "dist"), Watch: []string{"content"}, Log: said,
		Build: func(context.Context, []string) error { return errors.New("content/word:1: <script>") }}
	d.build(t.Context(), nil)
	r := get(d.handler(t.Context()), "/")
	if got := body(t, r); r.StatusCode != 500 || !strings.Contains(got, "content/word:1: &lt;script&gt;") {
		t.Errorf("%d %s", r.StatusCode, got)
	}
}

func TestChangedGoCodeIsCompiledAnew(t *testing.T) {
	root, _, said := start(t, "sh", "-c", "echo built by the child; touch dist/child; test ! -e build/bad.go || { echo build/bad.go:1: no package >&2; exit 1; }")
	logged := func(what string) func() bool {
		return func() bool { return strings.Count(said.String(), what) == 1 }
	}
	write(t, filepath.Join(root, "build", "main.go"), "package main // changed")
	wait(t, "the child", logged("built by the child\nbuild: build/main.go in"))
	write(t, filepath.Join(root, "build", "bad.go"), "")
	wait(t, "its error", logged("build: failed after build/bad.go\nbuild/bad.go:1: no package\n"))
	if err := os.Remove(filepath.Join(root, "build", "bad.go")); err != nil {
		t.Fatal(err)
	}
	wait(t, "the end of the error", logged("built by the child\nbuild: build/bad.go in"))
	write(t, filepath.Join(root, "content", "word"), "later")
	wait(t, "the child again: the generator in the process is old", logged("built by the child\nbuild: content/word in"))
}

func TestBusyPort(t *testing.T) {
	taken, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	next, err := listen(taken.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	if a, b := taken.Addr().(*net.TCPAddr).Port, next.Addr().(*net.TCPAddr).Port; b <= a || b > a+100 {
		t.Errorf("%d was busy, got %d", a, b)
	}
}

func TestWatch(t *testing.T) {
	root := folder(t, map[string]string{"site/a.css": "a", "one.toml": "1", "two.toml": "2", "site/node_modules/x.js": ""})
	changes, err := watch(t.Context(), root, []string{"site", "one.toml", "missing"})
	if err != nil {
		t.Fatal(err)
	}
	next := func() []string {
		t.Helper()
		select {
		case c := <-changes:
			return c
		case <-time.After(10 * time.Second):
			t.Fatal("no change was reported")
			return nil
		}
	}
	write(t, filepath.Join(root, "site", ".a.css.swp"), "")
	write(t, filepath.Join(root, "site", "a.css~"), "")
	write(t, filepath.Join(root, "site", "a_test.go"), "")
	write(t, filepath.Join(root, "two.toml"), "not asked for")
	write(t, filepath.Join(root, "site", "node_modules", "x.js"), "not ours")
	write(t, filepath.Join(root, "one.toml"), "11")
	write(t, filepath.Join(root, "site", "a.css"), "aa")
	if got := next(); !slices.Equal(got, []string{"one.toml", "site/a.css"}) {
		t.Errorf("reported %v, want one.toml and site/a.css together", got)
	}
	write(t, filepath.Join(root, "site", "new", "b.css"), "b")
	if got := next(); !slices.Contains(got, "site/new") && !slices.Contains(got, "site/new/b.css") {
		t.Errorf("a new folder: %v", got)
	}
	write(t, filepath.Join(root, "site", "new", "b.css"), "bb")
	if got := next(); !slices.Equal(got, []string{"site/new/b.css"}) {
		t.Errorf("a file in a new folder: %v", got)
	}
}
