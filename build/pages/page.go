// Pages are content laid out as HTML files.
//
// # Templates
//
// Templates are html/template files of the site's folder templates/:
//
//	layout.html         the whole document; it says {{block "main" .}}{{end}} once
//	partials/*.html     each {{define "name"}}…{{end}}, for every page
//	home.html chapter.html outline.html models.html model.html device.html preset.html page.html full.html notfound.html
//	                    one file a kind of page; each has {{define "main"}}…{{end}}
//	embed.html          the frame for other sites; it defines a layout.html of its own
//
// Every template gets one [Page] as its dot. Functions beside Go's own:
//
//	{{asset "main.css"}}      the hashed address of a style, script, or data file
//	{{modules "calculator.js"}} the addresses of a script that loads on use, and of what it imports
//	{{num . "parameters.total short model=llama-7b"}}
//	                          a number of the engine, as prose has it (package text);
//	                          "." is the page, whose query is the default
//	{{maths . `12 L h^2`}}    a formula in a line
//	{{date .Checked}}         <time datetime="2026-11-21">21 November 2026</time>; nothing for no date
//
// In <head> a layout says {{.Head}} once: it holds title, description, canonical link,
// Open Graph, icons, feed link and JSON-LD. Styles, scripts and theme-color are the layout's own:
//
//	<link rel="stylesheet" href="{{asset "main.css"}}">
//	<script src="{{asset "theme.classic.js"}}"></script>
//	<script type="module" src="{{asset "main.js"}}"></script>
//
// A name in {{asset …}} is a string, not a variable: the generator reads there what to bundle.
//
// The sprite of formula glyphs is put right behind the <body> tag; no template names it.
// No template writes a style attribute, a style element, an on… attribute or a script with
// content: the content policy forbids them, and the check reports them.

package pages

import (
	"html/template"
	"time"

	"llmsize/build/text"
	"llmsize/build/text/maths"
)

// Site is what all pages share.
type Site struct {
	Name        string
	Description string
	URL         string      // scheme and host without a final slash
	Chapters    []Link      // in reading order
	Models      []ModelLink // in the catalogue's order
	Presets     []Link      // questions worth asking
	Devices     []Link      // that have a page, by name
	Others      []Link      // texts that aren't chapters
	Icons       Icons
	Checked     string // how many configurations the counts are held against: "4,889"; empty where that is not known
}

// Icons are the addresses of the site's mark, and of what an installed site is called.
type Icons struct {
	SVG      string // for browser tabs
	Touch    string // for home screens, 180 pixels
	Manifest string
}

// Link is another page, as a list or a navigation shows it.
type Link struct {
	Path        string // "/memory/"
	Title       string
	Description string
	Number      string // of a chapter: "1"; of a model: its exact parameter count with separators
}

// Outline is a page with its sections of the second level.
type Outline struct {
	Link
	Sections []Link
}

// ModelLink is a model's page with what the list of models shows of it.
type ModelLink struct {
	Link
	Type     string // model_type: "llama"
	Short    string // parameters: "8.03 B"
	Weights  string // "16.1 GB"
	Format   string // that they are published in: "bf16"
	PerToken string // cache that one more token takes: "131 kB"; "–" where there is none
}

// Heading is one entry of a page's contents.
type Heading struct {
	Level int           // 2 or 3
	ID    string        // without #
	HTML  template.HTML // formulas and numbers included, links not
}

// Moved is a section that stands on another page now. Its id stays where it was, because the host
// never sees what follows the # of a link.
type Moved struct {
	ID   string        // without #
	Path string        // "/the-kv-cache/#cache"
	Page string        // the other page's title
	HTML template.HTML // the section's heading; empty for a figure or a formula
}

// Source is where a fact of the page comes from.
type Source struct {
	Title string
	URL   string
	Note  string    // what was taken from it, and where it stands there
	Date  time.Time // when it was published or read; zero when not said
}

// Model is what a model's page shows beside the calculator.
type Model struct {
	Slug     string
	Name     string
	Maker    string
	Count    int64 // exact number of parameters; 0 when not said
	Licence  string
	Hub      string // id on the model hub: "meta-llama/Llama-3.1-8B"
	Released string // as the source says it: "2024-07" or "2024-07-23"
	Config   string // address of the configuration that was counted
	JSON     string // address of the report as JSON
	Note     string
	Sources  []Source
}

// Device is what is on the page of one device.
type Device struct {
	Slug        string
	Name        string
	Description string // one sentence
	Question    string
	Body        template.HTML
}

// Page is the dot of every template.
type Page struct {
	Site        *Site
	Kind        string // home, chapter, outline, models, model, device, preset, page, full, embed, notfound
	Path        string // "/", "/memory/", "/models/llama-3.1-8b/", "/404.html"
	Title       string
	Description string
	Canonical   string // absolute address of the page
	Head        template.HTML

	Question string    // the question the page answers, one sentence
	Number   string    // of a chapter
	Date     time.Time // first published
	Checked  time.Time // facts last checked
	Sources  []Source

	Drawn    string        // the question that its card shows; empty: Query
	Query    string        // the default question of numbers and figures: "v=1&model=llama-7b"
	Body     template.HTML // the markdown part; may be empty
	Contents []Heading
	Outline  []Outline // of the page that lists everything: chapters and texts with their sections
	Terms    []Link    // and words that some page explains, by their letters
	// Calculator is the calculator with Query's answer already in it, for home, model and preset
	// pages: what site/view renders, the same bytes as the live page has.
	Calculator template.HTML
	Model      *Model // model pages only
	Previous   *Link
	Next       *Link
	Was        []string // addresses that lead here since the page has another
	Moved      []Moved  // sections that older links look for here
	// Source is the file that a correction would edit, relative to the repository.
	Source string

	Image    string // absolute address of the card, 1200×630; may be empty
	ImageAlt string

	prose  *text.Renderer
	glyphs *maths.Page
}

// Prepare gives the page what {{num}} and {{maths}} need: the renderer of its text and the
// glyphs that the text already uses.
func (p *Page) Prepare(prose *text.Renderer, glyphs *maths.Page) {
	if glyphs == nil {
		glyphs = &maths.Page{}
	}
	p.prose, p.glyphs = prose, glyphs
}

// Unlisted reports whether the page isn't a place of its own: lists, search engines and links to
// share leave it out.
func (p *Page) Unlisted() bool { return p.Kind == "notfound" || p.Kind == "embed" }

// HasCard reports whether links to the page show a picture of it.
func (p *Page) HasCard() bool { return !p.Unlisted() }
