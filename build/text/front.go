package text

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
)

// Front is a chapter's front matter. Title, description and question may hold numbers of the engine.
type Front struct {
	Title       string    `toml:"title"`       // required
	Description string    `toml:"description"` // required; one sentence for search results and cards
	Question    string    `toml:"question"`    // the reader's question that the chapter answers
	Order       int       `toml:"order"`       // place among the chapters
	Date        time.Time `toml:"date"`        // first published
	Checked     time.Time `toml:"checked"`     // facts last checked
	Query       string    `toml:"query"`       // default query of numbers and figures: "model=llama-2-7b"
	Card        string    `toml:"card"`        // what its card shows, where that is not the default query: "v=1&zero=3&dp=8"
	Sources     []Source  `toml:"sources"`
	Was         []string  `toml:"was"`   // addresses that the text once had: "/flops-and-time/"
	Moved       []string  `toml:"moved"` // sections that went elsewhere: "cache /the-kv-cache/#cache"
}

// Source is where facts come from.
type Source struct {
	Title string    `toml:"title"`
	URL   string    `toml:"url"`
	Note  string    `toml:"note"`
	Date  time.Time `toml:"date"`
}

const fence = "+++"

var (
	addressForm = regexp.MustCompile(`^/[a-z0-9-]+/$`)
	movedForm   = regexp.MustCompile(`^[a-z0-9-]+ /[a-z0-9-]+/#[a-z0-9-]+$`)
)

var lineInMessage = regexp.MustCompile(`^toml: line (\d+)[^:]*: `)

// parseFront splits a file into front matter and body, and counts the lines before the body.
func parseFront(name string, source []byte) (front Front, body []byte, skipped int, err error) {
	source = bytes.ReplaceAll(source, []byte("\r\n"), []byte("\n"))
	rest, ok := bytes.CutPrefix(source, []byte(fence+"\n"))
	if !ok {
		return front, nil, 0, fmt.Errorf("%s:1: no front matter: the file starts with a line %s", name, fence)
	}
	head, body, ok := bytes.Cut(rest, []byte("\n"+fence+"\n"))
	if !ok {
		return front, nil, 0, fmt.Errorf("%s:1: the front matter is not closed by a line %s", name, fence)
	}
	meta, err := toml.Decode(string(head), &front)
	if err != nil {
		line, message := 1, err.Error()
		if parse, ok := errors.AsType[toml.ParseError](err); ok {
			line, message = parse.Position.Line, parse.Message
		} else if m := lineInMessage.FindStringSubmatch(message); m != nil {
			fmt.Sscan(m[1], &line)
		}
		return front, nil, 0, fmt.Errorf("%s:%d: front matter: %s", name, line+1, message)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		key := unknown[0].String()
		return front, nil, 0, fmt.Errorf("%s:%d: front matter: unknown key %q", name, lineOf(head, key), key)
	}
	switch {
	case front.Title == "":
		err = errors.New("title is missing")
	case front.Description == "":
		err = errors.New("description is missing")
	}
	for _, address := range front.Was {
		if !addressForm.MatchString(address) {
			err = fmt.Errorf("was has %q: an address is /name/", address)
		}
	}
	for _, section := range front.Moved {
		if !movedForm.MatchString(section) {
			err = fmt.Errorf("moved has %q: it is “id /name/#id”", section)
		}
	}
	if err != nil {
		return front, nil, 0, fmt.Errorf("%s:1: front matter: %w", name, err)
	}
	return front, body, bytes.Count(head, []byte("\n")) + 3, nil
}

// lineOf finds the line of a key in front matter, counted in the file.
func lineOf(head []byte, key string) int {
	key = key[strings.LastIndexByte(key, '.')+1:]
	for i, line := range strings.Split(string(head), "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), key) {
			return i + 2
		}
	}
	return 1
}
