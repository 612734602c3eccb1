package pages

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// policy is what pages may load. All code and all styles come from the site itself; there is no
// inline script and no inline style. A script of type application/ld+json is data and not touched by it.
var policy = []string{
	"default-src 'none'",
	// 'wasm-unsafe-eval' lets WebAssembly be compiled; it does not let text be run.
	"script-src 'self' 'wasm-unsafe-eval'",
	"style-src 'self'",
	"img-src 'self' data:",
	"font-src 'self'",
	"worker-src 'self'",
	"manifest-src 'self'",
	// The page about embedding shows a framed answer.
	"frame-src 'self'",
	"form-action 'self'",
	"base-uri 'none'",
}

// Hub is where the page asks for models that the catalogue lacks, when a reader does.
type Hub struct {
	Endpoint string   // scheme and host, empty for the hub itself
	Hosts    []string // others to which it redirects downloads, as a policy names them
}

// hubHosts are the hub's own host, and those to which it redirects downloads: its content networks and its store of pieces.
var hubHosts = []string{"https://huggingface.co", "https://*.huggingface.co", "https://*.hf.co"}

// HubAt reads what a build is told: endpoint is a mirror's or a private hub's address, hosts are further ones, with spaces between, that
// it redirects downloads to. Both may be empty.
func HubAt(endpoint, hosts string) (Hub, error) {
	h := Hub{Endpoint: strings.TrimRight(endpoint, "/"), Hosts: strings.Fields(hosts)}
	if h.Endpoint == hubHosts[0] {
		h.Endpoint = ""
	}
	for _, address := range append([]string{h.Endpoint}, h.Hosts...) {
		u, err := url.Parse(address)
		if address != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.ContainsAny(address, " ;,'\"")) {
			return h, fmt.Errorf("%q is not the address of a hub: it needs a scheme and a host, such as https://hub.example.org", address)
		}
	}
	return h, nil
}

// connections are the hosts that the page may ask. Downloads of a mirror may still come from the hub's own hosts.
func (h Hub) connections() string {
	all := hubHosts
	if u, err := url.Parse(h.Endpoint); err == nil && u.Host != "" {
		all = append([]string{u.Scheme + "://" + u.Host}, hubHosts[1:]...)
	}
	return "connect-src 'self' " + strings.Join(append(slices.Clone(all), h.Hosts...), " ")
}

// Headers is the file _headers in Netlify's form. Values of one name from several rules that
// match are joined by commas. That is why a rule on /* holds only what is true everywhere, and
// why the ban on framing is a policy of its own on every path but /embed/. build is the version
// that the worker compares with its own.
func Headers(pages []*Page, assets, build string, hub Hub) []byte {
	var b strings.Builder
	rule := func(path string, headers ...string) {
		fmt.Fprintf(&b, "%s\n", path)
		for _, h := range headers {
			fmt.Fprintf(&b, "  %s\n", h)
		}
	}
	rule("/*",
		"Content-Security-Policy: "+strings.Join(append(slices.Clone(policy), hub.connections()), "; "),
		"X-Content-Type-Options: nosniff",
		"Referrer-Policy: strict-origin-when-cross-origin",
		"Permissions-Policy: camera=(), geolocation=(), microphone=(), payment=(), usb=()",
		"Cross-Origin-Opener-Policy: same-origin",
		"Strict-Transport-Security: max-age=31536000",
		"X-Build: "+build,
	)
	// Only names with a hash never change.
	rule(assets+"*", "Cache-Control: public, max-age=31536000, immutable")
	// Other sites load it under this name, from modules and isolated pages too.
	rule(EmbedPath,
		"Cache-Control: public, max-age=3600",
		"Access-Control-Allow-Origin: *",
		"Cross-Origin-Resource-Policy: cross-origin")
	for _, path := range sections(pages) {
		rule(path,
			"Content-Security-Policy: frame-ancestors 'none'",
			"Cache-Control: public, max-age=0, must-revalidate")
	}
	return []byte(b.String())
}

// sections are the patterns that cover all pages that may not be framed: "/", "/models/*".
func sections(pages []*Page) []string {
	var all []string
	for _, p := range pages {
		pattern := p.Path
		if first, _, nested := strings.Cut(strings.TrimPrefix(p.Path, "/"), "/"); nested {
			pattern = "/" + first + "/*"
		}
		if pattern != "/embed/*" && !slices.Contains(all, pattern) {
			all = append(all, pattern)
		}
	}
	slices.Sort(all)
	return all
}
