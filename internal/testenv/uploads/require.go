package uploads

import (
	"archive/zip"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/words"
)

// RequireEmpty fails the test if a folder is not empty.
func RequireEmpty(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// RequireWarning fails the test unless a warning contains both `about` and `text`. If `text` is empty,
// it fails the test if a warning contains `about`. It also fails the test if a warning has no Chinese
// translation.
func RequireWarning(t *testing.T, warnings []string, about, text string) {
	t.Helper()
	found := slices.ContainsFunc(warnings, func(w string) bool {
		return strings.Contains(w, about) && strings.Contains(w, text)
	})
	for _, w := range warnings {
		if words.Translate("zh", "warning.", w) == w {
			t.Errorf("the warning %q has no translation", w)
		}
	}
	if found == (text == "") {
		t.Errorf("warnings %q, want %q about %q", warnings, text, about)
	}
}

// PartOf returns the text of a part of a workbook.
func PartOf(t *testing.T, z *zip.Reader, name string) string {
	t.Helper()
	f, err := z.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
