package pages

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"sync"
	"time"

	"llmsize/build/text"
)

// Kinds are the kinds of pages, each with a template file of that name.
var Kinds = []string{"home", "chapter", "outline", "models", "model", "device", "preset", "page", "full", "embed", "notfound"}

// Templates is a parsed folder of templates.
type Templates struct {
	kinds  map[string]*template.Template
	text   string // of all files
	assets []string
	engine sync.Mutex // it serves one caller at a time
	// Asset answers {{asset "name"}}; the caller sets it when the assets are built.
	Asset func(name string) (string, error)
	// Modules answers {{modules "name"}}; the caller sets it too.
	Modules func(name string) ([]string, error)
	mu      sync.Mutex
	asked   map[string]string // addresses of the assets that pages asked for
}

var assetCall = regexp.MustCompile(`\basset\s+"([^"]+)"`)

// Parse reads the folder. Errors name the file and line.
func Parse(folder fs.FS) (*Templates, error) {
	t := &Templates{kinds: map[string]*template.Template{}, asked: map[string]string{}}
	base := template.New("layout.html").Funcs(template.FuncMap{
		"asset": t.asset,
		// The script that imports them is named by its content, and so by their addresses: what asset notes tells both apart.
		"modules": func(name string) ([]string, error) { return t.Modules(name) },
		"num": func(p *Page, source string) (template.HTML, error) {
			t.engine.Lock()
			defer t.engine.Unlock()
			return num(p, source)
		},
		"maths": func(p *Page, tex string) (template.HTML, error) {
			t.engine.Lock()
			defer t.engine.Unlock()
			return inline(p, tex)
		},
		"date": date,
	})
	partials, err := fs.Glob(folder, "partials/*.html")
	if err != nil {
		return nil, err
	}
	named := map[string]bool{}
	read := func(into *template.Template, file string) error {
		text, err := fs.ReadFile(folder, file)
		if err != nil {
			return fmt.Errorf("templates: %w", err)
		}
		for _, m := range assetCall.FindAllSubmatch(text, -1) {
			named[string(m[1])] = true
		}
		t.text += file + "\x00" + string(text) + "\x00"
		if file != "layout.html" {
			into = into.New(file)
		}
		if _, err := into.Parse(string(text)); err != nil {
			return fmt.Errorf("templates: %w", err)
		}
		return nil
	}
	for _, file := range append([]string{"layout.html"}, partials...) {
		if err := read(base, file); err != nil {
			return nil, err
		}
	}
	for _, kind := range Kinds {
		clone, err := base.Clone()
		if err != nil {
			return nil, fmt.Errorf("templates: %w", err)
		}
		if err := read(clone, kind+".html"); err != nil {
			return nil, err
		}
		t.kinds[kind] = clone.Lookup("layout.html")
	}
	t.assets = slices.Sorted(maps.Keys(named))
	return t, nil
}

// asset answers {{asset "name"}} and notes what it said.
func (t *Templates) asset(name string) (string, error) {
	url, err := t.Asset(name)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.asked[name] = url
	return url, err
}

// Same reports whether pages become what the templates of an earlier build made of them: their text is the same, and so are
// the addresses of the assets. It asks for each of these assets, which puts them on the site.
func (t *Templates) Same(old *Templates) bool {
	if old == nil || t.text != old.text {
		return false
	}
	for name, url := range old.asked {
		if now, err := t.asset(name); err != nil || now != url {
			return false
		}
	}
	return true
}

// Assets are the plain names of all assets that templates name.
func (t *Templates) Assets() []string { return t.assets }

var bodyTag = regexp.MustCompile(`<body\b[^>]*>`)

// Execute renders a page: its kind's template, with the sprite of glyphs behind the body tag.
func (t *Templates) Execute(p *Page) ([]byte, error) {
	page, ok := t.kinds[p.Kind]
	if !ok {
		return nil, fmt.Errorf("%s: no kind of page is called %q", p.Path, p.Kind)
	}
	var out bytes.Buffer
	if err := page.Execute(&out, p); err != nil {
		return nil, fmt.Errorf("%s: %w", p.Path, err)
	}
	sprite := p.glyphs.Sprite()
	if sprite == "" {
		return out.Bytes(), nil
	}
	html := out.Bytes()
	at := bodyTag.FindIndex(html)
	if at == nil {
		return nil, fmt.Errorf("%s: layout.html has no <body> tag for the glyphs", p.Path)
	}
	return slices.Concat(html[:at[1]], []byte(sprite), html[at[1]:]), nil
}

var errUnprepared = errors.New("the page was not prepared")

// num is {{num . "parameters.total short"}}.
func num(p *Page, source string) (template.HTML, error) {
	if p.prose == nil {
		return "", errUnprepared
	}
	e, err := text.ParseNumber(source)
	if err != nil {
		return "", err
	}
	result, err := e.Eval(p.prose.Numbers, p.Query)
	if err != nil {
		return "", err
	}
	return template.HTML(result.HTML()), nil
}

// inline is {{maths . `12 L h^2`}}.
func inline(p *Page, tex string) (template.HTML, error) {
	if p.prose == nil {
		return "", errUnprepared
	}
	return p.prose.Math(tex, false, p.Query, p.glyphs)
}

// date is {{date .Checked}}.
func date(t time.Time) template.HTML {
	if t.IsZero() {
		return ""
	}
	return template.HTML(fmt.Sprintf(`<time datetime="%s">%s</time>`, t.Format(time.DateOnly), t.Format("2 January 2006")))
}
