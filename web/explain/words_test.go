package explain

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/words"
)

// codesGiven matches the calls that add a reason.
var codesGiven = regexp.MustCompile(`\.add\("([A-Z_]+)"`)

func TestReasons_EachCode_HasWordsAndNoOthersDo(t *testing.T) {
	t.Parallel()
	var given, worded []string
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range codesGiven.FindAllStringSubmatch(string(text), -1) {
			given = append(given, m[1])
		}
	}
	for _, key := range words.Keys("why.") {
		worded = append(worded, strings.TrimSuffix(strings.TrimPrefix(key, "why."), ".do"))
	}
	slices.Sort(given)
	if given, worded = slices.Compact(given), slices.Compact(worded); !slices.Equal(given, worded) {
		t.Errorf("rows are explained by %v; there are words for %v", given, worded)
	}
}
