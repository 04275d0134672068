package housetest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// page matches a page of documentation that a source names.
var page = regexp.MustCompile(`\bdocs/[a-zA-Z0-9/_.-]+\.md`)

// TestDocs_PagesThatSourcesName_Exist searches for pages in comments, scripts and files of
// deployments.
func TestDocs_PagesThatSourcesName_Exist(t *testing.T) {
	t.Parallel()
	seen := 0
	err := filepath.WalkDir("../..", func(name string, d os.DirEntry, err error) error {
		if d.IsDir() {
			if base := d.Name(); base == ".git" || base == ".build" || base == "node_modules" || base == "housetest" {
				return filepath.SkipDir
			}
			return err
		}
		switch filepath.Ext(name) {
		case ".go", ".sh", ".yaml", ".js", ".ts", ".sql", ".lua", ".md", "":
		default:
			return err
		}
		text, err := os.ReadFile(name)
		for _, target := range page.FindAllString(string(text), -1) {
			seen++
			if _, missing := os.Stat(filepath.Join("../..", target)); missing != nil {
				t.Errorf("%s names %s, which does not exist", name, target)
			}
		}
		return err
	})
	if err != nil || seen < 20 {
		t.Fatalf("%d pages named: %v", seen, err)
	}
}

// TestDocs_CodeOfHandlers_IsThatOfExamples compares the Go code of docs/workers/handlers.md with
// the examples of package worker, which run as tests.
func TestDocs_CodeOfHandlers_IsThatOfExamples(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("../../worker/example*_test.go")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	var examples strings.Builder
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		examples.Write(text)
	}
	text, err := os.ReadFile("../../docs/workers/handlers.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?ms)^```go\n(.*?)^```$").FindAllStringSubmatch(string(text), -1)
	if len(blocks) < 5 {
		t.Fatalf("only %d blocks of Go", len(blocks))
	}
	for _, m := range blocks {
		if !strings.Contains(examples.String(), m[1]) {
			t.Errorf("docs/workers/handlers.md: no example of worker has this code:\n%s", m[1])
		}
	}
}
