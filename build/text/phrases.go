// The project's texts are held to its own list of words: phrases that make a reader stop, each with what to write instead.
//
// [FindPhrases] reads what readers read: chapters and pages, glossary and keys, documents, and what programs
// print, and comments. Of Go and JavaScript, strings and comments are read. A text that quotes somebody else's words
// marks them as said, {~said …~}, and such a quotation is left alone; so is code between backquotes.

package text

import (
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Phrase is a phrase that is not written here.
type Phrase struct {
	Pattern string // a regular expression, in lower case, between boundaries of words
	Instead string // what to write
}

// Phrases is the project's own. A phrase joins it when a reader stumbled over it.
var Phrases = []Phrase{
	{`so many`, `"this many", "that many", or n`},
	{`each for itself`, `"separately"`},
	{`how it comes about`, `"Formula"`},
	{`stays to be said`, `"what remains is"`},
	{`what is had`, `"what you have"`},
	{`ha(?:s|ve) too much`, `"overcounts"`},
	{`from it on`, `"from here"`},
	{`makes? seconds`, `"turns it into seconds"`},
	{`is no (?:number|size|property|multiple|name|matrix)`, `"isn't a …"`},
	{`are no (?:numbers|matrices)`, `"aren't …"`},
	{`undercut`, `"is a lower bound"`},
	{`(?:stands?|stood) in \w+`, `"appears in", "is in", "is listed in"`},
	{`what stands`, `"what is"`},
	{`stands? (?:with|behind|under|inside|below)`, `"is with", "follows", "is under"`},
	{`none stands`, `"we print none"`},
	{`who compares loads more`, `"comparing loads a larger program"`},
	{`as asked`, `"unchanged", "this question"`},
	{`what (?:running|training) it takes`, `"Inference", "Training"`},
	{`(?:running|training) it takes`, `"Inference", "Training"`},
	{`one reader`, `"one user"`},
	{`everything, cut`, `"truncated"`},
	{`exact (?:cop(?:y|ies)|weights)`, `"fp32 master copy", "master weights"`},
	{`how many (?:\w+ )?has`, `"how many … does it have"`},
	{`(?:goes|went) astray`, `"goes wrong"`},
	{`speaks? (?:for|against) (?:fewer|more|the)`, `"favours", "the case for … is"`},
	{`are not to be`, `"don't"`},
	{`(?:is|are) no (?:parameters?)`, `"isn't a parameter"`},
	{`have had enough`, `"are full"`},
	{`heads? for classes`, `"sequence-classification heads"`},
}

var (
	all = func() *regexp.Regexp {
		var parts []string
		for _, p := range Phrases {
			parts = append(parts, p.Pattern)
		}
		return regexp.MustCompile(`(?i)\b(?:` + strings.Join(parts, "|") + `)\b`)
	}()
	each = func() []*regexp.Regexp {
		var list []*regexp.Regexp
		for _, p := range Phrases {
			list = append(list, regexp.MustCompile(`(?i)^(?:`+p.Pattern+`)$`))
		}
		return list
	}()
	quoted   = regexp.MustCompile("\\{~said [^~\n]*~\\}|`[^`\n]+`|(?ms:^```.*?^```)|\\]\\([^)\n]*\\)")
	jsString = regexp.MustCompile("//[^\n]*|(?s:/\\*.*?\\*/)|\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)*'|`(?s:[^`\\\\]|\\\\.)*`")
)

// FoundPhrase is a phrase of the list in a file.
type FoundPhrase struct {
	File    string
	Line    int
	Words   string // as they stand there
	Instead string
}

// String is what is printed: "docs/x.md:3: “so many”: write …".
func (f FoundPhrase) String() string {
	return fmt.Sprintf("%s:%d: “%s”: write %s", f.File, f.Line, f.Words, f.Instead)
}

// roots are what is read, and the endings of the files that hold words.
var roots = []string{"content", "docs", "site", "core", "cmd", "wasm", "edge", "build", "README.md"}

// FindPhrases reads a checkout and lists the phrases in it, in the order of files.
func FindPhrases(root fs.FS) ([]FoundPhrase, error) {
	var found []FoundPhrase
	for _, top := range roots {
		err := fs.WalkDir(root, top, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() {
				if base := d.Name(); base == "testdata" || base == "node_modules" || name == "build/text" || name == "content/models" || name == "content/devices" {
					return fs.SkipDir
				}
				return nil
			}
			kind := path.Ext(name)
			if strings.HasSuffix(name, "_test.go") || !slices.Contains([]string{".md", ".toml", ".html", ".json", ".go", ".js"}, kind) {
				return nil
			}
			source, err := fs.ReadFile(root, name)
			if err != nil {
				return err
			}
			found = append(found, PhrasesIn(name, source)...)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// PhrasesIn lists the phrases in one file; its name says what it is written in.
func PhrasesIn(name string, source []byte) []FoundPhrase {
	var found []FoundPhrase
	look := func(text string, line int) {
		text = quoted.ReplaceAllStringFunc(text, func(s string) string {
			return strings.Repeat("\n", strings.Count(s, "\n"))
		})
		for _, at := range all.FindAllStringIndex(text, -1) {
			words := text[at[0]:at[1]]
			f := FoundPhrase{File: name, Line: line + strings.Count(text[:at[0]], "\n"), Words: words}
			for i, p := range each {
				if p.MatchString(words) {
					f.Instead = Phrases[i].Instead
					break
				}
			}
			found = append(found, f)
		}
	}
	switch path.Ext(name) {
	case ".go":
		files := token.NewFileSet()
		file := files.AddFile(name, -1, len(source))
		var s scanner.Scanner
		s.Init(file, source, nil, scanner.ScanComments)
		for {
			at, kind, text := s.Scan()
			if kind == token.EOF {
				return found
			}
			switch kind {
			case token.STRING:
				look(strings.Trim(text, "`\""), files.Position(at).Line)
			case token.COMMENT:
				look(text, files.Position(at).Line)
			}
		}
	case ".js":
		for _, at := range jsString.FindAllIndex(source, -1) {
			look(string(source[at[0]:at[1]]), 1+strings.Count(string(source[:at[0]]), "\n"))
		}
		return found
	}
	look(string(source), 1)
	return found
}
