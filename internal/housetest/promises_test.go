package housetest

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// tiers lists the targets that run tests, cheapest first, by the build tag of a file.
var tiers = []struct{ tag, target string }{
	{"", "make test"},
	{"all", "make test-all"},
	{"chaos", "make chaos"},
	{"outside", "make deployments-test"},
}

// named matches a package and a test as tables name them.
var named = regexp.MustCompile("`([a-z0-9/]+)`|\\bTest[A-Za-z0-9_]+(?:/[A-Za-z0-9]+)?")

// shown is a test that a text names.
type shown struct{ folder, test string }

func (s shown) String() string { return s.folder + " " + s.test }

// testsIn returns the tests that a text names, each with its package.
func testsIn(text string, folders map[string]bool) (list []shown) {
	folder := ""
	for _, m := range named.FindAllStringSubmatch(text, -1) {
		switch {
		case m[1] == "":
			list = append(list, shown{folder, m[0]})
		case folders[m[1]]:
			folder = m[1]
		}
	}
	return list
}

// tests has the tier of each test, and of each entry of a table of tests, as a position in tiers.
type tests map[shown]int

// listTests reads the test files of the module.
func listTests(all []source) (list tests, folders map[string]bool) {
	list, folders = tests{}, map[string]bool{}
	for _, src := range all {
		folders[src.folder] = true
		if src.test {
			list.add(src)
		}
	}
	return list, folders
}

func (list tests) add(src source) {
	tier := slices.IndexFunc(tiers, func(t struct{ tag, target string }) bool { return t.tag == tagOf(src.tree) })
	for _, decl := range src.tree.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") {
			list[shown{src.folder, f.Name.Name}] = tier
		}
	}
	if src.name != "internal/e2e/faults_test.go" {
		return
	}
	ast.Inspect(src.tree, func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok {
			if number, often := faultOf(lit); number != "" {
				list[shown{src.folder, "TestFaults/" + number}] = 1
				if often {
					list[shown{src.folder, "TestFaults/" + number}] = 0
				}
			}
		}
		return true
	})
}

// tagOf returns the tag of tiers that a file requires.
func tagOf(file *ast.File) string {
	for _, group := range file.Comments {
		for _, c := range group.List {
			if x, err := constraint.Parse(c.Text); err == nil && c.Pos() < file.Package {
				return x.String()
			}
		}
	}
	return ""
}

// faultOf returns the number at the start of the name of an entry of faults, and whether `make
// test` runs the entry.
func faultOf(lit *ast.CompositeLit) (number string, often bool) {
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return "", false
		}
		field, _ := kv.Key.(*ast.Ident)
		if v, ok := kv.Value.(*ast.BasicLit); ok && field != nil && field.Name == "name" && v.Kind == token.STRING {
			text, _ := strconv.Unquote(v.Value) // the parser has accepted it
			number, _, _ = strings.Cut(text, " ")
		}
		often = often || field != nil && field.Name == "often"
	}
	return number, often
}

// row is a line of a table, with the promise, its tests, and the tier.
type row struct{ what, tests, tier string }

// tablesOf returns the lines of all tables of a document that have a column "tier".
func tablesOf(text string) (rows []row) {
	inside := false
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		n := len(cells)
		switch {
		case !strings.HasPrefix(line, "|"):
			inside = false
		case cells[n-1] == "tier":
			inside = true
		case inside && !strings.HasPrefix(cells[0], "---"):
			rows = append(rows, row{strings.Join(cells[:n-2], " "), cells[n-2], strings.Trim(cells[n-1], "`")})
		}
	}
	return rows
}

// faultsIn returns the faults of a document that names tests.
func faultsIn(text string, list tests, folders map[string]bool) (wrong []string) {
	for _, s := range testsIn(text, folders) {
		if _, ok := list[s]; !ok {
			wrong = append(wrong, fmt.Sprintf("there is no test %s", s))
		}
	}
	rows := tablesOf(text)
	if len(rows) == 0 {
		wrong = append(wrong, "there is no table with a column tier")
	}
	for _, r := range rows {
		first := len(tiers)
		for _, s := range testsIn(r.tests, folders) {
			if tier, ok := list[s]; ok {
				first = min(first, tier)
			}
		}
		switch {
		case first == len(tiers):
			wrong = append(wrong, fmt.Sprintf("%q has no test", r.what))
		case tiers[first].target != r.tier:
			wrong = append(wrong, fmt.Sprintf("%q is shown by %s, the table says %s", r.what, tiers[first].target, r.tier))
		}
	}
	return wrong
}

func TestPromises_Tables_NameTestsThatExist(t *testing.T) {
	t.Parallel()
	list, folders := listTests(sources(t))
	for _, name := range []string{"promises.md", "faults.md"} {
		text, err := os.ReadFile(filepath.Join("../../docs/how", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, wrong := range faultsIn(string(text), list, folders) {
			t.Errorf("docs/how/%s: %s", name, wrong)
		}
	}
}

func TestPromises_WrongTable_IsReported(t *testing.T) {
	t.Parallel()
	list := tests{{"queue", "TestOrder"}: 0, {"queue", "TestSlow"}: 1, {"internal/e2e", "TestFaults/03"}: 0}
	folders := map[string]bool{"queue": true, "internal/e2e": true}
	const head = "| promise | shown by | tier |\n|---|---|---|\n"
	cases := []struct{ name, text, want string }{
		{"right", head + "| a | `queue` TestSlow, TestOrder | `make test` |\n", ""},
		{"the tests of a loop", head + "| a | `internal/e2e` TestFaults/03 | `make test` |\n", ""},
		{"a test that does not exist", head + "| a | `queue` TestOrder, TestGone | `make test` |\n", "there is no test queue TestGone"},
		{"a test of another package", head + "| a | `internal/e2e` TestOrder | `make test` |\n", "there is no test internal/e2e TestOrder"},
		{"a promise without a test", head + "| a | an alert | `make test` |\n", `"a" has no test`},
		{"another tier", head + "| a | `queue` TestSlow | `make test` |\n", `"a" is shown by make test-all`},
		{"a name in the text", head + "| a | `queue` TestOrder | `make test` |\n\n`queue` TestGone\n", "there is no test"},
		{"no table", "| a | b |\n", "no table"},
	}
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := strings.Join(faultsIn(tt.text, list, folders), "; ")
			if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
				t.Errorf("faultsIn = %q, want %q", got, tt.want)
			}
		})
	}
}
