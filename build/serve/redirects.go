package serve

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// redirectRule sends a path elsewhere, or answers it with another file (status 200 and 404).
type redirectRule struct {
	From, To string
	Status   int
	Force    bool // even where a file answers the path
}

// Statuses that the host gives a rule.
var statuses = []int{200, 301, 302, 303, 307, 308, 404}

func newRedirect(from, to string, status int, force bool) (redirectRule, error) {
	if status == 0 {
		status = http.StatusMovedPermanently
	}
	if from == "" || to == "" {
		return redirectRule{}, fmt.Errorf("redirect from %q to %q: both are needed", from, to)
	}
	if !slices.Contains(statuses, status) {
		return redirectRule{}, fmt.Errorf("redirect from %s: status %d (allowed: %v)", from, status, statuses)
	}
	if status == http.StatusOK && !strings.HasPrefix(to, "/") {
		return redirectRule{}, fmt.Errorf("redirect from %s: %s is another host, which is not fetched here", from, to)
	}
	return redirectRule{from, to, status, force}, nil
}

// parseRedirects reads the form of _redirects: "from to [status[!]]" on each line.
func parseRedirects(text string) ([]redirectRule, error) {
	var all []redirectRule
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, " #")
		f := strings.Fields(line)
		if len(f) == 0 || strings.HasPrefix(f[0], "#") {
			continue
		}
		if len(f) != 2 && len(f) != 3 {
			return nil, fmt.Errorf("_redirects:%d: %q is not \"from to [status]\"", i+1, strings.TrimSpace(line))
		}
		status, force := 0, false
		if len(f) == 3 {
			digits, bang := strings.CutSuffix(f[2], "!")
			var err error
			if status, err = strconv.Atoi(digits); err != nil {
				return nil, fmt.Errorf("_redirects:%d: %q is not a status", i+1, f[2])
			}
			force = bang
		}
		rule, err := newRedirect(f[0], f[1], status, force)
		if err != nil {
			return nil, fmt.Errorf("_redirects:%d: %w", i+1, err)
		}
		all = append(all, rule)
	}
	return all, nil
}

// redirect finds the first rule for a request, with the names in its target filled in.
// A rule without force steps back where the site has an answer of its own.
func (r *rules) redirect(req *http.Request, answered bool) (redirectRule, bool) {
	for _, rule := range r.redirects {
		if answered && !rule.Force {
			continue
		}
		from := rule.From
		if u, err := url.Parse(from); err == nil && u.Host != "" {
			if u.Host != req.Host {
				continue
			}
			from = u.Path
		}
		vars, ok := match(from, req.URL.Path)
		if !ok {
			continue
		}
		rule.To = fill(rule.To, vars)
		if req.URL.RawQuery != "" && !strings.Contains(rule.To, "?") {
			rule.To += "?" + req.URL.RawQuery
		}
		return rule, true
	}
	return redirectRule{}, false
}

func fill(to string, vars map[string]string) string {
	parts := strings.Split(to, "/")
	for i, p := range parts {
		if name, ok := strings.CutPrefix(p, ":"); ok {
			if value, known := vars[name]; known {
				parts[i] = value
			}
		}
	}
	return strings.Join(parts, "/")
}

// rewrites tells whether the address stays and only the content is another's.
func (r redirectRule) rewrites() bool {
	return r.Status == http.StatusOK || r.Status == http.StatusNotFound
}

func (r redirectRule) path() string {
	p, _, _ := strings.Cut(r.To, "?")
	return p
}
