package serve

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

var sample = map[string]string{
	"index.html":          "<!doctype html><title>home</title>" + strings.Repeat("<p>text", 100),
	"404.html":            "<!doctype html><title>not here</title>",
	"about.html":          "<!doctype html><title>about</title>",
	"models/a/index.html": "<!doctype html><title>a</title>",
	"assets/x.123.wasm":   strings.Repeat("\x00asm", 100),
	"assets/x.123.png":    strings.Repeat("png", 100),
	"_headers":            "# all\n/*\n  X-All: one\n  Content-Security-Policy: default-src 'none'\n/assets/*\n  Cache-Control: public, max-age=31536000, immutable\n/models/*\n  Content-Security-Policy: frame-ancestors 'none'\n",
	"_redirects":          "/old /new\n/news/* /blog/:splat 302 # moved\n/about /elsewhere\n/models/b /models/a/ 301!\n/m/:name /models/:name/ 200\n",
}

func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(dir, name), text)
	}
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func get(h http.Handler, path string, headers ...string) *http.Response {
	r := httptest.NewRequest("GET", path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	data, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestPaths(t *testing.T) {
	h := Handler(folder(t, sample), Options{})
	for _, c := range []struct {
		path   string
		status int
		want   string // in the body, or the Location of a redirect
	}{
		{"/", 200, "home"},
		{"/index.html", 200, "home"},
		{"/models/a/", 200, "<title>a</title>"},
		{"/models/a?v=1", 301, "/models/a/?v=1"},
		{"/about", 200, "about"}, // a file stands before a rule without force
		{"/none", 404, "not here"},
		{"/models/", 404, "not here"},
		{"/_headers", 404, "not here"},
		{"/_redirects", 404, "not here"},
		{"/../serve_test.go", 404, "not here"},
		{"/old", 301, "/new"},
		{"/old/?a=1", 301, "/new?a=1"},
		{"/news/2026/11", 302, "/blog/2026/11"},
		{"/news", 302, "/blog/"},
		{"/models/b", 301, "/models/a/"},
		{"/m/a", 200, "<title>a</title>"},
		{"/m/none", 404, "not here"},
	} {
		r := get(h, c.path)
		got := body(t, r)
		if loc := r.Header.Get("Location"); loc != "" {
			got = loc
		}
		redirect := c.status >= 300 && c.status < 400
		if r.StatusCode != c.status || redirect && got != c.want || !strings.Contains(got, c.want) {
			t.Errorf("GET %s: %d %.60q, want %d %q", c.path, r.StatusCode, got, c.status, c.want)
		}
	}
}

func TestOnlyReads(t *testing.T) {
	h := Handler(folder(t, sample), Options{})
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("POST", "/", nil))
	if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d, Allow %q", w.Code, w.Header().Get("Allow"))
	}
}

func TestHeaders(t *testing.T) {
	h := Handler(folder(t, sample), Options{})
	for _, c := range []struct{ path, name, want string }{
		{"/", "X-All", "one"},
		{"/", "Content-Type", "text/html; charset=utf-8"},
		{"/", "Cache-Control", "public, max-age=0, must-revalidate"},
		{"/none", "X-All", "one"},
		{"/assets/x.123.wasm", "Content-Type", "application/wasm"},
		{"/assets/x.123.wasm", "Cache-Control", "public, max-age=31536000, immutable"},
		{"/models/a/", "Content-Security-Policy", "default-src 'none', frame-ancestors 'none'"},
	} {
		if got := get(h, c.path).Header.Get(c.name); got != c.want {
			t.Errorf("%s of %s: %q, want %q", c.name, c.path, got, c.want)
		}
	}
}

func TestCodings(t *testing.T) {
	h := Handler(folder(t, sample), Options{})
	plain := body(t, get(h, "/"))
	for _, c := range []struct{ accept, path, want string }{
		{"gzip, deflate, br, zstd", "/", "br"},
		{"gzip", "/", "gzip"},
		{"br;q=0, gzip;q=0.5", "/", "gzip"},
		{"", "/", ""},
		{"br", "/assets/x.123.wasm", "br"},
		{"br", "/assets/x.123.png", ""},
		{"br", "/none", "br"},
	} {
		r := get(h, c.path, "Accept-Encoding", c.accept)
		got := r.Header.Get("Content-Encoding")
		if got != c.want {
			t.Errorf("%s with %q: coding %q, want %q", c.path, c.accept, got, c.want)
		}
		var unpacked io.Reader = r.Body
		switch got {
		case "br":
			unpacked = brotli.NewReader(r.Body)
		case "gzip":
			unpacked, _ = gzip.NewReader(r.Body)
		}
		text, err := io.ReadAll(unpacked)
		if c.path == "/" && (err != nil || string(text) != plain) {
			t.Errorf("%s with %q unpacks to other content: %v", c.path, c.accept, err)
		}
	}
}

