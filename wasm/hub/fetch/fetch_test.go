package fetch

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]Ref{
		"Qwen/Qwen3-8B":                                                   {"Qwen", "Qwen3-8B", "main"},
		"  meta-llama/Llama-3.1-8B\n":                                     {"meta-llama", "Llama-3.1-8B", "main"},
		"openai-community/gpt2@607a30d":                                   {"openai-community", "gpt2", "607a30d"},
		"a/b@refs/pr/1":                                                   {"a", "b", "refs/pr/1"},
		"https://huggingface.co/Qwen/Qwen3-8B":                            {"Qwen", "Qwen3-8B", "main"},
		"https://huggingface.co/Qwen/Qwen3-8B/":                           {"Qwen", "Qwen3-8B", "main"},
		"https://huggingface.co/Qwen/Qwen3-8B/tree/v1.0?x=1#y":            {"Qwen", "Qwen3-8B", "v1.0"},
		"https://huggingface.co/Qwen/Qwen3-8B/blob/main/config.json":      {"Qwen", "Qwen3-8B", "main"},
		"https://huggingface.co/a_b/c.d/resolve/refs%2Fpr%2F1/x":          {},
		strings.Repeat("a", maxName) + "/" + strings.Repeat("b", maxName): {strings.Repeat("a", maxName), strings.Repeat("b", maxName), "main"},
	} {
		got, err := Parse(text)
		if want == (Ref{}) {
			if err == nil {
				t.Errorf("Parse(%q) = %v, want an error", text, got)
			}
			continue
		}
		if err != nil || got != want {
			t.Errorf("Parse(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
}

func TestParseFile(t *testing.T) {
	for text, want := range map[string]struct {
		id, file string
	}{
		"a/b":                        {"a/b", ""},
		"hf:a/b@v1":                  {"a/b@v1", ""},
		"a/b:Q4_K_M":                 {"a/b", "Q4_K_M"},
		"a/b@v1:sub/x.gguf":          {"a/b@v1", "sub/x.gguf"},
		"a/b/sub/x.gguf":             {"a/b", "sub/x.gguf"},
		"https://hub.example/a/b":    {"a/b", ""},
		"https://hub.example:80/a/b": {"a/b", ""},
		"https://hub.example/a/b/blob/main/sub/x.Q8_0.gguf":              {"a/b", "sub/x.Q8_0.gguf"},
		"https://hub.example/a/b/resolve/v1/x.gguf?download=true":        {"a/b@v1", "x.gguf"},
		"https://hub.example/a/b/blob/main/model.safetensors.index.json": {"a/b", ""},
	} {
		ref, file, err := ParseFile(text)
		if err != nil || ref.String() != want.id || file != want.file {
			t.Errorf("%s: %v %q, %v", text, ref, file, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "it is empty",
		"gpt2":                                "the owner is missing",
		"datasets/a/b":                        "more than two parts",
		"a/":                                  "a part is empty",
		"/a":                                  "a part is empty",
		"a/b c":                               "a character that no name has",
		"a/ü":                                 "a character that no name has",
		"a/<script>":                          "a character that no name has",
		"../etc":                              "begins or ends with",
		"a/b--c":                              "-- and ..",
		"a/b.git":                             ".git",
		"a/b@":                                "the revision",
		"a/b@../../secret":                    "the revision",
		"a/b@.":                               "the revision",
		"a/b@x y":                             "the revision",
		"a/" + strings.Repeat("b", maxName+1): "longer than 96",
	} {
		_, err := Parse(text)
		var e *Error
		if !errors.As(err, &e) || e.Kind != KindID || !strings.Contains(e.Message, want) || !strings.Contains(e.Hint, "owner/name") {
			t.Errorf("Parse(%q): %v, want a hint and %q", text, err, want)
		}
	}
}

// FuzzParse: what is accepted is one path below the hub, and its own form reads the same.
func FuzzParse(f *testing.F) {
	f.Add("a/b@refs/pr/1")
	f.Add("https://huggingface.co/a/b/tree/x")
	f.Add("a/b@%2e%2e/c")
	f.Fuzz(func(t *testing.T, text string) {
		ref, err := Parse(text)
		if err != nil {
			return
		}
		if again, err := Parse(ref.String()); err != nil || again != ref {
			t.Errorf("Parse(%q) = %v, but its String %q gives %v, %v", text, ref, ref.String(), again, err)
		}
		address := ref.file("https://hub.example", "config.json")
		if parts := strings.Split(strings.TrimPrefix(address, "https://hub.example/"), "/"); len(parts) != 5 || strings.Contains(address, "..") {
			t.Errorf("Parse(%q) leads to %s", text, address)
		}
	})
}

// hub answers like the model hub does for a few models.
func hub(t *testing.T) string {
	t.Helper()
	code := func(w http.ResponseWriter, status int, code string) {
		if code != "" {
			w.Header().Set("X-Error-Code", code)
		}
		w.WriteHeader(status)
		io.WriteString(w, "Access denied")
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.EscapedPath() {
		case "/a/good/resolve/main/config.json":
			io.WriteString(w, `{"model_type": "llama"}`)
		case "/a/good/resolve/refs%2Fpr%2F1/config.json":
			io.WriteString(w, `{"model_type": "proposed"}`)
		case "/a/infinite/resolve/main/config.json":
			io.WriteString(w, `{"time_step_limit": [0.0, Infinity]}`+"\n")
		case "/a/gated/resolve/main/config.json":
			code(w, 401, "GatedRepo")
		case "/a/forbidden/resolve/main/config.json":
			code(w, 403, "")
		case "/a/private/resolve/main/config.json":
			code(w, 401, "RepoNotFound")
		case "/a/gguf/resolve/main/config.json":
			code(w, 404, "EntryNotFound")
		case "/a/good/resolve/v9/config.json":
			code(w, 404, "RevisionNotFound")
		case "/a/busy/resolve/main/config.json":
			code(w, 429, "")
		case "/a/broken/resolve/main/config.json":
			code(w, 500, "")
		case "/a/page/resolve/main/config.json":
			io.WriteString(w, "<!doctype html>")
		case "/a/cut/resolve/main/config.json":
			io.WriteString(w, `{"model_type": "lla`)
		case "/a/large/resolve/main/config.json":
			io.WriteString(w, "{"+strings.Repeat(" ", 2000)+"}")
		case "/a/flood/resolve/main/config.json": // no length is known before the end
			for range 100 {
				io.WriteString(w, "{"+strings.Repeat(" ", 100)+"}")
				w.(http.Flusher).Flush()
			}
		case "/a/slow/resolve/main/config.json":
			<-r.Context().Done()
		case "/a/stalled/resolve/main/config.json":
			io.WriteString(w, `{"model_type":`)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		default:
			code(w, 404, "")
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestConfig(t *testing.T) {
	h := Hub{Client: http.DefaultClient, Base: hub(t) + "/", Max: 1000}
	for _, c := range []struct{ model, kind, want string }{
		{"a/good", "", `{"model_type": "llama"}`},
		{"a/good@refs/pr/1", "", `{"model_type": "proposed"}`},
		{"a/infinite", "", `{"time_step_limit": [0.0, Infinity]}` + "\n"},
		{"a/gated", KindGated, "a/gated is gated"},
		{"a/forbidden", KindGated, "gated or private, or it does not exist"},
		{"a/private", KindNotFound, "does not exist, or it is private"},
		{"a/none", KindNotFound, "no config.json for a/none"},
		{"a/gguf", KindNotFound, "the model that it was made from"},
		{"a/good@v9", KindNotFound, "no revision v9"},
		{"a/busy", KindStatus, "status 429"},
		{"a/broken", KindStatus, "status 500"},
		{"a/page", KindNotJSON, `begins with "<!doctype html>"`},
		{"a/cut", KindNotJSON, "not a JSON object"},
		{"a/large", KindTooLarge, "larger than"},
		{"a/flood", KindTooLarge, "larger than"},
		{"a/slow", KindTimeout, "in time"},
		{"a/stalled", KindTimeout, "in time"},
	} {
		t.Run(c.model, func(t *testing.T) {
			ref, err := Parse(c.model)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			got, _, err := h.Config(ctx, ref)
			if c.kind == "" {
				if err != nil || string(got) != c.want {
					t.Errorf("%q, %v; want %q", got, err, c.want)
				}
				return
			}
			var e *Error
			if !errors.As(err, &e) || e.Kind != c.kind || !strings.Contains(e.Error(), c.want) || e.Hint == "" {
				t.Errorf("%v; want %s, %q and a hint", err, c.kind, c.want)
			}
		})
	}
}

func TestOffline(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	_, _, err := Hub{Client: http.DefaultClient, Base: s.URL}.Config(t.Context(), Ref{"a", "b", "main"})
	var e *Error
	if !errors.As(err, &e) || e.Kind != KindOffline || !strings.Contains(e.Error(), "or the browser withholds") {
		t.Errorf("%v; want both reasons, which cannot be told apart", err)
	}
}

// quietEnd is a body that ends without an error when it is closed, as a browser's does.
type quietEnd struct{ closed chan struct{} }

func (b quietEnd) Read([]byte) (int, error) { <-b.closed; return 0, io.EOF }
func (b quietEnd) Close() error             { defer func() { recover() }(); close(b.closed); return nil }

type client func() *http.Response

func (c client) Do(*http.Request) (*http.Response, error) { return c(), nil }

func TestTimeoutThatLooksLikeTheEnd(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	h := Hub{Base: "https://hub.example", Client: client(func() *http.Response {
		return &http.Response{StatusCode: 200, ContentLength: -1, Body: quietEnd{make(chan struct{})}}
	})}
	_, _, err := h.Config(ctx, Ref{"a", "b", "main"})
	var e *Error
	if !errors.As(err, &e) || e.Kind != KindTimeout {
		t.Errorf("%v, want a timeout", err)
	}
}
