package site_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"llmsize/build/serve"
)

// streamed: a page that comes in pieces, each of which is painted before the next is sent, moves nothing that is there.
func streamed(t *testing.T, _ string) {
	html, err := os.ReadFile(filepath.Join(dist, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, width := range []int64{1280, 390} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			t.Parallel()
			painted := make(chan struct{})
			done := make(chan struct{})
			files := serve.Handler(dist, serve.Options{})
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch r.URL.Path {
				case "/painted":
					select {
					case painted <- struct{}{}:
					case <-done:
					case <-r.Context().Done():
					}
					w.WriteHeader(http.StatusNoContent)
				case "/":
					defer close(done)
					w.Header().Set("Content-Type", "text/html; charset=utf-8")
					for rest := html; len(rest) > 0; {
						n := min(len(rest), 2000)
						if len(rest) == len(html) {
							n = bytes.Index(html, []byte("data-search")) + 15 // before the header nothing is painted
						} else if i := bytes.Index(rest, []byte("<main")); i > 100 {
							n = 100 // the header's controls, one by one
						}
						_, _ = w.Write(rest[:n])
						rest = rest[n:]
						_ = http.NewResponseController(w).Flush()
						select {
						case <-painted:
						case <-r.Context().Done():
						}
					}
				default:
					files.ServeHTTP(w, r)
				}
			}))
			t.Cleanup(server.Close)
			p := open(t, server.URL, "/", func(p *page) {
				p.size(width, 844)
				p.first(`(function look(frames) { requestAnimationFrame(() => { if (document.readyState === "complete") return; if (frames) look(frames - 1); else fetch("/painted").then(() => look(2), () => {}); }); })(2)`)
			})
			p.ready()
			p.calm()
			p.wake()
			p.calm()
			if moved := p.moved(); moved != "" {
				t.Errorf("the layout shifts by %s", moved)
			}
		})
	}
}
