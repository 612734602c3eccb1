// Package hubtest is a model hub for tests: the hub's paths, headers, redirects and error
// bodies, over files in memory.
//
// Files of weights are sent by another host, to which the hub redirects, with Range and
// ETag, as the hub's own does. What a model's name says changes what its server does (see Trouble).
package hubtest

import (
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// File is a file in memory: its first bytes, and how long it is; what is behind them is zeros.
type File struct {
	Head []byte
	Size int64 // 0 for as long as Head
}

// Trouble is what goes wrong with a model.
type Trouble struct {
	Gated      bool          // 401, GatedRepo; open to those who bring Token
	Token      string        // the token that opens it
	Loop       bool          // redirects that never end
	NoRange    bool          // Range is ignored: the whole file, status 200
	Page       bool          // an HTML page with status 200 in place of every file
	Busy       int           // this many answers of 429 first
	Retry      string        // their Retry-After
	Hang       bool          // no answer at all
	Stall      bool          // the first byte, then nothing
	Broken     bool          // status 500
	NoCORS     bool          // a browser's page may not read it
	Missing    string        // a file that is not there, though the index names it
	Slow       time.Duration // before each answer
	CutConfig  bool          // the config ends halfway
	WrongRange bool          // another part than was asked for
}

// Hub is a running hub.
type Hub struct {
	URL  string // of the hub
	Data string // of the host that it redirects to

	mu       sync.Mutex
	models   map[string]*repository
	Requests []string // "host method path range", in order
	sent     int64
	now      int // files that are asked for and not answered yet
	most     int
}

type repository struct {
	files   map[string]File
	trouble Trouble
	commit  string
	busy    int

	unplugged bool
}

// Start serves a hub until the test ends.
func Start(t testing.TB) *Hub {
	t.Helper()
	h, end := New()
	t.Cleanup(end)
	return h
}

// New serves a hub until end is called.
func New() (h *Hub, end func()) {
	h = &Hub{models: map[string]*repository{}}
	data := httptest.NewServer(http.HandlerFunc(h.data))
	front := httptest.NewServer(http.HandlerFunc(h.front))
	h.URL, h.Data = front.URL, data.URL
	return h, func() {
		front.CloseClientConnections()
		data.CloseClientConnections()
		front.Close()
		data.Close()
	}
}

// Unplug takes the network away from a model for a while, as seen from a page: every request ends without an answer.
func (h *Hub) Unplug(id string, out bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.models[id].unplugged = out
}

// cut ends a request without an answer when the network is away.
func (h *Hub) cut(m *repository) {
	h.mu.Lock()
	out := m.unplugged
	h.mu.Unlock()
	if out {
		panic(http.ErrAbortHandler)
	}
}

// Files serves files as a model.
func (h *Hub) Files(id string, files map[string]File, trouble Trouble) {
	sum := sha1.Sum([]byte(id))
	m := &repository{files: files, trouble: trouble, commit: hex.EncodeToString(sum[:]), busy: trouble.Busy}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.models[id] = m
}

// Commit is the commit that a model's main branch is at.
func (h *Hub) Commit(id string) string { return h.models[id].commit }

// Sent is how many bytes of files went out.
func (h *Hub) Sent() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.sent
}

// Most is how many files were on their way at once, at most.
func (h *Hub) Most() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.most
}

// Log returns the requests so far.
func (h *Hub) Log() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.Requests)
}

func (h *Hub) note(host string, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	line := host + " " + r.Method + " " + r.URL.EscapedPath()
	if part := r.Header.Get("Range"); part != "" {
		line += " " + part
	}
	if r.Header.Get("Authorization") != "" {
		line += " (signed)"
	}
	h.Requests = append(h.Requests, line)
}

// open lets pages of other sites read an answer, as the hub does.
func open(w http.ResponseWriter) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Access-Control-Allow-Headers", "Range, Authorization")
	w.Header().Set("Access-Control-Expose-Headers", "X-Repo-Commit, X-Error-Code, X-Linked-Size, Content-Range, ETag, Retry-After")
}

