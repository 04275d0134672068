package resultfile

import (
	"testing"
)

// TestLettersOfOtherSets: only forms that a result writes are read back.
func TestLettersOfOtherSets(t *testing.T) {
	t.Parallel()
	for is, want := range map[string]string{
		"&#1078;": "ж", "a&#128512;b&#1078;": "a😀bж", "&#65;": "&#65;", "&#x436;": "&#x436;", "&#": "&#",
		"&#1078": "&#1078", "&amp;": "&amp;", "&#99999999;": "&#99999999;", "&#55296;": "&#55296;", "": "",
	} {
		if got := restoreLetters(is); got != want {
			t.Errorf("%q is %q, want %q", is, got, want)
		}
	}
}
