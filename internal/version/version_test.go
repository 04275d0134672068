package version

import (
	"strings"
	"testing"
)

// TestVersion_LinkerHasSetIt_IsShown: the value that the linker sets takes precedence over that of
// the go command. The test changes variables of the package, so it does not run in parallel.
func TestVersion_LinkerHasSetIt_IsShown(t *testing.T) {
	t.Cleanup(func() { number, commit = "", "" })
	number, commit = "v1.4.0", "0123456789ab"
	if Number() != "v1.4.0" || Commit() != "0123456789ab" {
		t.Errorf("version %s, commit %s", Number(), Commit())
	}
	if line := Line(); !strings.HasPrefix(line, "v1.4.0 (commit 0123456789ab, go1.") {
		t.Errorf("the line is %q", line)
	}
}

// TestVersion_Unset_IsUnknown: the linker sets no version in a test binary.
func TestVersion_Unset_IsUnknown(t *testing.T) {
	if got := Number(); got != Unknown && !strings.HasPrefix(got, "v") {
		t.Errorf("the version is %q", got)
	}
	if Commit() == "" {
		t.Error("the commit is empty")
	}
}
