package web

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/codes.md anew")

// TestCodesAreOneList: each that the code of this package names is in it, in
// order and once.
func TestCodesAreOneList(t *testing.T) {
	t.Parallel()
	var list []string
	for _, c := range codes {
		if list = append(list, c.Code); c.Means == "" {
			t.Errorf("nobody is told what %s means", c.Code)
		}
	}
	if !slices.IsSorted(list) || len(slices.Compact(slices.Clone(list))) != len(list) {
		t.Error("the list is not in order, or has a code twice")
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`(?:refuse\([^"]*|later\(|Code: )"([A-Z][A-Z0-9_]+)"`)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range named.FindAllStringSubmatch(string(text), -1) {
			if !strings.HasSuffix(name, "_test.go") && !slices.Contains(list, m[1]) {
				t.Errorf("%s answers with %s, which web/codes.go does not list", name, m[1])
			}
		}
	}
}

// innerCodes are the codes of importers that no answer has: those of rows, of cells and
// of what became of corrections, and that of a task whose file is lost.
var innerCodes = []string{
	"DAMAGED_CELL", "FILE_GONE", "FORMULA_ERROR", "FORMULA_NOT_CALCULATED", "INVALID_CHARACTER",
	"INVALID_DATE", "ROW_BUSY", "ROW_CANCELED", "ROW_CHANGED_MEANWHILE", "ROW_FINISHED", "TOO_FEW_CELLS",
	"TOO_LONG", "TOO_MANY_CELLS", "UNKNOWN_FIELD",
}

// TestCodesOfFiles_AreInTheList: each code of a file's problem.
func TestCodesOfFiles_AreInTheList(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../importers/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	constant := regexp.MustCompile(`Code[A-Z]\w+ = "([A-Z_]+)"`)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range constant.FindAllStringSubmatch(string(text), -1) {
			listed := slices.ContainsFunc(codes, func(c codeText) bool { return c.Code == m[1] })
			if listed == slices.Contains(innerCodes, m[1]) && m[1] != "INVALID_ENCODING" {
				t.Errorf("%s has the code %s, which must be either in web/codes.go or an inner code", name, m[1])
			}
		}
	}
}

// TestCodesAreDocumented: docs/codes.md is what the list says.
func TestCodesAreDocumented(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("# The codes of problems\n\n" +
		"Made from `web/codes.go` by `go test ./web -run TestCodesAreDocumented -update`. A code never changes its\n" +
		"meaning; others may be added. Which path answers which, and with which status, is in `/openapi.json` and at\n" +
		"`/docs`. Codes of rows, such as `REQUIRED` or `BRAND_UNKNOWN`, are other ones: a kind adds its own.\n\n" +
		"| code | means that |\n|---|---|\n")
	for _, c := range codes {
		fmt.Fprintf(&b, "| `%s` | %s |\n", c.Code, c.Means)
	}
	const name = "../docs/codes.md"
	if *update {
		if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil || string(got) != b.String() {
		t.Errorf("docs/codes.md is not what web/codes.go says: run go test ./web -run TestCodesAreDocumented -update (%v)", err)
	}
}
