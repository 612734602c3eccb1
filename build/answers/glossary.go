package answers

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"llmsize/core/model"
	"llmsize/core/quant"
	"llmsize/core/query"
	"llmsize/site/chart"
	"llmsize/site/view"
)

// glossary is content/glossary.toml: words for what the program does not know of itself.
type glossary struct {
	Where   map[string]string `toml:"where"` // places by the calculator's letters
	Letters []struct {
		Sign  string `toml:"sign"`
		Words string `toml:"words"`
		Where string `toml:"where"`
	} `toml:"letter"`
	Roles  map[string]string `toml:"roles"` // by the role's name
	Groups []termGroup       `toml:"group"`
}

type termGroup struct {
	ID    string `toml:"id"`
	Title string `toml:"title"`
	Terms []term `toml:"term"`
}

// term is a word with one sentence.
type term struct {
	ID      string `toml:"id"`
	Name    string `toml:"name"`
	Also    string `toml:"also"`
	Meaning string `toml:"meaning"`
	Unit    string `toml:"unit"`
	Where   string `toml:"where"`
}

func loadGlossary(content fs.FS) (*glossary, error) {
	const name = "glossary.toml"
	text, err := fs.ReadFile(content, name)
	if err != nil {
		return nil, err
	}
	var g glossary
	meta, err := toml.Decode(string(text), &g)
	if err != nil {
		return nil, fmt.Errorf("content/%s: %w", name, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("content/%s: unknown key %s", name, unknown[0])
	}
	seen := map[string]bool{}
	for _, group := range g.Groups {
		for _, t := range group.Terms {
			switch {
			case t.ID == "" || t.Name == "" || t.Meaning == "" || t.Where == "":
				return nil, fmt.Errorf("content/%s: %s: id, name, meaning and where must be there", name, t.Name)
			case seen[t.ID]:
				return nil, fmt.Errorf("content/%s: the id %q is there twice", name, t.ID)
			}
			seen[t.ID] = true
		}
	}
	return &g, nil
}

// glossary is one part of the glossary.
func (r *Reference) glossary(of string) (string, error) {
	g, err := loadGlossary(r.Content)
	if err != nil {
		return "", err
	}
	var p page
	switch of {
	case "letters":
		err = r.letters(&p, g)
	case "roles":
		err = roles(&p, g)
	case "link":
		linkKeys(&p)
	case "formats":
		p.table("Formats of weights", "Name", "What it is")
		for _, q := range quant.Recipes() {
			p.raw(`<tr id="format-`).text(q.Name).raw(`"><th scope="row"><code>`).text(q.Name).raw(`</code></th><td>`).text(q.Text).raw(`</td></tr>`)
		}
		p.end()
	default:
		err = r.glossaryTerms(&p, g, of)
	}
	return p.String(), err
}

func (r *Reference) letters(p *page, g *glossary) error {
	p.table("Letters", "Letter", "Size", "What configurations call it", "Explained in")
	row := func(sign, letter, words, where string, names []string) error {
		p.raw(`<tr id="letter-`).text(strings.ReplaceAll(sign, "_", "-")).raw(`"><th scope="row">`, letter, `</th><td>`).text(words).raw(`</td><td>`)
		p.codes(names)
		p.raw(`</td><td>`)
		err := r.place(p, where)
		p.raw(`</td></tr>`)
		return err
	}
	for _, l := range view.Letters() {
		if g.Where[l.Sign] == "" {
			return fmt.Errorf("content/glossary.toml: the letter %s has no place in [where]", l.Sign)
		}
		names := l.Names
		if l.Sign == "s" || l.Sign == "b" {
			names = nil // keys of a link, not of a config
		}
		if err := row(l.Sign, l.HTML, l.Words, g.Where[l.Sign], names); err != nil {
			return err
		}
	}
	for _, l := range g.Letters {
		sign, index, has := strings.Cut(l.Sign, "_")
		letter := "<var>" + sign + "</var>"
		if has {
			letter = "<var>" + sign + "<sub>" + index + "</sub></var>"
		}
		if err := row(l.Sign, letter, l.Words, l.Where, nil); err != nil {
			return err
		}
	}
	p.end()
	return nil
}

func roles(p *page, g *glossary) error {
	p.table("Roles of tensors", "Role", "What is in it")
	for role := range model.NumRoles {
		words := g.Roles[role.String()]
		if words == "" {
			return fmt.Errorf("content/glossary.toml: the role %s has no words in [roles]", role)
		}
		p.raw(`<tr id="role-`, role.String(), `"><th scope="row"><span class="swatch `, chart.RoleClass(role), `" aria-hidden="true">`, chart.RoleMark(role), `</span> `).text(chart.RoleName(role)).raw(`</th><td>`).text(words).raw(`.</td></tr>`)
	}
	p.end()
	return nil
}

// linkKeys lists what a link may ask.
func linkKeys(p *page) {
	p.table("Keys of a link", "Key", "What it asks", "When left out", "Allowed")
	for k := range query.NumParams {
		in := query.About(k)
		p.raw(`<tr id="ask-`, in.Name, `"><th scope="row"><code>`, in.Name, `</code></th><td>`).text(query.Meaning(k)).raw(`</td><td>`)
		if in.Default != "" {
			p.codes([]string{in.Default})
		}
		p.raw(`</td><td>`)
		switch {
		case len(in.Allowed) > 16:
			p.raw(`<a href="#formats">the formats below</a>`)
		default:
			p.codes(in.Allowed)
		}
		p.raw(`</td></tr>`)
	}
	p.end()
}

func (r *Reference) glossaryTerms(p *page, g *glossary, of string) error {
	i := slices.IndexFunc(g.Groups, func(t termGroup) bool { return t.ID == of })
	if i < 0 {
		var ids []string
		for _, t := range g.Groups {
			ids = append(ids, t.ID)
		}
		return fmt.Errorf("of=%q: a figure of kind glossary has of= letters, roles, link, formats, %s", of, strings.Join(ids, ", "))
	}
	list := slices.SortedFunc(slices.Values(g.Groups[i].Terms), func(a, b term) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	p.raw(`<dl class="keys terms">`)
	for _, t := range list {
		p.raw(`<dt id="`, t.ID, `"><a class="own" href="#`, t.ID, `">`).text(t.Name).raw(`</a>`)
		if t.Also != "" {
			p.raw(` <span class="quiet">also `).text(t.Also).raw(`</span>`)
		}
		p.raw(`</dt><dd><p>`).text(t.Meaning).raw(`. <span class="quiet">`)
		if t.Unit != "" {
			p.raw(`Unit: `).text(t.Unit).raw(`. `)
		}
		p.raw(`In `)
		if err := r.place(p, t.Where); err != nil {
			return err
		}
		p.raw(`.</span></p></dd>`)
	}
	p.raw(`</dl>`)
	return nil
}
