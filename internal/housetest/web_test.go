package housetest

import (
	"slices"
	"strings"
	"testing"
)

// webPackage is a package below web: which others of web it may import, and whether it may
// import Gin. Package web itself may import all of them; none imports web.
type webPackage struct {
	imports []string
	gin     bool
}

var webPackages = map[string]webPackage{
	"web/auth":      {imports: []string{"web/problem"}},
	"web/browser":   {}, // tests alone
	"web/input":     {imports: []string{"web/problem"}},
	"web/problem":   {},
	"web/taskcache": {imports: []string{"web/problem", "web/view"}},
	"web/view":      {imports: []string{"web/problem"}},
}

// maxPackageFiles and maxPackageLines are the most that a package below web or importers may have, tests
// apart.
const (
	maxPackageFiles = 30
	maxPackageLines = 4000
)

func TestPackagesOfWeb_Imports_AreAllowed(t *testing.T) {
	t.Parallel()
	for _, src := range house(t) {
		if src.test || !strings.HasPrefix(src.room, "web/") {
			continue
		}
		allowed, ok := webPackages[src.room]
		if !ok {
			t.Errorf("%s: add %s to webPackages", src.name, src.room)
		}
		for _, imported := range src.imports {
			to := strings.TrimPrefix(imported, module+"/")
			ofWeb := to == "web" || strings.HasPrefix(to, "web/")
			gin := strings.HasPrefix(imported, "github.com/gin-gonic/")
			if ofWeb && !slices.Contains(allowed.imports, to) || gin && !allowed.gin {
				t.Errorf("%s imports %s, which webPackages does not allow", src.name, imported)
			}
		}
	}
}

func TestPackagesOfWeb_Size_IsBounded(t *testing.T) {
	t.Parallel()
	files, lines := map[string]int{}, map[string]int{}
	for _, src := range house(t) {
		if !src.test {
			files[src.room]++
			lines[src.room] += src.lines
		}
	}
	for room := range webPackages {
		if files[room] == 0 || files[room] > maxPackageFiles || lines[room] > maxPackageLines {
			t.Errorf("%s has %d files and %d lines, want at most %d and %d, and some",
				room, files[room], lines[room], maxPackageFiles, maxPackageLines)
		}
	}
}
