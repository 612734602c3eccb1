package core_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// listed is a package as go list tells of it.
type listed struct {
	ImportPath, Dir, Export string
	Standard                bool
	GoFiles                 []string
}

// vetted type-checks the project's packages, tests left out, and gives each to f.
func vetted(t *testing.T, f func(fset *token.FileSet, files []*ast.File, info *types.Info)) {
	t.Helper()
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,Standard,GoFiles", "llmsize/...")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, said.String())
	}
	exports := map[string]string{}
	var own []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if strings.HasPrefix(p.ImportPath, "llmsize/") {
			own = append(own, p)
		}
	}
	if len(own) < 20 {
		t.Fatalf("only %d packages", len(own))
	}
	fset := token.NewFileSet()
	imp := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, p := range own {
		vet(t, fset, imp, p.ImportPath, sources(t, fset, p), f)
	}
}

func sources(t *testing.T, fset *token.FileSet, p listed) []*ast.File {
	t.Helper()
	var files []*ast.File
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

func vet(t *testing.T, fset *token.FileSet, imp types.Importer, path string, files []*ast.File, f func(fset *token.FileSet, files []*ast.File, info *types.Info)) {
	t.Helper()
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Defs: map[*ast.Ident]types.Object{}}
	if _, err := (&types.Config{Importer: imp}).Check(path, fset, files, info); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	f(fset, files, info)
}

// typedNil are the places where a *fault.Error that may be nil becomes an error, which then is not nil. made are functions,
// of the packages before this one, that return none that is nil; this package's join them.
func typedNil(files []*ast.File, info *types.Info, made map[string]bool) []ast.Expr {
	var found []ast.Expr
	// A fault that is written out is not nil, nor is one of a function that does nothing but write one out.
	certain := func(e ast.Expr) bool {
		switch e := ast.Unparen(e).(type) {
		case *ast.UnaryExpr:
			return e.Op == token.AND
		case *ast.CallExpr:
			f := ast.Unparen(e.Fun)
			if sel, ok := f.(*ast.SelectorExpr); ok {
				f = sel.Sel
			}
			id, ok := f.(*ast.Ident)
			if ok {
				of, isFunc := info.Uses[id].(*types.Func)
				return isFunc && made[of.FullName()]
			}
		}
		return false
	}
	for _, file := range files {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil && len(f.Body.List) == 1 {
				if r, ok := f.Body.List[0].(*ast.ReturnStmt); ok && len(r.Results) == 1 && certain(r.Results[0]) {
					made[info.Defs[f.Name].(*types.Func).FullName()] = true
				}
			}
		}
	}
	isFault := func(t types.Type) bool {
		p, ok := t.(*types.Pointer)
		if !ok {
			return false
		}
		n, ok := p.Elem().(*types.Named)
		return ok && n.Obj().Name() == "Error" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "llmsize/core/fault"
	}
	becomes := func(e ast.Expr, to types.Type) {
		if e == nil || to == nil || !types.IsInterface(to) || certain(e) {
			return
		}
		if tv, ok := info.Types[e]; ok && isFault(tv.Type) {
			found = append(found, e)
		}
	}
	// nonNil are the variables that an enclosing `if x != nil` has looked at.
	var stack []ast.Node
	looked := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			return false
		}
		for i, n := range stack {
			branch, ok := n.(*ast.IfStmt)
			if !ok || i+1 >= len(stack) || stack[i+1] != ast.Node(branch.Body) {
				continue
			}
			yes := false
			ast.Inspect(branch.Cond, func(n ast.Node) bool {
				b, ok := n.(*ast.BinaryExpr)
				if ok && b.Op == token.LOR {
					return false
				}
				if ok && b.Op == token.NEQ {
					x, isName := ast.Unparen(b.X).(*ast.Ident)
					yes = yes || isName && info.ObjectOf(x) == info.ObjectOf(id) && info.Types[b.Y].IsNil()
				}
				return true
			})
			if yes {
				return true
			}
		}
		return false
	}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil {
				stack = stack[:len(stack)-1]
				return true
			}
			stack = append(stack, n)
			before := len(found)
			switch n := n.(type) {
			case *ast.ReturnStmt:
				results := resultsOf(stack, info)
				for i, e := range n.Results {
					if results != nil && len(n.Results) == results.Len() {
						becomes(e, results.At(i).Type())
					}
				}
			case *ast.AssignStmt:
				for i, e := range n.Rhs {
					if len(n.Lhs) == len(n.Rhs) && n.Tok == token.ASSIGN {
						becomes(e, info.TypeOf(n.Lhs[i]))
					}
				}
			case *ast.ValueSpec:
				for i, e := range n.Values {
					if len(n.Names) == len(n.Values) && n.Type != nil {
						becomes(e, info.TypeOf(n.Names[i]))
					}
				}
			case *ast.KeyValueExpr:
				if id, ok := n.Key.(*ast.Ident); ok {
					if field, ok := info.ObjectOf(id).(*types.Var); ok && field.IsField() {
						becomes(n.Value, field.Type())
					}
				}
			case *ast.CallExpr:
				sig, ok := info.TypeOf(n.Fun).(*types.Signature)
				if !ok {
					break
				}
				for i, e := range n.Args {
					last := sig.Params().Len() - 1
					if sig.Variadic() && i >= last {
						break // fmt and its like print what they are given
					}
					if i <= last && types.Identical(sig.Params().At(i).Type(), types.Universe.Lookup("error").Type()) {
						becomes(e, sig.Params().At(i).Type())
					}
				}
			}
			for i := before; i < len(found); {
				if looked(found[i]) {
					found = slices.Delete(found, i, i+1)
				} else {
					i++
				}
			}
			return true
		})
	}
	return found
}

