package check

import (
	"bytes"
	"image/png"
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// Limits of a card: what chats and feeds show whole, and what they fetch without thinking twice.
const (
	cardWidth  = 1200
	cardHeight = 630
	cardBytes  = 25_000
)

// card checks the picture that links to a page show.
func (r *run) card(d *document) {
	if unlisted(d.path) {
		return
	}
	found := metas(d.root)
	for name, want := range map[string]string{"og:image:width": "1200", "og:image:height": "630", "twitter:card": "summary_large_image"} {
		if found[name] != want {
			r.add(d.path, "", "%s is %q in the head: %s for a page with a card", name, found[name], want)
		}
	}
	if strings.TrimSpace(found["og:image:alt"]) == "" {
		r.add(d.path, "", "og:image:alt is missing in the head: say what the card shows")
	}
	address, err := url.Parse(found["og:image"])
	if err != nil || found["og:image"] == "" || !strings.HasPrefix(found["og:image"], r.URL+"/") {
		r.add(d.path, "", "og:image is %q in the head: it has to be an absolute address of this site", found["og:image"])
		return
	}
	data, ok := r.Files[address.Path]
	if !ok {
		r.add(d.path, "", "the card %s does not exist", address.Path)
		return
	}
	size, err := png.DecodeConfig(bytes.NewReader(data))
	switch {
	case err != nil:
		r.add(d.path, "", "the card %s is no PNG: %v", address.Path, err)
	case size.Width != cardWidth || size.Height != cardHeight:
		r.add(d.path, "", "the card %s is %d × %d pixels, not %d × %d", address.Path, size.Width, size.Height, cardWidth, cardHeight)
	case len(data) > cardBytes:
		r.add(d.path, "", "the card %s has %d bytes: at most %d", address.Path, len(data), cardBytes)
	}
}

// metas is the content of a page's meta elements, by name or property.
func metas(root *html.Node) map[string]string {
	found := map[string]string{}
	for _, n := range elements(root, "meta") {
		name, _ := attr(n, "name")
		if property, ok := attr(n, "property"); ok {
			name = property
		}
		if name != "" {
			found[name], _ = attr(n, "content")
		}
	}
	return found
}
