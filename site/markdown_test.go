package site_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/net/html"
)

// TestMarkdownIsLiteral: a cell of the table that is copied as Markdown shows its own text, and nothing but text,
// where Markdown is read with GitHub's tables, links and strikethrough.
func TestMarkdownIsLiteral(t *testing.T) {
	texts := []string{
		"attention", "q_proj and k_proj", "a|b", `C:\Users\x`, "*bold* **x** _y_ __z__ ***", "[text](https://example.org)", "![i](x.png)", "[a]: http://x", "<b>bold</b>", "<https://example.org>",
		"<!-- gone -->", "`code`", "``a`b``", "~~struck~~ ~x~", "&amp; &lt; &#42; &copy", "https://example.org/a_b", "see www.example.org", "see WWW.example.org", "me@example.org", "mailto:me@example.org", "two\nlines", "a  b", "# not a heading",
		"- no list", "1. none", "> no quote", "a\\", `\|`, `\\|`, `\*x\*`, "---", "| --- |", "$x$", ":tada:", "#12", "{=x=}", "2 × 4", "22.8%", "a'b\"c",
	}
	for a := byte(33); a < 127; a++ {
		if a < '0' || a > '9' && a < 'A' || a > 'Z' && a < 'a' || a > 'z' {
			texts = append(texts, "x"+string(a)+"y", string(a), "x "+string(a)+string(a)+"y"+string(a)+string(a)+" z", string(a)+"y"+string(a))
		}
	}
	in, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	node := exec.Command("node", "--input-type=module", "-e", `
		import { literal } from "data:text/javascript;base64,`+base64.StdEncoding.EncodeToString(content(t, filepath.Join("scripts", "table.js")))+`";
		import { text } from "node:stream/consumers";
		console.log(JSON.stringify(JSON.parse(await text(process.stdin)).map(literal)));`)
	node.Stdin = bytes.NewReader(in)
	var said bytes.Buffer
	node.Stderr = &said
	out, err := node.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	var escaped []string
	if err := json.Unmarshal(out, &escaped); err != nil {
		t.Fatal(err)
	}
	reader := goldmark.New(goldmark.WithExtensions(extension.GFM))
	for i, text := range texts {
		var b bytes.Buffer
		if err := reader.Convert([]byte("| first | second |\n| --- | --- |\n| "+escaped[i]+" | 1 |\n"), &b); err != nil {
			t.Fatal(err)
		}
		page := b.String()
		root, err := html.Parse(&b)
		if err != nil {
			t.Fatal(err)
		}
		var cells []string
		var walk func(n *html.Node)
		walk = func(n *html.Node) {
			if n.Type == html.ElementNode && n.Data == "td" {
				cell := ""
				for c := n.FirstChild; c != nil; c = c.NextSibling {
					if c.Type != html.TextNode {
						t.Errorf("%q is written %q, which has an element of its own:\n%s", text, escaped[i], page)
					}
					cell += c.Data
				}
				cells = append(cells, cell)
			}
			for c := n.FirstChild; c != nil; c = c.NextSibling {
				walk(c)
			}
		}
		walk(root)
		if want := strings.Join(strings.Fields(text), " "); len(cells) != 2 || cells[0] != want || cells[1] != "1" {
			t.Errorf("%q is written %q and read as %q", text, escaped[i], cells)
		}
	}
}
