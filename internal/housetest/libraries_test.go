package housetest

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// library is a module that only a few packages may import. Tests may import every module.
type library struct {
	prefix string   // of its import paths
	users  []string // entries of layers, or folders
	oneOf  []string // those of the users that may import it in only one file
}

// wiring lists the packages that open connections and pass them on.
var wiring = []string{"cmd", "internal/boot", "internal/settings", "internal/doctor"}

var libraries = []library{
	{"github.com/redis/", append([]string{"queue", "internal/testenv", "internal/redisurl", "internal/throttle", "worker"}, wiring...), nil},
	{"gorm.io/", []string{"tasks", "events", "internal/access", "internal/ledger"}, nil},
	{"github.com/gin-gonic/", []string{"web"}, nil},
	{
		"github.com/xuri/excelize/",
		[]string{"importers", "exporters", "internal/samples", "internal/table", "internal/templates", "internal/testenv/uploads"},
		[]string{"importers", "exporters", "internal/table", "internal/templates"},
	},
	{"go.opentelemetry.io/", []string{"internal/traces"}, nil},
	{"github.com/prometheus/", []string{"internal/metrics"}, nil},
	{"github.com/minio/", []string{"internal/blobs"}, []string{"internal/blobs"}},
	{"github.com/netresearch/go-cron", []string{"internal/cron"}, []string{"internal/cron"}},
	{"github.com/goccy/go-yaml", []string{"web"}, []string{"web"}},
	{"github.com/coreos/go-oidc/", []string{"internal/sso"}, nil},
	{"golang.org/x/oauth2", []string{"internal/sso"}, nil},
}

// maxRequirements is the greatest number of modules that the programs and their tests may require
// directly. Drivers of browsers, generators and other modules of test programs belong to
// web/browser or tools.
const maxRequirements = 30

func TestModule_Requirements_AreBounded(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	direct := 0
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "\t") && !strings.Contains(line, "// indirect") {
			direct++
		}
	}
	if direct < 10 || direct > maxRequirements {
		t.Errorf("go.mod has %d requirements of its own, want at most %d", direct, maxRequirements)
	}
}

// knows reports whether a file imports the library.
func (l library) knows(src source) bool {
	return slices.ContainsFunc(src.imports, func(imported string) bool {
		return strings.HasPrefix(imported, l.prefix)
	})
}

// user returns the entry of users that is the folder or contains it, or "".
func (l library) user(folder string) string {
	for _, user := range l.users {
		if folder == user || strings.HasPrefix(folder, user+"/") {
			return user
		}
	}
	return ""
}

// misuse returns the files that import the library without permission.
func (l library) misuse(all []source) []string {
	var wrong []string
	first := map[string]string{} // by user
	for _, src := range all {
		if src.test || !l.knows(src) {
			continue
		}
		user := l.user(src.folder)
		if user == "" {
			wrong = append(wrong, src.name+" imports "+l.prefix+"…, which only "+
				strings.Join(l.users, ", ")+" may import")
			continue
		}
		if first[user] == "" {
			first[user] = src.name
		} else if slices.Contains(l.oneOf, user) {
			wrong = append(wrong, src.name+" imports "+l.prefix+"…, which in "+user+
				" only one file may import: "+first[user]+" does already")
		}
	}
	return wrong
}

func TestLibraries(t *testing.T) {
	t.Parallel()
	all := sources(t)
	for _, l := range libraries {
		for _, wrong := range l.misuse(all) {
			t.Error(wrong)
		}
	}
}

func TestMisuse(t *testing.T) {
	t.Parallel()
	excel := []string{"github.com/xuri/excelize/v2"}
	file := func(folder, name string, imports []string) source {
		return source{
			name: folder + "/" + name, folder: folder, imports: imports,
			test: strings.HasSuffix(name, "_test.go"),
		}
	}
	all := []source{
		file("importers", "book.go", excel),
		file("importers", "book_test.go", excel),
		file("importers", "cell.go", excel),
		file("exporters", "sheet.go", excel),
		file("internal/samples", "a.go", excel),
		file("internal/samples", "b.go", excel),
		file("web", "upload.go", excel),
		file("web", "upload_test.go", excel),
		file("queue", "push.go", nil),
	}
	got := libraries[3].misuse(all)
	if len(got) != 2 || !strings.HasPrefix(got[0], "importers/cell.go") ||
		!strings.HasPrefix(got[1], "web/upload.go") {
		t.Errorf("misuse found %q, want the second file of importers, and web", got)
	}
}

// TestClientIsLight checks that a program that imports package client gets no other package of this
// module.
func TestClientIsLight(t *testing.T) {
	t.Parallel()
	for _, src := range sources(t) {
		for _, imported := range src.imports {
			host, _, _ := strings.Cut(imported, "/")
			if src.folder == "client" && !src.test && strings.Contains(host, ".") {
				t.Errorf("%s imports %s: client knows the standard library alone", src.name, imported)
			}
		}
	}
}
