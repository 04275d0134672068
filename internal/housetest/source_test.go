package housetest

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/rollcall-dev/rollcall"

// source is one Go file of the module.
type source struct {
	name    string // from the root, such as "queue/push.go"
	folder  string // its folder, such as "queue"
	test    bool
	lines   int
	imports []string
	tree    *ast.File
}

// sources returns every Go file of the module. All tests share the result, and do not change
// it.
func sources(t *testing.T) []source {
	t.Helper()
	all, err := readSources()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 10 {
		t.Fatalf("only %d files found: the test does not see the module", len(all))
	}
	return all
}

// readSources reads the files once.
var readSources = sync.OnceValues(func() ([]source, error) {
	root := os.DirFS("../..")
	var all []source
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return outside(root, name)
		case path.Ext(name) != ".go":
			return nil
		}
		src, err := read(root, name)
		all = append(all, src)
		return err
	})
	return all, err
})

// browserModule is the folder of tests with their own go.mod. The rules of this package apply to it,
// too.
const browserModule = "web/browser"

// outside returns fs.SkipDir for a folder that the go command omits too, and else nil.
func outside(root fs.FS, dir string) error {
	base := path.Base(dir)
	if dir == "." || dir == browserModule {
		return nil
	}
	if base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return fs.SkipDir
	}
	if _, err := fs.Stat(root, path.Join(dir, "go.mod")); err == nil {
		return fs.SkipDir
	}
	return nil
}

func read(root fs.FS, name string) (source, error) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return source{}, err
	}
	tree, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments)
	if err != nil {
		return source{}, err
	}
	src := source{
		name: name, folder: path.Dir(name), test: strings.HasSuffix(name, "_test.go"),
		lines: bytes.Count(text, []byte("\n")), tree: tree,
	}
	for _, spec := range tree.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return source{}, err
		}
		src.imports = append(src.imports, imported)
	}
	return src, nil
}
