// Package serve answers requests for the built site the way its host does, and watches the sources.
//
// # As the host would
//
// Handler serves a folder with the headers of its _headers file and the redirects of its _redirects file
// and of netlify.toml. A page is DIR/index.html under /DIR/, a missing one is 404.html with
// status 404, text and WebAssembly travel in brotli or gzip, and an ETag names the content. So what is tested
// here (a policy that blocks a script, a size on the wire, a redirect) is what a reader meets.
// Everything is read anew on each request; only compressed bodies are kept, by their content.
//
//	site := httptest.NewServer(serve.Handler("dist", serve.Options{Config: "netlify.toml"}))
//
// What the host does and this does not: edge functions (site/edge_test.go runs ours), rules that depend on country,
// language, cookie or role, and proxying to other hosts. Such a rule is an error on every request, not one that
// is passed over.
//
// # While someone writes
//
// Dev builds the site, serves it on localhost, watches the sources and builds again. Each page
// gets one script more, which reloads it after a build and shows the error of a build that failed. The script is
// the site's own address, so the site's policy allows it. See Dev for what happens when Go code changes.
package serve

import (
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
)

// Options of Handler.
type Options struct {
	Config string // path of netlify.toml; empty means no such file

	// page, when set, changes an HTML page before it is sent.
	page func(html []byte) []byte
}

// Handler serves the folder dir.
func Handler(dir string, opt Options) http.Handler {
	return &site{dir: dir, opt: opt}
}

type site struct {
	dir string
	opt Options
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD are answered", http.StatusMethodNotAllowed)
		return
	}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	defer root.Close()
	files := root.FS()
	rules, err := readRules(files, s.opt.Config)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	rules.setHeaders(w.Header(), r.URL.Path)

	name, moved := find(files, r.URL.Path)
	if to, ok := rules.redirect(r, name != "" || moved != ""); ok {
		if to.rewrites() {
			name, _ = find(files, to.path())
			s.send(w, r, files, name, to.Status)
			return
		}
		http.Redirect(w, r, to.To, to.Status)
		return
	}
	if moved != "" {
		to := url.URL{Path: moved, RawQuery: r.URL.RawQuery}
		http.Redirect(w, r, to.String(), http.StatusMovedPermanently)
		return
	}
	s.send(w, r, files, name, http.StatusOK)
}

// find maps a request's path to a file of the site. Where the path is a folder without its slash, moved is the right address.
func find(files fs.FS, request string) (name, moved string) {
	clean := path.Clean("/" + request)
	name = strings.TrimPrefix(clean, "/")
	if name == "_headers" || name == "_redirects" {
		return "", "" // read by the host, never sent
	}
	if isFile(files, path.Join(name, "index.html")) {
		if clean != "/" && !strings.HasSuffix(request, "/") {
			return "", clean + "/"
		}
		return path.Join(name, "index.html"), ""
	}
	switch {
	case strings.HasSuffix(request, "/"):
		return "", ""
	case isFile(files, name):
		return name, ""
	case isFile(files, name+".html"):
		return name + ".html", ""
	}
	return "", ""
}

func isFile(files fs.FS, name string) bool {
	info, err := fs.Stat(files, name)
	return err == nil && info.Mode().IsRegular()
}

// send answers with a file, or with 404.html where there is none.
func (s *site) send(w http.ResponseWriter, r *http.Request, files fs.FS, name string, status int) {
	if name == "" {
		name, status = "404.html", http.StatusNotFound
	}
	content, err := fs.ReadFile(files, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		http.Error(w, "not found", http.StatusNotFound)
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
	default:
		kind := contentType(name)
		if s.opt.page != nil && strings.HasPrefix(kind, "text/html") {
			content = s.opt.page(content)
		}
		packing.send(w, r, content, kind, status)
	}
}
