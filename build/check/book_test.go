package check

import (
	"fmt"
	"strings"
	"testing"
)

// A text of the book that has everything, and then without each of its parts.
func TestTextsHaveTheirFurniture(t *testing.T) {
	whole := `<nav class="contents"><a href="#a">A</a></nav><article>
<h2 id="a">A <a class="anchor" href="#a">#</a></h2><h2 id="b">B <a class="anchor" href="#b">#</a></h2><h2 id="c">C <a class="anchor" href="#c">#</a></h2>
<figure id="f"><svg></svg><figcaption>F <a class="anchor" href="#f">#</a></figcaption></figure>
<details class="cite"><summary>Cite</summary></details><a rel="next" href="/">Next</a></article>`
	for _, c := range []struct{ without, by, want string }{
		{"", "", ""},
		{`<a class="anchor" href="#b">#</a>`, "", `<h2 id="b"> has no link to itself`},
		{`<a class="anchor" href="#f">#</a>`, "", `<figure id="f"> has no link to itself`},
		{`<figure id="f">`, "<figure>", "<figure> \"F #\" has no id"},
		{`class="contents"`, "", "3 sections and no contents"},
		{`rel="next"`, "", "no link to the text before or after it"},
		{`class="cite"`, "", "does not say how to cite it"},
		{"<id>https://example.org/memory/</id>", "", "is not in the feed"},
	} {
		files := good()
		text := strings.Replace(whole, c.without, c.by, 1)
		files["/memory/index.html"] = []byte(strings.Replace(string(page("/memory/", "Memory", `<a href="/">Home</a><p id="weights"></p>`+text)), "<body", `<body class="chapter"`, 1))
		files["/feed.xml"] = []byte(strings.Replace(`<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>https://example.org/memory/</id></entry></feed>`, c.without, c.by, 1))
		var own []string
		for _, f := range Run(Site{Files: files, URL: "https://example.org"}) {
			if f.Page == "/memory/" && !strings.Contains(f.What, "names the id") && !strings.Contains(f.What, "leads nowhere") && !strings.Contains(f.What, "has no id \"f\"") {
				own = append(own, f.What)
			}
		}
		if c.want == "" && len(own) > 0 || c.want != "" && !strings.Contains(fmt.Sprint(own), c.want) {
			t.Errorf("without %s: %q, want %q", c.without, own, c.want)
		}
	}
}
