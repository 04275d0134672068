package housetest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// maxLines is the greatest number of lines of a file that is neither a test nor generated.
const maxLines = 400

func TestFileLength(t *testing.T) {
	t.Parallel()
	for _, src := range sources(t) {
		if !src.test && src.lines > maxLines && !ast.IsGenerated(src.tree) {
			t.Errorf("%s has %d lines, more than %d: is it still one idea?",
				src.name, src.lines, maxLines)
		}
	}
}

func TestEveryPackageIsDocumented(t *testing.T) {
	t.Parallel()
	documented := map[string]bool{}
	for _, src := range sources(t) {
		if !src.test {
			documented[src.folder] = documented[src.folder] || src.tree.Doc != nil
		}
	}
	for folder, ok := range documented {
		if !ok {
			t.Errorf("%s has no package comment: what is it, what does it promise?", folder)
		}
	}
}

func TestEveryExportIsDocumented(t *testing.T) {
	t.Parallel()
	for _, src := range sources(t) {
		if src.test || ast.IsGenerated(src.tree) {
			continue
		}
		for _, name := range undocumented(src.tree) {
			t.Errorf("%s: %s has no comment", src.name, name)
		}
	}
}

// undocumented lists the exported names of a file without a comment. A comment on a group is enough
// for all its constants and variables.
func undocumented(file *ast.File) []string {
	var names []string
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Doc == nil && d.Name.IsExported() && exportedReceiver(d) {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			names = append(names, undocumentedSpecs(d)...)
		}
	}
	return names
}

func undocumentedSpecs(d *ast.GenDecl) []string {
	var names []string
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			alone := len(d.Specs) == 1 && d.Doc != nil
			if s.Name.IsExported() && s.Doc == nil && !alone {
				names = append(names, s.Name.Name)
			}
		case *ast.ValueSpec:
			if d.Doc != nil || s.Doc != nil || s.Comment != nil {
				continue
			}
			for _, name := range s.Names {
				if name.IsExported() {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

// exportedReceiver reports whether other packages can call d by its name. Methods that implement
// the best known interfaces of the standard library need no comment.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	if strings.Contains(" String Error Unwrap Len Less Swap Read Write Close ", " "+d.Name.Name+" ") {
		return false
	}
	recv := d.Recv.List[0].Type
	for {
		switch r := recv.(type) {
		case *ast.StarExpr:
			recv = r.X
		case *ast.IndexExpr:
			recv = r.X
		case *ast.Ident:
			return token.IsExported(r.Name)
		default:
			return true
		}
	}
}

func TestUndocumented(t *testing.T) {
	t.Parallel()
	const text = `package p

// A is told.
type A struct{}

type B struct{}

func (A) M() {}

func (*B) String() string { return "" }

func (c) N() {}

// Told as a group.
const (
	C = 1
	D = 2
)

const (
	E = 1 // told
	F = 2
)

type c struct{}

func G() {}
`
	tree, err := parser.ParseFile(token.NewFileSet(), "p.go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := undocumented(tree), []string{"B", "M", "F", "G"}; !slices.Equal(got, want) {
		t.Errorf("undocumented = %q, want %q", got, want)
	}
}
