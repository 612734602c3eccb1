package serve

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/andybalholm/brotli"
)

// Types that a system's own table may lack or call otherwise.
var types = map[string]string{
	".css":         "text/css; charset=utf-8",
	".html":        "text/html; charset=utf-8",
	".ico":         "image/x-icon",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json; charset=utf-8",
	".mjs":         "text/javascript; charset=utf-8",
	".png":         "image/png",
	".svg":         "image/svg+xml",
	".txt":         "text/plain; charset=utf-8",
	".wasm":        "application/wasm",
	".webmanifest": "application/manifest+json",
	".woff2":       "font/woff2",
	".xml":         "application/xml; charset=utf-8",
}

func contentType(name string) string {
	ext := path.Ext(name)
	if t, ok := types[ext]; ok {
		return t
	}
	if t := mime.TypeByExtension(ext); t != "" {
		return t
	}
	return "application/octet-stream"
}

// compressible tells what is worth packing; images and fonts are packed already.
func compressible(kind string) bool {
	kind, _, _ = strings.Cut(kind, ";")
	return strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "json") || strings.HasSuffix(kind, "xml") || kind == "application/wasm"
}

// bodies keeps packed content by its hash.
type bodies struct {
	mu     sync.Mutex
	packed map[string][]byte
}

// packing is one for all sites that a process serves: tests serve the same files many times.
var packing = &bodies{packed: map[string][]byte{}}

// send writes content in the smallest coding that the request accepts.
func (b *bodies) send(w http.ResponseWriter, r *http.Request, content []byte, kind string, status int) {
	sum := sha256.Sum256(content)
	tag := hex.EncodeToString(sum[:12])
	h := w.Header()
	h.Set("Content-Type", kind)
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "public, max-age=0, must-revalidate") // the host's default
	}
	if compressible(kind) {
		h.Set("Vary", "Accept-Encoding")
		// A range counts bytes of the plain content.
		if coding := accepted(r); coding != "" && r.Header.Get("Range") == "" {
			if packed := b.pack(coding, tag, content); len(packed) < len(content) {
				h.Set("Content-Encoding", coding)
				content, tag = packed, tag+"-"+coding
			}
		}
	}
	h.Set("ETag", `"`+tag+`"`)
	if status == http.StatusOK {
		if h.Get("Content-Encoding") != "" {
			h.Set("Content-Length", fmt.Sprint(len(content))) // ServeContent leaves it out for packed content
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
		return
	}
	h.Set("Content-Length", fmt.Sprint(len(content)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(content)
	}
}

// accepted picks brotli, else gzip, else nothing.
func accepted(r *http.Request) string {
	ok := map[string]bool{}
	for _, part := range strings.Split(r.Header.Get("Accept-Encoding"), ",") {
		name, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		ok[strings.TrimSpace(name)] = strings.Trim(strings.TrimPrefix(strings.TrimSpace(params), "q="), "0.") != "" || params == ""
	}
	switch {
	case ok["br"]:
		return "br"
	case ok["gzip"]:
		return "gzip"
	}
	return ""
}

// Level 9 is within a few per cent of the highest one's size in a tenth of its time.
const level = 9

func (b *bodies) pack(coding, tag string, content []byte) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := coding + tag
	if got, ok := b.packed[key]; ok {
		return got
	}
	var buf bytes.Buffer
	var pw io.WriteCloser = brotli.NewWriterLevel(&buf, level)
	if coding == "gzip" {
		pw, _ = gzip.NewWriterLevel(&buf, level) // the level is a valid one
	}
	pw.Write(content) // a bytes.Buffer takes everything
	pw.Close()
	b.packed[key] = buf.Bytes()
	return buf.Bytes()
}
