package check

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// ids reports ids that repeat.
func (r *run) ids(d *document) {
	var twice []string
	for id, n := range d.ids {
		if n > 1 {
			twice = append(twice, id)
		}
	}
	slices.Sort(twice)
	for _, id := range twice {
		r.add(d.path, "{#"+id+"}", "the id %q stands %d times: each may stand once", id, d.ids[id])
	}
}

// idReferences are the attributes that hold ids of the same page, several or one.
var idReferences = []string{"for", "aria-labelledby", "aria-describedby", "aria-controls", "aria-details", "list", "form", "popovertarget"}

// references follows everything that points somewhere.
func (r *run) references(d *document) {
	for _, n := range elements(d.root) {
		for _, name := range idReferences {
			value, _ := attr(n, name)
			for _, id := range strings.Fields(value) {
				if d.ids[id] == 0 {
					r.add(d.path, "", "%s: %s names the id %q, which is not on the page", describe(n), name, id)
				}
			}
		}
		for _, name := range []string{"href", "src", "action", "poster"} {
			if value, ok := attr(n, name); ok {
				r.follow(d, n.Data, name, value)
			}
		}
	}
}

// follow resolves one address from a page.
func (r *run) follow(d *document, element, name, value string) {
	target, err := url.Parse(value)
	if err != nil {
		r.add(d.path, value, "%s=%q is not an address: %v", name, value, err)
		return
	}
	if target.Scheme == "javascript" {
		r.add(d.path, value, "%s=%q: the content policy forbids scripts in addresses", name, value)
		return
	}
	own := strings.TrimPrefix(value, r.URL)
	if target.IsAbs() || target.Host != "" {
		if own == value || r.URL == "" {
			// Another site. A link may lead there; nothing may be loaded from there.
			if element != "a" && element != "link" {
				r.add(d.path, value, "<%s %s=%q>: everything a page loads comes from the site itself", element, name, value)
			}
			return
		}
		target, _ = url.Parse(own)
	}
	path := target.Path
	switch {
	case path == "":
		path = d.path
	case !strings.HasPrefix(path, "/"):
		r.add(d.path, value, "%s=%q is relative: begin it with /", name, value)
		return
	}
	page, isPage := r.documents[path]
	if !isPage {
		if _, isFile := r.Files[path]; !isFile {
			advice := ""
			if _, ok := r.documents[path+"/"]; ok {
				advice = ": write " + path + "/"
			}
			r.add(d.path, value, "%s=%q leads nowhere%s", name, value, advice)
			return
		}
	}
	if isPage && element == "a" {
		d.links[path] = true
	}
	if fragment := target.Fragment; fragment != "" && isPage && page.ids[fragment] == 0 && !strings.Contains(fragment, "=") {
		r.add(d.path, value, "%s=%q: %s has no id %q", name, value, path, fragment)
	}
}

// An address begins behind a quote or a bracket; a longer path that has /assets/ inside it is another's.
var assetName = regexp.MustCompile(`/assets/[\w.-]+`)
var besideName = regexp.MustCompile(`\./[\w./-]+`)
var partOf = regexp.MustCompile(`^(/assets/[\w.-]+-[0-9A-Za-z]{8,})/[\w.-]+(\.\w+)$`)
var hashedName = regexp.MustCompile(`^/assets/.+-[0-9A-Za-z]{8,}\.\w+$`)

// hashedFiles checks the files that are kept for ever: each has a hash in its name, each name that
// is written anywhere exists, and each file is named somewhere.
func (r *run) hashedFiles() {
	named := map[string]bool{}
	for file, data := range r.Files {
		for _, suffix := range []string{".html", ".css", ".js", ".json", ".webmanifest"} {
			if !strings.HasSuffix(file, suffix) || file == workerFile { // it names all there is
				continue
			}
			for _, at := range assetName.FindAllIndex(data, -1) {
				if at[0] == 0 || !strings.ContainsRune(`"'(`, rune(data[at[0]-1])) {
					continue
				}
				name := string(data[at[0]:at[1]])
				named[name] = true
				if _, ok := r.Files[name]; !ok {
					r.add(file, "", "names %s, which does not exist", name)
				}
			}
		}
	}
	// Parts of scripts name each other without the folder.
	for file, data := range r.Files {
		if strings.HasSuffix(file, ".js") {
			for _, name := range besideName.FindAll(data, -1) {
				named["/assets"+string(name[1:])] = true
			}
		}
	}
	for file := range r.Files {
		if !strings.HasPrefix(file, "/assets/") {
			continue
		}
		if whole := partOf.FindStringSubmatch(file); whole != nil && named[whole[1]+whole[2]] {
			continue // a part of a file that has the hash, and is asked for by its name
		}
		if !hashedName.MatchString(file) {
			r.add(file, "", "is kept for ever, so its name needs a hash of its content")
		}
		if !named[file] {
			r.add(file, "", "is named by no page, style or script: it is dead weight")
		}
	}
}

// orphans reports pages that no chain of links from the home page reaches.
func (r *run) orphans() {
	home, ok := r.documents["/"]
	if !ok {
		r.add("/", "", "there is no home page")
		return
	}
	seen := map[*document]bool{home: true}
	for queue := []*document{home}; len(queue) > 0; queue = queue[1:] {
		for path := range queue[0].links {
			if next := r.documents[path]; !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	for path, d := range r.documents {
		if !seen[d] && !unlisted(path) {
			r.add(path, "", "no link leads here from the home page")
		}
	}
}
