package pages

import (
	"fmt"
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
	// The hub answers for a model that the catalogue lacks, when a reader asks for it; headers of weights come from
	// the hosts that it redirects to.
	"connect-src 'self' https://huggingface.co https://*.huggingface.co https://*.hf.co",
	"worker-src 'self'",
	"manifest-src 'self'",
	// The page about embedding shows a framed answer.
	"frame-src 'self'",
	"form-action 'self'",
	"base-uri 'none'",
}

// Headers is the file _headers in Netlify's form. Values of one name from several rules that
// match are joined by commas. That is why a rule on /* holds only what is true everywhere, and
// why the ban on framing is a policy of its own on every path but /embed/. build is the version
// that the worker compares with its own.
func Headers(pages []*Page, assets, build string) []byte {
	var b strings.Builder
	rule := func(path string, headers ...string) {
		fmt.Fprintf(&b, "%s\n", path)
		for _, h := range headers {
			fmt.Fprintf(&b, "  %s\n", h)
		}
	}
	rule("/*",
		"Content-Security-Policy: "+strings.Join(policy, "; "),
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
