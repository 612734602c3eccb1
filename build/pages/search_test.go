package pages

import (
	"encoding/json"
	"reflect"
	"testing"
)

const page = `<p>First <em>words</em>.</p>
<h2 id="a">Of <code>keys</code> <a class="anchor" href="#a">#</a></h2>
<p>A width of <span class="maths"><svg><title>no</title></svg><math><mi>h</mi></math></span> numbers.<a class="sidenote-mark" href="#n">1</a></p>
<div class="formula">12 L h h</div><pre>code</pre>
<table><tr><th scope="row">GPT-2</th><td class="num">124</td></tr></table>
<h3 id="b">Below</h3>
<dl><dt id="key-x"><code>x</code> <span class="quiet">also y</span></dt><dd><p>Width of it. <span class="quiet">A number.</span></p><ul><li>all</li></ul></dd>
<dt id="t">Token</dt><dd>A piece of text.</dd><dt>No id</dt><dd>is text</dd></dl>`

func TestRead(t *testing.T) {
	sections, terms, err := ReadText(Searched{Path: "/p/", Lead: "Why?", HTML: page})
	if err != nil {
		t.Fatal(err)
	}
	want := []Section{
		{Text: "Why? First words."},
		{ID: "a", Heading: "Of keys", Level: 2, Text: "A width of h numbers. GPT-2"},
		{ID: "b", Heading: "Below", Level: 3, Text: "No id is text"},
	}
	if !reflect.DeepEqual(sections, want) {
		t.Errorf("sections\n%#v, want\n%#v", sections, want)
	}
	wantTerms := []Term{{"key-x", "x", "Width of it."}, {"t", "Token", "A piece of text."}}
	if !reflect.DeepEqual(terms, wantTerms) {
		t.Errorf("terms\n%#v, want\n%#v", terms, wantTerms)
	}
}

func TestIndex(t *testing.T) {
	data, err := SearchIndex([]Searched{{Path: "/p/", Title: "P", HTML: page}, {Path: "/q/", Title: "Q", HTML: "<p>Text</p>"}}, ReadText)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Pages           [][]string
		Sections, Terms [][]any
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Pages) != 2 || len(got.Sections) != 4 || len(got.Terms) != 2 {
		t.Errorf("%s", data)
	}
	if last := got.Sections[3]; !reflect.DeepEqual(last, []any{1.0, "", "", "Text"}) {
		t.Errorf("the second page is %v", last)
	}
}

func TestIndexOfNothing(t *testing.T) {
	data, err := SearchIndex(nil, ReadText)
	if want := `{"pages":[],"sections":[],"terms":[]}`; err != nil || string(data) != want {
		t.Errorf("%s, %v, want %s", data, err, want)
	}
}

func TestClipEndsBehindAWord(t *testing.T) {
	if got := clip("one two three", 9); got != "one two …" {
		t.Errorf("%q", got)
	}
}
