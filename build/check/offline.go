package check

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

const (
	workerFile   = "/sw.js"
	manifestFile = "/app.webmanifest"
)

var (
	workerFiles = regexp.MustCompile(`^const build="([0-9a-f]{16})",files=(\[.*?\]),configs="([^"]+)";`)
	buildHeader = regexp.MustCompile(`(?m)^/\*\n(?:  .+\n)*?  X-Build: (\S*)$`)
)

// offline checks the worker that keeps the site: what it keeps is there, enough for the calculator,
// and of the version that the host sends. A site may do without one.
func (r *run) offline() {
	worker, ok := r.Files[workerFile]
	if !ok {
		return
	}
	m := workerFiles.FindSubmatch(worker)
	if m == nil {
		r.add(workerFile, "", "does not begin with its version and its list of files")
		return
	}
	if sent := buildHeader.FindSubmatch(r.Files["/_headers"]); sent == nil || string(sent[1]) != string(m[1]) {
		r.add(workerFile, "", "is of version %s, which the host does not send in X-Build: it would never install", m[1])
	}
	var kept []string
	if err := json.Unmarshal(m[2], &kept); err != nil {
		r.add(workerFile, "", "its list of files cannot be read: %v", err)
	}
	for _, path := range append(kept, string(m[3])) {
		file := path
		if strings.HasSuffix(path, "/") {
			file += "index.html"
		}
		if _, ok := r.Files[file]; !ok {
			r.add(workerFile, "", "keeps %s, which does not exist: it would never install", path)
		}
	}
	for file := range r.Files {
		if strings.HasPrefix(file, "/assets/calc") && !slices.Contains(kept, file) {
			r.add(workerFile, "", "does not keep %s, without which the calculator does not answer", file)
		}
	}
}

// manifest checks that the icons of an installed site are there. A site may do without one.
func (r *run) manifest() {
	data, ok := r.Files[manifestFile]
	if !ok {
		return
	}
	var m struct {
		Name  string `json:"name"`
		Start string `json:"start_url"`
		Icons []struct {
			Src, Sizes, Purpose string
		} `json:"icons"`
	}
	if err := json.Unmarshal(data, &m); err != nil {
		r.add(manifestFile, "", "is not valid JSON: %v", err)
		return
	}
	if m.Name == "" || r.documents[m.Start] == nil {
		r.add(manifestFile, "", "name %q and start_url %q: both are needed, and the second has to be a page", m.Name, m.Start)
	}
	sizes := map[string]bool{}
	for _, icon := range m.Icons {
		if _, ok := r.Files[icon.Src]; !ok {
			r.add(manifestFile, "", "names the icon %s, which does not exist", icon.Src)
		}
		sizes[icon.Sizes] = true
	}
	for _, size := range []string{"192x192", "512x512"} {
		if !sizes[size] {
			r.add(manifestFile, "", "has no icon of %s, without which browsers do not offer to install", size)
		}
	}
}