// resultsOf are the results of the innermost function of a path.
func resultsOf(path []ast.Node, info *types.Info) *types.Tuple {
	for _, n := range slices.Backward(path) {
		switch n := n.(type) {
		case *ast.FuncLit:
			return info.TypeOf(n).(*types.Signature).Results()
		case *ast.FuncDecl:
			return info.ObjectOf(n.Name).Type().(*types.Signature).Results()
		}
	}
	return nil
}

// TestCode reads the project's own code: a function that returns an error returns nil where there is none, not a *fault.Error
// that is nil.
func TestCode(t *testing.T) {
	made := map[string]bool{}
	vetted(t, func(fset *token.FileSet, files []*ast.File, info *types.Info) {
		for _, e := range typedNil(files, info, made) {
			t.Errorf("%s: a *fault.Error that may be nil becomes an error: look at it first", fset.Position(e.Pos()))
		}
	})
}

// TestCodeNotices: what TestCode looks for is found where it is planted, and only there.
func TestCodeNotices(t *testing.T) {
	const planted = `package planted
import ("llmsize/core/fault"; "errors")
func may() *fault.Error { return nil }
type has struct { err error }
func takes(error) {}
func a() error { return may() }                                              // bad
func b() error { if err := may(); err != nil { return err }; return nil }
func c() error { err := may(); return err }                                  // bad
func d() (n int, err error) { return 1, may() }                              // bad
func e() error { return &fault.Error{Problem: "here"} }
func f() error { var err error; err = may(); return err }                    // bad
func g() has { return has{err: may()} }                                      // bad
func h() { takes(may()) }                                                    // bad
func i() error { err := may(); if err == nil { return errors.New("x") }; return nil }
func j() *fault.Error { return may() }
func k(x *fault.Error) error { if x != nil || 1 > 0 { return x }; return nil } // bad
func l() error { return func() error { return may() }() }                    // bad
func made() *fault.Error { return &fault.Error{Problem: "here"} }
func q() error { return made() }
`
	cmd := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "llmsize/core/fault", "errors")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		exports[path] = file
	}
	fset := token.NewFileSet()
	imp := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	file, err := parser.ParseFile(fset, "planted.go", planted, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	found := map[int]bool{}
	vet(t, fset, imp, "planted", []*ast.File{file}, func(fset *token.FileSet, files []*ast.File, info *types.Info) {
		for _, e := range typedNil(files, info, map[string]bool{}) {
			found[fset.Position(e.Pos()).Line] = true
		}
	})
	for i, line := range strings.Split(planted, "\n") {
		if want := strings.HasSuffix(line, "// bad"); found[i+1] != want {
			t.Errorf("line %d: found %v, want %v: %s", i+1, found[i+1], want, line)
		}
	}
}
