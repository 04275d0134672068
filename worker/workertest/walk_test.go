//go:build all

package workertest_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// These match a code block of the page, and the file name in the text before the block.
var (
	fileBlock = regexp.MustCompile("Make `([^`]+\\.go)`:\n\n```go\n((?s:.*?))```")
	lineBlock = regexp.MustCompile("in `([^`]+\\.go)` of it:\n\n```go\n((?s:.*?))```")
	commands  = regexp.MustCompile("(?m)^(go test .*)$")
)

// TestTheWalk follows docs/workers/first-worker.md: it adds the files to the tree, and runs the
// commands there.
func TestTheWalk(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	text := string(read(t, filepath.Join(root, "docs/workers/first-worker.md")))
	dir, over := t.TempDir(), map[string]string{}
	lay := func(name, content string) {
		laid := filepath.Join(dir, filepath.Base(name))
		if err := os.WriteFile(laid, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		over[filepath.Join(root, name)] = laid
	}
	for _, m := range fileBlock.FindAllStringSubmatch(text, -1) {
		lay(m[1], m[2])
	}
	for _, m := range lineBlock.FindAllStringSubmatch(text, -1) {
		const before = "worker.NewRegistry(\n"
		old := string(read(t, filepath.Join(root, m[1])))
		if !strings.Contains(old, before) {
			t.Fatalf("%s has no place for the line", m[1])
		}
		lay(m[1], strings.Replace(old, before, before+m[2], 1))
	}
	runs := commands.FindAllString(text, -1)
	if len(over) != 3 || len(runs) != 1 {
		t.Fatalf("the walk has %d files and %q", len(over), runs)
	}
	list, err := json.Marshal(map[string]any{"Replace": over})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, list, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range runs {
		walk(t, root, overlay, line)
	}
}

// walk runs a command with additional files in the tree, built with the flags of this test, so that
// compiled packages are reused.
func walk(t *testing.T, root, overlay, line string) {
	t.Helper()
	flags := os.Getenv("GOFLAGS") + " -vet=off -overlay=" + overlay
	if raced() {
		flags += " -race"
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
	cmd.Dir, cmd.Env = root, append(os.Environ(), "GOFLAGS="+strings.TrimSpace(flags))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", line, err, out)
	}
}

// raced reports whether this test was built with the race detector.
func raced() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
