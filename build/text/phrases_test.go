package text

import (
	"os"
	"testing"
)

// TestTheProjectsTexts holds every text of the checkout to the list.
func TestTheProjectsTexts(t *testing.T) {
	found, err := FindPhrases(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		t.Error(f)
	}
}

func TestIn(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"prose", "a.md", "One.\nBlocks of so many\nbits.", "a.md:2: “so many”: write \"this many\", \"that many\", or n"},
		{"a capital", "a.md", "How it comes about", "a.md:1: “How it comes about”: write \"Formula\""},
		{"inside a word", "a.md", "It understands infinity; whatso manyfold.", ""},
		{"somebody else's", "a.md", "{~said so many~} and `so many` and\n```\nso many\n```\n", ""},
		{"after a block of code", "a.md", "```\na\nb\n```\nundercut", "a.md:5: “undercut”: write \"is a lower bound\""},
		{"an address", "a.md", "[a](/b/#how-it-comes-about)", ""},
		{"a comment of Go", "a.go", "package a\n\n// a size\n// of so many\nvar x = 1", "a.go:4: “so many”: write \"this many\", \"that many\", or n"},
		{"a string of Go", "a.go", "package a\n\nvar so, many int\nvar x = \"is no number\"", "a.go:4: “is no number”: write \"isn't a …\""},
		{"a raw string of Go", "a.go", "package a\n\nvar x = `a\nexact copies`", "a.go:4: “exact copies”: write \"fp32 master copy\", \"master weights\""},
		{"a comment of JavaScript", "a.js", "/* so\n few */ x = 1; // undercut\n", "a.js:2: “undercut”: write \"is a lower bound\""},
		{"a string of JavaScript", "a.js", "x = 1; // 'a'\ny = 'as asked'", "a.js:2: “as asked”: write \"unchanged\", \"this question\""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			for _, f := range PhrasesIn(c.file, []byte(c.text)) {
				got += f.String()
			}
			if got != c.want {
				t.Errorf("found %s, want %s", got, c.want)
			}
		})
	}
}

// TestEveryPhraseSaysWhatToWrite: a finding without an alternative helps nobody.
func TestEveryPhraseSaysWhatToWrite(t *testing.T) {
	for _, p := range Phrases {
		if p.Pattern == "" || p.Instead == "" {
			t.Errorf("%+v", p)
		}
	}
}
