package pages

import (
	"fmt"
	"strings"
)

// Dated reports a text that was published on a day: it can be cited, and the feed has it.
func (p *Page) Dated() bool { return (p.Kind == "chapter" || p.Kind == "page") && !p.Date.IsZero() }

// BibTeX is a dated text as an entry for a list of references; empty for other pages. The site is the author: nobody signs its texts alone.
func (p *Page) BibTeX() string {
	if !p.Dated() {
		return ""
	}
	var b strings.Builder
	field := func(name, value string) { fmt.Fprintf(&b, "  %-6s = %s,\n", name, value) }
	fmt.Fprintf(&b, "@misc{%s-%s,\n", p.Site.Name, strings.Trim(p.Path, "/"))
	field("title", "{{"+tex.Replace(p.Title)+"}}") // doubled: its capitals stay
	field("author", "{{"+tex.Replace(p.Site.Name)+"}}")
	field("year", p.Date.Format("{2006}"))
	field("month", strings.ToLower(p.Date.Format("Jan"))) // BibTeX knows the three letters
	field("url", "{"+p.Canonical+"}")
	if p.Checked.After(p.Date) {
		field("note", p.Checked.Format("{Facts last checked 2006-01-02}"))
	}
	b.WriteString("}")
	return b.String()
}

// tex escapes what TeX would read as a command.
var tex = strings.NewReplacer(
	`\`, `\textbackslash{}`, `~`, `\textasciitilde{}`, `^`, `\textasciicircum{}`,
	`&`, `\&`, `%`, `\%`, `$`, `\$`, `#`, `\#`, `_`, `\_`, `{`, `\{`, `}`, `\}`,
)

// citation is what reference managers read from a dated text's head: names and contents of meta elements.
func (p *Page) citation() [][2]string {
	if !p.Dated() {
		return nil
	}
	return [][2]string{
		{"citation_title", p.Title},
		{"citation_author", p.Site.Name},
		{"citation_publication_date", p.Date.Format("2006/01/02")},
		{"citation_public_url", p.Canonical},
		{"citation_language", "en"},
	}
}
