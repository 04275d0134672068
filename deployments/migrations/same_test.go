package migrations

import (
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	createRE = regexp.MustCompile(`(?ms)^CREATE TABLE (?:rollcall\.)?(\w+) \((.*?)^\)`)
	columnRE = regexp.MustCompile(`(?m)^    ([a-z]\w*) `)
)

// columnsOf returns the columns of each table that the first migration of a folder creates.
func columnsOf(t *testing.T, folder string) map[string][]string {
	t.Helper()
	text, err := Files.ReadFile(folder + "/00001_ledger.sql")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for _, m := range createRE.FindAllStringSubmatch(string(text), -1) {
		for _, c := range columnRE.FindAllStringSubmatch(m[2], -1) {
			out[m[1]] = append(out[m[1]], c[1])
		}
		slices.Sort(out[m[1]])
	}
	return out
}

// TestFirstMigration_OfBothDatabases_HasTheSameColumns compares tables and columns by their names.
func TestFirstMigration_OfBothDatabases_HasTheSameColumns(t *testing.T) {
	t.Parallel()
	postgres, sqlite := columnsOf(t, "postgres"), columnsOf(t, "sqlite")
	if len(postgres) < 25 {
		t.Fatalf("%d tables were found", len(postgres))
	}
	if diff := cmp.Diff(postgres, sqlite); diff != "" {
		t.Errorf("tables differ (-postgres +sqlite):\n%s", diff)
	}
}