func TestETag(t *testing.T) {
	dir := folder(t, sample)
	h := Handler(dir, Options{})
	first := get(h, "/", "Accept-Encoding", "br").Header.Get("ETag")
	if plain := get(h, "/").Header.Get("ETag"); plain == first || plain == "" {
		t.Errorf("packed and plain content share the tag %s", first)
	}
	if r := get(h, "/", "Accept-Encoding", "br", "If-None-Match", first); r.StatusCode != http.StatusNotModified {
		t.Errorf("same content: %d, want 304", r.StatusCode)
	}
	write(t, filepath.Join(dir, "index.html"), "<!doctype html><title>other</title>")
	if r := get(h, "/", "Accept-Encoding", "br", "If-None-Match", first); r.StatusCode != http.StatusOK {
		t.Errorf("other content: %d, want 200", r.StatusCode)
	}
}

func TestRange(t *testing.T) {
	r := get(Handler(folder(t, sample), Options{}), "/assets/x.123.wasm", "Range", "bytes=4-7", "Accept-Encoding", "br")
	if got := body(t, r); r.StatusCode != http.StatusPartialContent || got != "\x00asm" {
		t.Errorf("%d %q, want 206 and the second four bytes", r.StatusCode, got)
	}
}

func TestConfig(t *testing.T) {
	toml := filepath.Join(t.TempDir(), "netlify.toml")
	write(t, toml, `
[build]
  publish = "dist"
[[redirects]]
  from = "https://llmsize.netlify.app/*"
  to = "https://llmsize.example/:splat"
  force = true
[[redirects]]
  from = "/gone"
  to = "/"
  status = 302
[[headers]]
  for = "/models/*"
  [headers.values]
    X-Toml = "yes"
`)
	h := Handler(folder(t, sample), Options{Config: toml})
	if r := get(h, "/gone"); r.StatusCode != 302 || r.Header.Get("Location") != "/" {
		t.Errorf("/gone: %d to %q", r.StatusCode, r.Header.Get("Location"))
	}
	if r := get(h, "/"); r.StatusCode != 200 {
		t.Errorf("a rule for another host took /: %d", r.StatusCode)
	}
	if r := get(h, "https://llmsize.netlify.app/models/a/"); r.Header.Get("Location") != "https://llmsize.example/models/a/" {
		t.Errorf("the rule for that host did not: %d to %q", r.StatusCode, r.Header.Get("Location"))
	}
	if got := get(h, "/models/a/").Header.Get("X-Toml"); got != "yes" {
		t.Errorf("header of netlify.toml: %q", got)
	}
}

func TestRulesThatAreNotUnderstood(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"_headers", "  X: lost\n", "_headers:1"},
		{"_headers", "/*\n  no colon\n", "_headers:2"},
		{"_redirects", "/a\n", "_redirects:1"},
		{"_redirects", "/a /b later\n", `"later" is not a status`},
		{"_redirects", "/a /b 418\n", "status 418 (allowed: "},
		{"_redirects", "/api/* https://api.example/:splat 200\n", "another host"},
	} {
		r := get(Handler(folder(t, map[string]string{"index.html": "x", c.file: c.text}), Options{}), "/")
		if got := body(t, r); r.StatusCode != 500 || !strings.Contains(got, c.want) {
			t.Errorf("%s with %q: %d %q, want 500 and %q", c.file, c.text, r.StatusCode, got, c.want)
		}
	}
	toml := filepath.Join(t.TempDir(), "netlify.toml")
	write(t, toml, "[[redirects]]\nfrom = \"/\"\nto = \"/de/\"\nconditions = {Language = [\"de\"]}\n")
	if r := get(Handler(folder(t, sample), Options{Config: toml}), "/"); r.StatusCode != 500 {
		t.Errorf("a rule by language was passed over: %d", r.StatusCode)
	}
}

func FuzzRules(f *testing.F) {
	f.Add(sample["_headers"], sample["_redirects"], "/news/1")
	f.Add("/:a/*\n X: y", "/:a/* /b/:a/:splat 200!", "//x//")
	f.Fuzz(func(t *testing.T, headers, redirects, path string) {
		parseHeaders(headers)
		rules, err := parseRedirects(redirects)
		if err != nil {
			return
		}
		for _, r := range rules {
			if vars, ok := match(r.From, path); ok {
				fill(r.To, vars)
			}
		}
	})
}
