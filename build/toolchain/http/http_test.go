package http

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
)

// Names are written as net/http writes them, and read however they are written.
func TestHeader(t *testing.T) {
	for _, key := range []string{"range", "X-REPO-COMMIT", "x-error-code", "ETag", "content-range", "", "a--b", "-a"} {
		if got, want := CanonicalHeaderKey(key), http.CanonicalHeaderKey(key); got != want {
			t.Errorf("%q: %q, want %q", key, got, want)
		}
	}
	h := Header{}
	h.Set("range", "bytes=0-7")
	h.Add("Range", "more")
	if h.Get("RANGE") != "bytes=0-7" || len(h["Range"]) != 2 {
		t.Errorf("%v", h)
	}
	if h.Del("rAnge"); h.Get("range") != "" {
		t.Errorf("%v", h)
	}
}

func TestRequest(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, err := NewRequestWithContext(ctx, MethodGet, "https://hub.example/a/b/resolve/refs%2Fpr%2F1/x", nil)
	if err != nil || r.URL.String() != "https://hub.example/a/b/resolve/refs%2Fpr%2F1/x" || r.Body != nil {
		t.Fatalf("%+v, %v", r, err)
	}
	if cancel(); r.Context().Err() == nil {
		t.Error("the context is another")
	}
	if _, err := NewRequest(MethodGet, "https://%zz", nil); err == nil {
		t.Error("a bad address is taken")
	}
	if _, err := NewRequest("POST", "https://hub.example", strings.NewReader("x")); err == nil {
		t.Error("a body that cannot be closed is taken")
	}
	if r, err := NewRequest("POST", "https://hub.example", io.NopCloser(strings.NewReader("x"))); err != nil || r.Body == nil || r.Context() == nil {
		t.Errorf("%+v, %v", r, err)
	}
}
