package main

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"llmsize/core/checkpoint"
	"llmsize/core/fault"
	"llmsize/wasm/hub/fetch"
)

// patience is how long one answer of the hub may take.
var patience = 10 * time.Second

// client follows redirects, and shows the token to the hub alone: a host that it redirects to, for
// which a port of its own is enough, gets none.
var client = &http.Client{CheckRedirect: func(r *http.Request, via []*http.Request) error {
	if len(via) >= 10 {
		return fetch.ErrEndless
	}
	if r.URL.Host != via[0].URL.Host {
		r.Header.Del("Authorization")
	}
	return nil
}}

// open finds the checkpoint that MODEL names: a folder or a file, then a model of the hub, by
// its local cache, then over the network. It is nil when MODEL names neither. headers says
// that the headers are wanted, not just the config: then the catalogue, which has configs, is passed over.
func (c *command) open(model string, headers bool) (*held, error) {
	id, ofHub := strings.CutPrefix(model, "hf:")
	if !ofHub {
		_, listed := c.cat.Find(model)
		if info, err := os.Stat(model); err == nil && listed && info.IsDir() && !headers {
			return nil, nil // the catalogue's name for a model
		}
		if h, ok, err := openLocal(model); ok || err != nil {
			return h, err
		}
		if m, ok := c.cat.Find(model); ok {
			if !headers {
				return nil, nil
			}
			if id = m.Hub; id == "" {
				return nil, nil
			}
			if strings.Contains(model, "/") {
				id = model
			}
		} else if !strings.Contains(model, "/") {
			return nil, nil
		}
	}
	ref, file, err := fetch.ParseFile(id)
	if err != nil {
		if ofHub {
			return nil, err
		}
		return nil, nil
	}
	return c.fromHub(ref, file, headers)
}

// fromHub finds a model of the hub.
func (c *command) fromHub(ref fetch.Ref, file string, headers bool) (*held, error) {
	pinned := func(h *held, commit string) *held { // a link to it names the commit, so that it stays true
		h.name, h.id = ref.String(), ref.At(commit).String()
		if file != "" {
			h.id += ":" + file
		}
		return h
	}
	var broken error // what is in the way of the weights in the cache, where its config is there
	if dir := snapshot(ref); dir != "" {
		h, err := openCached(dir, file)
		if err == nil && h.text != nil && !headers {
			return pinned(h, filepath.Base(dir)), nil
		}
		if err == nil {
			if broken = h.headers(); broken == nil && h.list != nil {
				return pinned(h, filepath.Base(dir)), nil
			}
		}
	}
	if on(os.Getenv("HF_HUB_OFFLINE")) {
		if broken != nil {
			return nil, broken
		}
		return nil, &fault.Error{Field: "model", Given: ref.String(), Problem: "it is not in the local cache, and HF_HUB_OFFLINE says to ask nobody"}
	}
	hub := fetch.Hub{Client: client, Base: endpoint(), Token: token()}
	ctx := context.Background()
	if !headers && file == "" {
		within, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		text, commit, err := hub.Config(within, ref)
		var e *fetch.Error
		switch {
		case err == nil:
			h := pinned(&held{text: text, from: ref.String() + ": config.json"}, commit)
			h.load = func() error {
				r, err := hub.Checkpoint(ctx, ref, file, patience, nil)
				if r != nil {
					h.list = r.List
				}
				return err
			}
			return h, nil
		case !errors.As(err, &e) || !e.File:
			return nil, err
		}
	}
	r, err := hub.Checkpoint(ctx, ref, file, patience, nil)
	if e := (*fetch.Error)(nil); broken != nil && errors.As(err, &e) && e.Kind == fetch.KindOffline {
		return nil, broken
	}
	if err != nil {
		return nil, err
	}
	return pinned(&held{text: r.Config, from: r.Ref.String() + ": config.json", list: r.List}, r.Ref.Revision), nil
}

// inTerminal says what a person at a terminal can do about what the hub answered: the page's hints are for those who have a field to paste into.
func inTerminal(err error) error {
	var e *fetch.Error
	if !errors.As(err, &e) {
		return err
	}
	said := *e
	switch e.Kind {
	case fetch.KindGated:
		said.Hint = "Accept its terms where you are signed in and set HF_TOKEN to a token of yours, or save its config.json and give that file."
	case fetch.KindOffline:
		said.Message = "The hub could not be reached at " + endpoint() + "."
		said.Hint = "Check the connection and HF_ENDPOINT, or give a config.json as a file."
	default:
		said.Hint = strings.NewReplacer("paste the config.json here", "give its config.json as a file", "paste its config.json here", "give its config.json as a file").Replace(e.Hint)
	}
	return &said
}

// openCached is openFolder for a snapshot, whose files may be picked.
func openCached(dir, file string) (*held, error) {
	if file == "" {
		return openFolder(dir)
	}
	return openIn(dir, func(names []string) ([]string, *fault.Error) {
		return checkpoint.Pick(dir, slices.DeleteFunc(names, func(n string) bool { return !checkpoint.Matches(n, file) }))
	})
}

// The hub's own tools read these (huggingface_hub, constants.py, as of version 1.0).

// endpoint is where the hub is.
func endpoint() string {
	if s := os.Getenv("HF_ENDPOINT"); s != "" {
		return strings.TrimRight(s, "/")
	}
	return "https://huggingface.co"
}

func on(s string) bool {
	switch strings.ToUpper(s) {
	case "1", "ON", "YES", "TRUE":
		return true
	}
	return false
}

// home is the hub's folder in the user's.
func home() string {
	if s := os.Getenv("HF_HOME"); s != "" {
		return expand(s)
	}
	if s := os.Getenv("XDG_CACHE_HOME"); s != "" {
		return filepath.Join(expand(s), "huggingface")
	}
	return expand("~/.cache/huggingface")
}

// expand puts the user's folder in place of ~.
func expand(path string) string {
	rest, ok := strings.CutPrefix(path, "~")
	if !ok {
		return path
	}
	user, err := os.UserHomeDir()
	if err != nil {
		return path
	}
	return filepath.Join(user, rest)
}

// token is what the user has put there for the hub; empty for none. It is sent to the endpoint alone.
func token() string {
	for _, name := range []string{"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"} {
		if s := strings.TrimSpace(os.Getenv(name)); s != "" {
			return s
		}
	}
	if on(os.Getenv("HF_HUB_DISABLE_IMPLICIT_TOKEN")) {
		return ""
	}
	path := os.Getenv("HF_TOKEN_PATH")
	if path == "" {
		path = filepath.Join(home(), "token")
	}
	text, err := os.ReadFile(expand(path))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// cache is the folder of what the hub's tools have fetched.
func cache() string {
	for _, name := range []string{"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"} {
		if s := os.Getenv(name); s != "" {
			return expand(s)
		}
	}
	return filepath.Join(home(), "hub")
}

// snapshot is a model's folder in the cache, at a branch, a tag or a commit; empty when it is not there.
func snapshot(ref fetch.Ref) string {
	dir := filepath.Join(cache(), "models--"+ref.Owner+"--"+ref.Name)
	commit := ref.Revision
	if text, err := os.ReadFile(filepath.Join(dir, "refs", filepath.FromSlash(ref.Revision))); err == nil {
		commit = strings.TrimSpace(string(text))
	}
	if commit == "" || strings.ContainsAny(commit, `/\`) || strings.HasPrefix(commit, ".") {
		return ""
	}
	path := filepath.Join(dir, "snapshots", commit)
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return ""
	}
	return path
}
