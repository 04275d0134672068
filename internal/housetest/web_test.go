package housetest

import (
	"slices"
	"strings"
	"testing"
)

// webPackage is a package below web: the packages of web that it may import, and whether it may
// import Gin. Package web itself may import all of them; none imports web.
type webPackage struct {
	imports []string
	gin     bool
}

var webPackages = map[string]webPackage{
	"web/auth":      {imports: []string{"web/base", "web/problem"}},
	"web/base":      {},
	"web/browser":   {}, // tests alone
	"web/input":     {imports: []string{"web/problem"}},
	"web/locale":    {},
	"web/problem":   {},
	"web/taskcache": {imports: []string{"web/problem", "web/view"}},
	"web/view":      {imports: []string{"web/problem"}},

	// Packages that handlers call. The caller comes in the context.
	"web/intake":  {imports: []string{"web/auth", "web/input", "web/locale", "web/problem", "web/view"}},
	"web/manage":  {imports: []string{"web/auth", "web/input", "web/problem", "web/view"}},
	"web/explain": {imports: []string{"web/auth", "web/locale", "web/manage", "web/view"}},
	"web/rows": {imports: []string{
		"web/auth", "web/input", "web/intake", "web/problem", "web/taskcache", "web/view",
	}},

	// Handlers, and the packages that they share. No package of handlers imports another.
	"web/route": {gin: true, imports: []string{"web/input"}},
	"web/request": {gin: true, imports: []string{
		"web/auth", "web/base", "web/input", "web/intake", "web/locale", "web/problem", "web/route", "web/view",
	}},
	"web/render": {gin: true, imports: []string{
		"web/auth", "web/base", "web/locale", "web/problem", "web/request", "web/rows", "web/view",
	}},
	"web/api": {gin: true, imports: []string{
		"web/auth", "web/base", "web/explain", "web/input", "web/intake", "web/manage", "web/problem", "web/request",
		"web/route", "web/rows", "web/taskcache", "web/view",
	}},
	"web/pages": {gin: true, imports: []string{
		"web/auth", "web/base", "web/explain", "web/input", "web/intake", "web/locale", "web/manage", "web/problem",
		"web/render", "web/request", "web/route", "web/rows", "web/savedviews", "web/taskcache", "web/view",
	}},
	"web/savedviews": {gin: true, imports: []string{"web/base", "web/problem", "web/request"}},
	"web/signin": {gin: true, imports: []string{
		"web/auth", "web/input", "web/problem", "web/render", "web/request", "web/route",
	}},
	"web/ops": {gin: true, imports: []string{
		"web/explain", "web/input", "web/intake", "web/locale", "web/manage", "web/problem", "web/render",
		"web/request", "web/route", "web/rows", "web/view",
	}},
}

func TestPackagesOfWeb_Imports_AreAllowed(t *testing.T) {
	t.Parallel()
	for _, src := range sources(t) {
		if src.test || !strings.HasPrefix(src.folder, "web/") {
			continue
		}
		allowed, ok := webPackages[src.folder]
		if !ok {
			t.Errorf("%s: add %s to webPackages", src.name, src.folder)
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
