package answers

import (
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/BurntSushi/toml"

	"llmsize/build/text"
)

// change is a number that was corrected. Said, Right and Why may hold numbers of the engine.
type change struct {
	Of    string    `toml:"of"` // others or own
	Date  time.Time `toml:"date"`
	Who   string    `toml:"who"`
	Said  string    `toml:"said"`
	Right string    `toml:"right"`
	Why   string    `toml:"why"`
	Where string    `toml:"where"`
	Query string    `toml:"query"`

	Source string `toml:"source"` // the address at which somebody else's number can be read
}

func loadChanges(content fs.FS) ([]change, error) {
	const name = "changes.toml"
	text, err := fs.ReadFile(content, name)
	if err != nil {
		return nil, err
	}
	var file struct {
		Changes []change `toml:"change"`
	}
	meta, err := toml.Decode(string(text), &file)
	if err != nil {
		return nil, fmt.Errorf("content/%s: %w", name, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("content/%s: unknown key %s", name, unknown[0])
	}
	for i, c := range file.Changes {
		if !slices.Contains(Kinds["changes"], c.Of) || c.Date.IsZero() || c.Who == "" || c.Said == "" || c.Right == "" || c.Why == "" || c.Where == "" {
			return nil, fmt.Errorf("content/%s: entry %d: of (others, own), date, who, said, right, why and where must be there", name, i+1)
		}
	}
	slices.SortStableFunc(file.Changes, func(a, b change) int { return b.Date.Compare(a.Date) })
	return file.Changes, nil
}

// changes is a table of corrections, the newest first.
func (r *Reference) changes(of string) (string, error) {
	all, err := loadChanges(r.Content)
	if err != nil {
		return "", err
	}
	var p page
	head := "Whose number"
	if of == "own" {
		head = "Of what"
	}
	p.table(map[string]string{"others": "What others say, corrected", "own": "What was corrected here"}[of], "Date", head, "Said", "Right", "Why")
	for _, c := range all {
		if c.Of != of {
			continue
		}
		query := c.Query
		if query == "" {
			query = "v=1"
		}
		p.raw(`<tr><td class="date">`, c.Date.Format(time.DateOnly), `</td><th scope="row">`)
		if c.Source == "" {
			p.text(c.Who)
		} else {
			p.raw(`<a href="`).text(c.Source).raw(`">`).text(c.Who).raw(`</a>`)
		}
		p.raw(`</th>`)
		for _, words := range []string{c.Said, c.Right, c.Why} {
			p.raw(`<td>`)
			filled, err := text.ReplaceNumbers((&page{}).text(words).String(), r.Numbers, query, text.Result.HTML)
			if err != nil {
				return "", fmt.Errorf("content/changes.toml: %s: %w", c.Who, err)
			}
			p.raw(filled)
			if words == c.Why {
				p.raw(` <span class="quiet">In `)
				if err := r.place(&p, c.Where); err != nil {
					return "", err
				}
				p.raw(`.</span>`)
			}
			p.raw(`</td>`)
		}
		p.raw(`</tr>`)
	}
	p.end()
	return p.String(), nil
}
