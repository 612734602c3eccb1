package site_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"llmsize/build/serve"
)

// streamed: a page whose second half comes late moves nothing of the first.
func streamed(t *testing.T, _ string) {
	html, err := os.ReadFile(filepath.Join(dist, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	before, after, ok := strings.Cut(string(html), "</form>")
	if !ok {
		t.Fatal("the page has no question")
	}
	for _, width := range []int64{1280, 390} {
		painted := make(chan struct{})
		once := sync.OnceFunc(func() { close(painted) })
		rest := serve.Handler(dist, serve.Options{})
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/painted":
				once()
				w.WriteHeader(http.StatusNoContent)
			case "/":
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				_, _ = w.Write([]byte(before + "</form>"))
				_ = http.NewResponseController(w).Flush()
				select {
				case <-painted:
				case <-r.Context().Done():
				}
				_, _ = w.Write([]byte(after))
			default:
				rest.ServeHTTP(w, r)
			}
		}))
		t.Cleanup(server.Close)
		p := open(t, server.URL, "/", func(p *page) {
			p.size(width, 844)
			// The question is there, and painted: the rest may come.
			p.first(`(function look(frames) { requestAnimationFrame(() => document.querySelector(".more-usage ~ .more-usage") ? frames ? look(frames - 1) : fetch("/painted") : look(frames)); })(4)`)
		})
		p.ready()
		p.calm()
		if moved := p.moved(); moved != "" {
			t.Errorf("%d wide, the layout shifts by %s", width, moved)
		}
	}
}