func refuse(w http.ResponseWriter, status int, code, text string) {
	if code != "" {
		w.Header().Set("X-Error-Code", code)
		w.Header().Set("X-Error-Message", text)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"error":%q}`, text)
}

// front is the hub: /OWNER/NAME/resolve/REVISION/FILE and /api/models/OWNER/NAME[/revision/REVISION].
func (h *Hub) front(w http.ResponseWriter, r *http.Request) {
	h.note("hub", r)
	parts := strings.Split(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/")
	api := len(parts) >= 4 && parts[0] == "api" && parts[1] == "models"
	if api {
		parts = parts[2:]
	}
	if len(parts) < 2 {
		open(w)
		refuse(w, 404, "", "Not found")
		return
	}
	id := parts[0] + "/" + parts[1]
	h.mu.Lock()
	m := h.models[id]
	h.mu.Unlock()
	if m == nil {
		open(w)
		refuse(w, 401, "RepoNotFound", "Repository not found")
		return
	}
	h.cut(m)
	x := &m.trouble
	if !x.NoCORS {
		open(w)
	}
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	time.Sleep(x.Slow)
	switch {
	case x.Hang:
		<-r.Context().Done()
		return
	case x.Gated && r.Header.Get("Authorization") != "Bearer "+x.Token:
		refuse(w, 401, "GatedRepo", "Access to model "+id+" is restricted.")
		return
	case x.Broken:
		refuse(w, 500, "", "Internal Error")
		return
	case x.Loop:
		http.Redirect(w, r, r.URL.Path+"?again", http.StatusFound)
		return
	case x.Page:
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>Sign in</title>")
		return
	}
	h.mu.Lock()
	busy := m.busy > 0
	m.busy--
	h.mu.Unlock()
	if busy {
		if x.Retry != "" {
			w.Header().Set("Retry-After", x.Retry)
		}
		refuse(w, 429, "", "Too many requests")
		return
	}
	w.Header().Set("X-Repo-Commit", m.commit)
	if api {
		revision := "main"
		if len(parts) >= 4 {
			revision = parts[3]
		}
		if revision != "main" && revision != m.commit {
			refuse(w, 404, "RevisionNotFound", "Invalid rev id")
			return
		}
		h.list(w, id, m)
		return
	}
	if len(parts) < 5 || parts[2] != "resolve" {
		refuse(w, 404, "", "Not found")
		return
	}
	if parts[3] != "main" && parts[3] != m.commit {
		refuse(w, 404, "RevisionNotFound", "Invalid rev id: "+parts[3])
		return
	}
	name := strings.Join(parts[4:], "/")
	f, ok := m.files[name]
	if !ok || name == x.Missing {
		refuse(w, 404, "EntryNotFound", "Entry not found")
		return
	}
	if strings.HasSuffix(name, ".json") {
		if x.CutConfig {
			f.Head = f.Head[:len(f.Head)/2]
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		h.send(w, r, f, x)
		return
	}
	w.Header().Set("X-Linked-Size", fmt.Sprint(f.size()))
	http.Redirect(w, r, h.Data+"/blob/"+id+"/"+name+"?signature=1", http.StatusFound)
}

// data is the host of the weights.
func (h *Hub) data(w http.ResponseWriter, r *http.Request) {
	h.note("data", r)
	h.mu.Lock()
	h.now++
	h.most = max(h.most, h.now)
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		h.now--
		h.mu.Unlock()
	}()
	parts := strings.SplitN(strings.TrimPrefix(r.URL.Path, "/blob/"), "/", 3)
	if len(parts) < 3 {
		http.NotFound(w, r)
		return
	}
	h.mu.Lock()
	m := h.models[parts[0]+"/"+parts[1]]
	h.mu.Unlock()
	if m == nil || r.URL.Query().Get("signature") == "" {
		http.Error(w, "Access denied", http.StatusForbidden)
		return
	}
	if !m.trouble.NoCORS {
		open(w)
	}
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	time.Sleep(m.trouble.Slow)
	h.cut(m)
	f, ok := m.files[parts[2]]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h.send(w, r, f, &m.trouble)
}

// send answers with a file, or a part of it.
func (h *Hub) send(w http.ResponseWriter, r *http.Request, f File, x *Trouble) {
	size := f.size()
	from, to := int64(0), size-1
	w.Header().Set("ETag", fmt.Sprintf(`"%x"`, sha1.Sum(f.Head)))
	w.Header().Set("Accept-Ranges", "bytes")
	status := http.StatusOK
	if part := r.Header.Get("Range"); part != "" && !x.NoRange {
		if n, err := fmt.Sscanf(part, "bytes=%d-%d", &from, &to); n < 1 || err != nil && n < 1 || from >= size {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes */%d", size))
			w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
			return
		}
		to = min(to, size-1)
		status = http.StatusPartialContent
		said := from
		if x.WrongRange {
			said += 7
		}
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", said, to, size))
	}
	w.Header().Set("Content-Length", fmt.Sprint(to-from+1))
	w.WriteHeader(status)
	var zeros [64 << 10]byte
	for at := from; at <= to; {
		b := zeros[:min(int64(len(zeros)), to-at+1)]
		if at < int64(len(f.Head)) {
			b = f.Head[at:min(int64(len(f.Head)), to+1, at+int64(len(zeros)))]
		}
		if x.Stall {
			b = b[:1]
		}
		n, err := w.Write(b)
		h.mu.Lock()
		h.sent += int64(n)
		h.mu.Unlock()
		if err != nil {
			return
		}
		if x.Stall {
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			return
		}
		at += int64(n)
	}
}

func (f File) size() int64 { return max(f.Size, int64(len(f.Head))) }

// list answers with the names of a model's files.
func (h *Hub) list(w http.ResponseWriter, id string, m *repository) {
	type sibling struct {
		Name string `json:"rfilename"`
	}
	out := struct {
		ID       string    `json:"id"`
		SHA      string    `json:"sha"`
		Siblings []sibling `json:"siblings"`
	}{ID: id, SHA: m.commit}
	for _, n := range slices.Sorted(maps.Keys(m.files)) {
		out.Siblings = append(out.Siblings, sibling{n})
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_ = json.NewEncoder(w).Encode(out)
}
