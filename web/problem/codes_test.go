package problem

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/codes/README.md anew")

func TestCodes_List_IsSortedAndExplained(t *testing.T) {
	t.Parallel()
	var list []string
	for _, c := range Codes {
		if list = append(list, c.Code); c.Means == "" || c.Next == "" {
			t.Errorf("%s has no meaning, or no next step", c.Code)
		}
	}
	if !slices.IsSorted(list) || len(slices.Compact(slices.Clone(list))) != len(list) {
		t.Error("the list is not in order, or has a code twice")
	}
}

// named matches the code with which a problem is created.
var named = regexp.MustCompile(`(?:\bNew\([^"]*|\bTemporary\(|Code: |&Error\{\s*|\bbad\()"([A-Z][A-Z0-9_]+)"`)

func TestCodes_EachThatIsNamed_IsListed(t *testing.T) {
	t.Parallel()
	for folder, least := range map[string]int{"..": 50, "../../internal/ingest": 7} {
		found := 0
		err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
				return err
			}
			if filepath.Base(filepath.Dir(name)) == "explain" {
				return nil // reasons why a row waits have codes of their own
			}
			text, err := os.ReadFile(name)
			text = bytes.ReplaceAll(text, []byte("Reason{Code: "), nil)
			for _, m := range named.FindAllStringSubmatch(string(text), -1) {
				found++
				if !slices.ContainsFunc(Codes, func(c Code) bool { return c.Code == m[1] }) {
					t.Errorf("%s answers with %s, which web/problem/codes.go does not list", name, m[1])
				}
			}
			return err
		})
		if err != nil || found < least {
			t.Errorf("%d codes were found in %s (%v)", found, folder, err)
		}
	}
}

// innerCodes lists the codes of importers that no response has: codes of rows, cells and
// corrections, and the code of a task whose file is lost.
var innerCodes = []string{
	"DAMAGED_CELL", "FILE_GONE", "FORMULA_ERROR", "FORMULA_NOT_CALCULATED", "INVALID_CHARACTER",
	"INVALID_DATE", "ROW_BUSY", "ROW_CANCELED", "ROW_CHANGED_MEANWHILE", "ROW_FINISHED", "TOO_FEW_CELLS",
	"TOO_LONG", "TOO_MANY_CELLS", "UNKNOWN_FIELD",
}

func TestCodes_EachOfImporters_IsListedOrInner(t *testing.T) {
	t.Parallel()
	constant := regexp.MustCompile(`Code[A-Z]\w+ *= "([A-Z_]+)"`)
	found := 0
	err := filepath.WalkDir("../../importers", func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := os.ReadFile(name)
		for _, m := range constant.FindAllStringSubmatch(string(text), -1) {
			found++
			listed := slices.ContainsFunc(Codes, func(c Code) bool { return c.Code == m[1] })
			if listed == slices.Contains(innerCodes, m[1]) && m[1] != "INVALID_ENCODING" {
				t.Errorf("%s has the code %s, which must be either in web/problem/codes.go or an inner code", name, m[1])
			}
		}
		return err
	})
	if err != nil || found < 40 {
		t.Errorf("%d codes were found (%v)", found, err)
	}
}

func TestCodes_Document_IsWhatTheListSays(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("# Error codes\n\n" +
		"For developers of clients: the `code` of error responses. A code keeps its meaning; new codes may be added.\n" +
		"The `type` of a problem, such as `/problems/missing-column`, leads to the code on the page `/docs` of the service, which\n" +
		"lists the codes and statuses of each path. Rows have codes of their kind, such as `BRAND_UNKNOWN`.\n" +
		"Made from `web/problem/codes.go` by `go test ./web/problem -run Codes_Document -update`.\n")
	for _, c := range Codes {
		fmt.Fprintf(&b, "\n## %s\n\n", c.Code)
		fmt.Fprintf(&b, "%s. **Next step**: %s\n", strings.ToUpper(c.Means[:1])+c.Means[1:], c.Next)
	}
	const name = "../../docs/codes/README.md"
	if *update {
		if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil || string(got) != b.String() {
		t.Errorf("docs/codes/README.md is not what web/problem/codes.go says: run go test ./web/problem -run Codes_Document -update (%v)", err)
	}
}
