package serve

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

var (
	//go:embed reload.js
	reloadJS []byte
	//go:embed overlay.css
	overlayCSS []byte
)

// Dev is the server for someone who writes.
//
// The running program holds the generator as it was when it started. After a Go file has changed, or one that Go
// code embeds, that generator is out of date, so this build and all later ones run Rerun as a child process, which compiles the generator
// anew; until then Build runs in this process, where what it keeps in memory makes it quick. The
// server's own code alone needs a restart by hand.
type Dev struct {
	Root  string    // the checkout; where Rerun runs
	Dir   string    // the built site
	Watch []string  // files and folders below Root that the site is built from
	Addr  string    // wanted address, "localhost:8080"; a busy port is passed over for the next free one
	Log   io.Writer // one line for each build, and the address

	// Build builds the site. changed are the files that were written since the last build, below Root with
	// forward slashes; nil means build all. Its error is shown as it stands, so it should name file and line.
	Build func(ctx context.Context, changed []string) error
	Rerun []string // the command that builds with changed Go code; default: go run ./build build

	mu       sync.Mutex
	state    state
	watchers map[chan struct{}]bool
	stale    bool // a Go file changed
}

// state is what a page is told.
type state struct {
	Build string `json:"build"` // differs for each build, and for each run of the server
	Error string `json:"error,omitempty"`
}

// Run builds, serves and watches until ctx ends. A site that does not build is served all the same: its pages say why.
func (d *Dev) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	changes, err := watch(ctx, d.Root, d.Watch)
	if err != nil {
		return fmt.Errorf("watch the sources: %w", err)
	}
	d.build(ctx, nil)
	listener, err := listen(d.Addr)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: d.handler(ctx), ReadHeaderTimeout: 10 * time.Second}
	defer server.Close()
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	fmt.Fprintf(d.Log, "serve: http://localhost:%d\n", listener.Addr().(*net.TCPAddr).Port)
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-failed:
			return err
		case changed := <-changes:
			d.build(ctx, changed)
		}
	}
}

// listen takes the wanted port, or the first free one of the hundred after it.
func listen(addr string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("address %q: %w", addr, err)
	}
	first, err := strconv.Atoi(port)
	if err != nil {
		return nil, fmt.Errorf("address %q: the port is not a number", addr)
	}
	for p := first; ; p++ {
		l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(p)))
		if err == nil || p == first+100 || first == 0 {
			return l, err
		}
	}
}

func (d *Dev) build(ctx context.Context, changed []string) {
	start := time.Now()
	for _, name := range changed {
		d.stale = d.stale || compiled(name)
	}
	run := d.Build
	if d.stale {
		run = d.rerun
	}
	err := run(ctx, changed)
	if ctx.Err() != nil {
		return
	}
	s := state{Build: strconv.FormatInt(time.Now().UnixNano(), 36)}
	what := "everything"
	if len(changed) > 0 {
		what = strings.Join(changed, ", ")
	}
	if err != nil {
		s.Error = strings.ReplaceAll(err.Error(), d.Root+string(filepath.Separator), "")
		fmt.Fprintf(d.Log, "build: failed after %s\n%s\n", what, s.Error)
	} else {
		fmt.Fprintf(d.Log, "build: %s in %d ms\n", what, time.Since(start).Milliseconds())
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.state = s
	for w := range d.watchers {
		select {
		case w <- struct{}{}:
		default: // it has not looked since the last build, and will see this one
		}
	}
}

// compiled tells whether a file is part of the generator: its code, or what the code embeds.
func compiled(name string) bool {
	return strings.HasSuffix(name, ".go") || name == "go.mod" ||
		strings.HasPrefix(name, "core/") || strings.HasPrefix(name, "build/")
}

func (d *Dev) current() state {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.state
}

func (d *Dev) handler(ctx context.Context) http.Handler {
	site := Handler(d.Dir, Options{Config: filepath.Join(d.Root, "netlify.toml"), page: addScript})
	mux := http.NewServeMux()
	asset := func(kind string, content []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.Header().Set("Cache-Control", "no-store")
			w.Write(content)
		}
	}
	mux.HandleFunc("GET /__dev/reload.js", asset(types[".js"], reloadJS))
	mux.HandleFunc("GET /__dev/overlay.css", asset(types[".css"], overlayCSS))
	mux.HandleFunc("GET /__dev/events", func(w http.ResponseWriter, r *http.Request) { d.events(ctx, w, r) })
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if s := d.current(); s.Error != "" {
			if _, err := os.Stat(filepath.Join(d.Dir, "index.html")); err != nil {
				w.Header().Set("Content-Type", types[".html"])
				w.WriteHeader(http.StatusInternalServerError)
				fmt.Fprintf(w, "<!doctype html><title>The site does not build</title><h1>The site does not build</h1><pre>%s</pre>%s",
					html.EscapeString(s.Error), scriptTag)
				return
			}
		}
		site.ServeHTTP(w, r)
	})
	return mux
}

const scriptTag = `<script type="module" src="/__dev/reload.js"></script>`

// addScript puts the reload script at the end of a page.
func addScript(page []byte) []byte {
	at := bytes.LastIndex(page, []byte("</body>"))
	if at < 0 {
		at = len(page)
	}
	return bytes.Join([][]byte{page[:at], []byte(scriptTag), page[at:]}, nil)
}

// events tells one page of every build, as Server-Sent Events, until it leaves.
func (d *Dev) events(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	news := make(chan struct{}, 1)
	d.mu.Lock()
	if d.watchers == nil {
		d.watchers = map[chan struct{}]bool{}
	}
	d.watchers[news] = true
	d.mu.Unlock()
	defer func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.watchers, news)
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	for {
		data, err := json.Marshal(d.current())
		if err != nil {
			return
		}
		if _, err := fmt.Fprintf(w, "retry: 500\nevent: build\ndata: %s\n\n", data); err != nil {
			return
		}
		if err := http.NewResponseController(w).Flush(); err != nil {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-r.Context().Done():
			return
		case <-news:
		}
	}
}
