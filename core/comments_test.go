package core_test

import (
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

// TestComments: the comment of what is exported begins with its name, which a renaming leaves behind, and what comments
// link to is there.
func TestComments(t *testing.T) {
	t.Parallel()
	var found []string
	vetted(t, func(fset *token.FileSet, files []*ast.File, info *types.Info) {
		found = append(found, unlike(fset, files, info)...)
	})
	for _, x := range found {
		t.Error(x)
	}
}

// documented calls f with each function, type, variable and constant that a file declares alone, and its comment.
func documented(file *ast.File, f func(name *ast.Ident, doc *ast.CommentGroup)) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			f(d.Name, d.Doc)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					doc := s.Doc
					if doc == nil {
						doc = d.Doc
					}
					f(s.Name, doc)
				case *ast.ValueSpec: // the comment of several, or of a place among them, is about all
					if len(d.Specs) == 1 && len(s.Names) == 1 {
						f(s.Names[0], d.Doc)
					}
				}
			}
		}
	}
}

// unlike are comments that begin with another name than they stand above, and links to what isn't there.
func unlike(fset *token.FileSet, files []*ast.File, info *types.Info) (found []string) {
	var pkg *types.Package
	for _, o := range info.Defs {
		if o != nil && o.Pkg() != nil {
			pkg = o.Pkg()
			break
		}
	}
	if pkg == nil {
		return nil
	}
	has := func(in *types.Package, recv, name string) bool {
		if recv == "" {
			return in.Scope().Lookup(name) != nil
		}
		of := in.Scope().Lookup(recv)
		if of == nil {
			return false
		}
		o, _, _ := types.LookupFieldOrMethod(of.Type(), true, in, name)
		return o != nil
	}
	for _, file := range files {
		links := comment.Parser{
			LookupPackage: func(name string) (string, bool) {
				for _, p := range pkg.Imports() {
					if p.Name() == name {
						return p.Path(), true
					}
				}
				return "", false
			},
			LookupSym: func(recv, name string) bool { return true },
		}
		documented(file, func(name *ast.Ident, doc *ast.CommentGroup) {
			words := strings.Fields(doc.Text())
			if len(words) > 1 && slices.Contains([]string{"A", "An", "The"}, words[0]) {
				words = words[1:]
			}
			if name.IsExported() && len(words) > 0 && !strings.HasPrefix(words[0], name.Name) {
				found = append(found, fset.Position(doc.Pos()).String()+": the comment of "+name.Name+" begins with "+words[0])
			}
		})
		for _, group := range file.Comments {
			for _, link := range linked(links.Parse(group.Text())) {
				in := pkg
				for _, p := range pkg.Imports() {
					if p.Path() == link.ImportPath {
						in = p
					}
				}
				placeholder := strings.ToUpper(link.Name) == link.Name // of a package alone, too
				if !placeholder && !has(in, link.Recv, link.Name) {
					found = append(found, fset.Position(group.Pos()).String()+": ["+strings.TrimLeft(link.ImportPath+"."+link.Recv+"."+link.Name, ".")+"] is not there")
				}
			}
		}
	}
	return found
}

// linked are the links of a comment to what a package has.
func linked(doc *comment.Doc) (links []*comment.DocLink) {
	text := func(list []comment.Text) {
		for _, x := range list {
			if link, ok := x.(*comment.DocLink); ok {
				links = append(links, link)
			}
		}
	}
	for _, block := range doc.Content {
		switch b := block.(type) {
		case *comment.Paragraph:
			text(b.Text)
		case *comment.List:
			for _, item := range b.Items {
				for _, c := range item.Content {
					if p, ok := c.(*comment.Paragraph); ok {
						text(p.Text)
					}
				}
			}
		}
	}
	return links
}

// TestCommentsAreRead: of what was renamed, and of links to nothing, both are found; what is kept for itself begins as it likes.
func TestCommentsAreRead(t *testing.T) {
	t.Parallel()
	const source = `package p

// New makes one.
func NewThing() *Thing { return nil }

// A Thing is what [NewThing] makes, with [Thing.Name]; [Other] and [Thing.Size] are not there.
type Thing struct{ Name string }

// Words of its own.
var words, more []string
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	vet(t, fset, nil, "p", []*ast.File{file}, func(fset *token.FileSet, files []*ast.File, info *types.Info) { found = unlike(fset, files, info) })
	want := []string{"p.go:3:1: the comment of NewThing begins with New", "p.go:6:1: [Other] is not there", "p.go:6:1: [Thing.Size] is not there"}
	if !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
}
