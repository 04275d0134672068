//go:build outside

package scripts

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestContract_ChangesSinceTheTag_AreNamed runs contract.sh in a clone with a tag, and then changes
// what users depend on.
func TestContract_ChangesSinceTheTag_AreNamed(t *testing.T) {
	t.Parallel()
	clone := filepath.Join(t.TempDir(), "clone")
	git(t, "..", "clone", "--quiet", "--no-tags", ".", clone)
	if code, out := contract(t, clone); code != 0 || !strings.Contains(out, "no tag yet") {
		t.Fatalf("before the first tag: code %d\n%s", code, out)
	}
	git(t, clone, "tag", "v0.1.0")
	if code, out := contract(t, clone); code != 0 || !strings.Contains(out, "compatible with v0.1.0") {
		t.Fatalf("at the tag: code %d\n%s", code, out)
	}
	for _, change := range [][3]string{
		{"client/client.go", "func New(", "func Open("},
		{"web/openapi.yaml", "operationId: getTask\n", "operationId: readTask\n"},
		{"docs/run/settings.md", "| `MAX_UPLOAD` | `104857600`", "| `MAX_UPLOAD` | `1048576`"},
		{"docs/run/metrics.md", "`rollcall_jobs_settled_total`", "`rollcall_settled_total`"},
		{"internal/notify/testdata/payload.txt", "data.task.round", "data.task.turn"},
		{"queue/testdata/layout.txt", "{queue:shard}:morgue", "{queue:shard}:dead"},
	} {
		edit(t, filepath.Join(clone, change[0]), change[1], change[2])
	}
	code, out := contract(t, clone)
	for _, want := range []string{
		"client: ", "New: removed", "web/openapi.yaml: gone: ", "getTask", "docs/run/settings.md: gone: `MAX_UPLOAD`",
		"`rollcall_jobs_settled_total`", "data.task.round", "morgue",
	} {
		if code != 1 || !strings.Contains(out, want) {
			t.Errorf("code %d, want 1 and %q:\n%s", code, want, out)
		}
	}
	edit(t, filepath.Join(clone, "CHANGELOG.md"), "## [Unreleased]\n", "## [Unreleased]\n\n### Breaking\n\n- All of it.\n")
	if code, out := contract(t, clone); code != 0 || !strings.Contains(out, "as CHANGELOG.md announces") {
		t.Errorf("announced: code %d\n%s", code, out)
	}
}

// contract runs the script in a clone.
func contract(t *testing.T, clone string) (code int, text string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "./scripts/contract.sh")
	cmd.Dir = clone
	out, _ := cmd.CombinedOutput() // the code says what became of it
	return cmd.ProcessState.ExitCode(), string(out)
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// edit replaces the first occurrence of a text in a file, which must have it.
func edit(t *testing.T, name, from, to string) {
	t.Helper()
	text := read(t, name)
	if !strings.Contains(text, from) {
		t.Fatalf("%s has no %q", name, from)
	}
	if err := os.WriteFile(name, []byte(strings.Replace(text, from, to, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
}
