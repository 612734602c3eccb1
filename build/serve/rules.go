package serve

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"strings"

	"github.com/BurntSushi/toml"
)

// rules are what the host reads beside the files, in its order of precedence.
type rules struct {
	headers   []headerRule
	redirects []redirectRule
}

// headerRule adds headers to every path that a pattern matches.
type headerRule struct {
	pattern string
	values  [][2]string // name, value
}

// config is the part of netlify.toml that concerns requests.
type config struct {
	Headers []struct {
		For    string
		Values map[string]string
	}
	Redirects []struct {
		From, To   string
		Status     int
		Force      bool
		Query      map[string]string
		Conditions map[string]any
		Headers    map[string]string
	}
}

// readRules reads _headers and _redirects from the site and both kinds from the file at tomlPath.
// The host asks the site's own files first.
func readRules(files fs.FS, tomlPath string) (*rules, error) {
	var r rules
	read := func(name string, parse func(string) error) error {
		data, err := fs.ReadFile(files, name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		return parse(string(data))
	}
	err := errors.Join(
		read("_headers", func(text string) (err error) { r.headers, err = parseHeaders(text); return err }),
		read("_redirects", func(text string) (err error) { r.redirects, err = parseRedirects(text); return err }),
	)
	if err != nil || tomlPath == "" {
		return &r, err
	}
	data, err := os.ReadFile(tomlPath)
	if errors.Is(err, fs.ErrNotExist) {
		return &r, nil
	}
	if err != nil {
		return nil, err
	}
	if err := r.addConfig(string(data)); err != nil {
		return nil, fmt.Errorf("%s: %w", tomlPath, err)
	}
	return &r, nil
}

func (r *rules) addConfig(text string) error {
	var c config
	if _, err := toml.Decode(text, &c); err != nil {
		return err
	}
	for _, h := range c.Headers {
		rule := headerRule{pattern: h.For}
		for name, value := range h.Values {
			rule.values = append(rule.values, [2]string{name, value})
		}
		r.headers = append(r.headers, rule)
	}
	for _, d := range c.Redirects {
		if len(d.Query)+len(d.Conditions)+len(d.Headers) > 0 {
			return fmt.Errorf("redirect from %s: query, conditions and headers are not known here", d.From)
		}
		rule, err := newRedirect(d.From, d.To, d.Status, d.Force)
		if err != nil {
			return err
		}
		r.redirects = append(r.redirects, rule)
	}
	return nil
}

// parseHeaders reads the form of _headers: a path that begins its line, then indented "Name: value" lines.
func parseHeaders(text string) ([]headerRule, error) {
	var all []headerRule
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || strings.HasPrefix(trimmed, "#"):
		case line[0] != ' ' && line[0] != '\t':
			all = append(all, headerRule{pattern: trimmed})
		default:
			name, value, ok := strings.Cut(trimmed, ":")
			if !ok || len(all) == 0 {
				return nil, fmt.Errorf("_headers:%d: %q is neither a path nor an indented \"Name: value\" below one", i+1, trimmed)
			}
			last := &all[len(all)-1]
			last.values = append(last.values, [2]string{strings.TrimSpace(name), strings.TrimSpace(value)})
		}
	}
	return all, nil
}

// setHeaders applies every rule that matches. As at the host, values of one name are joined by commas.
func (r *rules) setHeaders(h http.Header, request string) {
	for _, rule := range r.headers {
		if _, ok := match(rule.pattern, request); !ok {
			continue
		}
		for _, v := range rule.values {
			if old := h.Get(v[0]); old != "" {
				h.Set(v[0], old+", "+v[1])
			} else {
				h.Set(v[0], v[1])
			}
		}
	}
}

// match compares a path with a pattern: ":name" stands for one segment, a "*" at the end for all the rest,
// which "splat" names. A slash at the end does not matter.
func match(pattern, request string) (map[string]string, bool) {
	want := strings.Split(strings.Trim(pattern, "/"), "/")
	rest := strings.TrimLeft(request, "/") // what the splat keeps, its last slash included
	got := strings.Split(strings.TrimRight(rest, "/"), "/")
	vars := map[string]string{}
	for i, w := range want {
		if w == "*" && i == len(want)-1 {
			vars["splat"] = ""
			if parts := strings.SplitN(rest, "/", i+1); len(parts) == i+1 {
				vars["splat"] = parts[i]
			}
			return vars, true
		}
		if i >= len(got) {
			return nil, false
		}
		if name, ok := strings.CutPrefix(w, ":"); ok && got[i] != "" {
			vars[name] = got[i]
		} else if w != got[i] {
			return nil, false
		}
	}
	return vars, len(got) == len(want)
}
