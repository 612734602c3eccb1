package answers

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
)

// sections are the parts of docs/accuracy.md, which build/accuracy writes, by the name
// that a page asks for.
var sections = map[string]string{
	"buffers": "llama.cpp's buffers", "memory": "Peak memory of transformers", "decoding": "Decoding", "prefill": "Prefill", "serving": "Serving", "predicted": "Predicted speeds", "offload": "Layers on the host", "logs": "What vLLM logs",
	"gpt": "FLOPs of training in GPT-3's table", "runs": "FLOPs and utilisation of training runs", "hours": "Device hours and what they imply",
	"training": "Memory of training", "stated": "Stated counts and their conventions", "missing": "What cannot be counted again",
}

// manyRows are more than a page shows before somebody asks for them.
const manyRows = 40

// measured shows a part of docs/accuracy.md: its sentences and its table.
func (r *Reference) measured(p *page, of string) error {
	const name = "accuracy.md"
	text, err := fs.ReadFile(r.Docs, name)
	if err != nil {
		return err
	}
	title := sections[of]
	_, part, ok := strings.Cut(string(text), "## "+title+"\n")
	if !ok {
		return fmt.Errorf("docs/%s has no section %q", name, title)
	}
	part, _, _ = strings.Cut(part, "\n## ")
	for block := range strings.SplitSeq(strings.TrimSpace(part), "\n\n") {
		if strings.HasPrefix(block, "|") {
			rows := strings.Count(block, "\n") - 1
			if rows > manyRows {
				p.raw("<details><summary>All " + group(rows) + " rows</summary>")
			}
			if err := p.markdownTable(title, block); err != nil {
				return fmt.Errorf("docs/%s: %s: %w", name, title, err)
			}
			if rows > manyRows {
				p.raw("</details>")
			}
			continue
		}
		p.raw("<p>")
		for i, words := range strings.Split(strings.ReplaceAll(block, "\n", " "), "`") { // every second is code
			if i%2 == 0 {
				p.text(plainly(words))
			} else {
				p.raw("<code>").text(words).raw("</code>")
			}
		}
		p.raw("</p>")
	}
	return nil
}

var linked = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)

// plainly takes marks of markdown off a sentence.
func plainly(s string) string {
	return strings.NewReplacer("`", "", "**", "").Replace(linked.ReplaceAllString(s, "$1"))
}

// markdownTable writes a table of markdown as HTML.
func (p *page) markdownTable(caption, block string) error {
	lines := strings.Split(block, "\n")
	if len(lines) < 3 {
		return fmt.Errorf("a table of %d lines", len(lines))
	}
	cells := func(line string) []string {
		parts := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range parts {
			parts[i] = plainly(strings.TrimSpace(parts[i]))
		}
		return parts
	}
	head, align := cells(lines[0]), cells(lines[1])
	if len(align) != len(head) {
		return fmt.Errorf("the head has %d columns, the line below %d", len(head), len(align))
	}
	numeric := make([]bool, len(head))
	for i := range head {
		if head[i] == "" {
			head[i] = "Note" // a reader who hears the table needs a name for the column
		}
		if numeric[i] = strings.HasSuffix(align[i], ":"); numeric[i] {
			head[i] += "#"
		}
	}
	p.table(caption, head...)
	for _, line := range lines[2:] {
		p.raw("<tr>")
		for i, c := range cells(line) {
			if i < len(numeric) && numeric[i] {
				p.raw(`<td class="num">`).text(c).raw("</td>")
			} else {
				p.raw("<td>").text(c).raw("</td>")
			}
		}
		p.raw("</tr>")
	}
	p.end()
	return nil
}
