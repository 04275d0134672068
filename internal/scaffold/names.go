package scaffold

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// initialisms are words that are written in capitals in Go names.
var initialisms = map[string]bool{"id": true, "sku": true, "url": true, "vat": true, "iban": true, "isbn": true, "ean": true}

// camel joins the words of a text into an exported Go name. It returns "" if the result is not a Go
// name.
func camel(text string) string {
	var out strings.Builder
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if initialisms[strings.ToLower(word)] {
			out.WriteString(strings.ToUpper(word))
			continue
		}
		letters := []rune(word)
		out.WriteRune(unicode.ToUpper(letters[0]))
		out.WriteString(string(letters[1:]))
	}
	if name := out.String(); token.IsIdentifier(name) && token.IsExported(name) {
		return name
	}
	return ""
}

// fieldName returns a field name for a heading, and adds it to `taken`. It never returns a taken name.
func fieldName(heading string, place int, taken map[string]bool) string {
	name := camel(heading)
	for n := place + 1; name == "" || taken[name]; n++ {
		name = fmt.Sprintf("Column%d", n)
	}
	taken[name] = true
	return name
}

// checkFree returns ErrTaken if the package in the folder `dir` declares one of the names.
func checkFree(dir string, names ...string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range f.Decls {
			for _, name := range declared(decl) {
				if slices.Contains(names, name) {
					return fmt.Errorf("%s in %s: %w", name, file, ErrTaken)
				}
			}
		}
	}
	return nil
}

// declared returns the names of the functions, types and values in a declaration.
func declared(decl ast.Decl) (names []string) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			case *ast.ValueSpec:
				for _, name := range s.Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}
