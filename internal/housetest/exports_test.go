package housetest

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// published lists the packages that programs of other modules import.
var published = []string{"worker", "worker/rollcall", "worker/workertest", "client", "queue"}

// TestExports_OfPublishedPackages_ShowNoInternalType walks through the exports of the published
// packages and the types of this module that they lead to. A program outside cannot name an
// internal type.
func TestExports_OfPublishedPackages_ShowNoInternalType(t *testing.T) {
	t.Parallel()
	load := exported(t)
	for _, name := range published {
		w := walker{seen: map[types.Type]bool{}}
		pkg, err := load.Import(module + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, of := range pkg.Scope().Names() {
			if token.IsExported(of) {
				w.object(pkg.Scope().Lookup(of), name+"."+of)
			}
		}
		for _, wrong := range w.wrong {
			t.Error(wrong)
		}
		if len(w.seen) < 5 {
			t.Errorf("%s: only %d types were seen", name, len(w.seen))
		}
	}
}

// exported returns an importer for packages that the compiler has built.
func exported(t *testing.T) types.Importer {
	t.Helper()
	args := []string{"list", "-export", race(), "-deps", "-f", "{{.ImportPath}}\t{{.Export}}"}
	for _, name := range published {
		args = append(args, "./"+name)
	}
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		files[path] = file
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(files[path])
	})
}

// walker is a collector of the internal types that exports contain.
type walker struct {
	seen  map[types.Type]bool
	wrong []string
}

func (w *walker) object(o types.Object, at string) {
	w.typed(o.Type(), at)
	if named, ok := o.Type().(*types.Named); ok {
		if _, isType := o.(*types.TypeName); isType {
			for m := range named.Methods() {
				if m.Exported() {
					w.typed(m.Type(), at+"."+m.Name())
				}
			}
		}
	}
}

// typed walks through a type at a place.
func (w *walker) typed(t types.Type, at string) {
	if w.seen[t] {
		return
	}
	w.seen[t] = true
	switch t := t.(type) {
	case *types.Alias:
		if w.may(t.Obj(), at) {
			w.typed(t.Rhs(), at)
		}
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			w.typed(arg, at)
		}
		if w.may(t.Obj(), at) && t.Obj().Exported() && ours(t.Obj()) {
			w.typed(t.Underlying(), at)
			for m := range t.Methods() {
				if m.Exported() {
					w.typed(m.Type(), at+"."+m.Name())
				}
			}
		}
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() {
				w.typed(f.Type(), at+"."+f.Name())
			}
		}
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			if m.Exported() {
				w.typed(m.Type(), at+"."+m.Name())
			}
		}
		for e := range t.EmbeddedTypes() {
			w.typed(e, at)
		}
	case *types.Signature:
		w.typed(t.Params(), at)
		w.typed(t.Results(), at)
	case *types.Tuple:
		for v := range t.Variables() {
			w.typed(v.Type(), at)
		}
	case *types.Map:
		w.typed(t.Key(), at)
		w.typed(t.Elem(), at)
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		w.typed(t.Elem(), at)
	}
}

// may reports whether an export may have a type, and records the type otherwise.
func (w *walker) may(name *types.TypeName, at string) bool {
	if name.Pkg() == nil || !ours(name) || !slices.Contains(strings.Split(name.Pkg().Path(), "/"), "internal") {
		return true
	}
	w.wrong = append(w.wrong, fmt.Sprintf("%s shows %s.%s", at, name.Pkg().Path(), name.Name()))
	return false
}

func ours(name *types.TypeName) bool {
	return name.Pkg() != nil && strings.HasPrefix(name.Pkg().Path(), module+"/")
}

// These are the limits of package worker: lines of go doc -all, files, and lines without tests.
const (
	maxDocLines    = 600
	maxFiles       = 30
	maxPackageSize = 4000
)

func TestWorker_ItsDocsAndFiles_AreFew(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), "go", "doc", "-all", "./worker")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(out), "\n"); n > maxDocLines {
		t.Errorf("go doc -all ./worker has %d lines, more than %d", n, maxDocLines)
	}
	files, lines := 0, 0
	for _, src := range sources(t) {
		if src.folder == "worker" && !src.test && !ast.IsGenerated(src.tree) {
			files, lines = files+1, lines+src.lines
		}
	}
	if files == 0 || files > maxFiles || lines > maxPackageSize {
		t.Errorf("worker has %d files with %d lines, at most are %d and %d", files, lines, maxFiles, maxPackageSize)
	}
}
