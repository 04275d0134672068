//go:build upgrade

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/samples"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// TestRollingUpgrade takes the processes of the version UPGRADE_FROM, a revision
// of the repository, one by one to this one while files are being imported: fault
// 33. The first new process migrates the ledger below the old ones.
func TestRollingUpgrade(t *testing.T) {
	t.Parallel()
	old := buildOld(t, os.Getenv("UPGRADE_FROM"))
	h := newHouse(t)
	path, want := sample(t, samples.Options{
		Rows: 10_000, Format: "xlsx", Seed: 6, Invalid: 250, Failing: 150, Errors: 5, Repeats: 1000,
	})
	process := func(name string) *testenv.Process {
		return testenv.StartProcess(t, filepath.Join(old, name), h.env)
	}
	oldAPI, first, second := process("api"), process("worker"), process("worker")
	begun := start(t, oldAPI.URL(), path).ID
	follow(t, oldAPI.URL(), begun, processed(1000))

	api := h.api()
	h.worker()
	both := start(t, oldAPI.URL(), path).ID
	follow(t, api.URL(), begun, processed(3000))
	first.Term()
	later := start(t, api.URL(), path).ID
	follow(t, oldAPI.URL(), begun, processed(6000))
	second.Kill()
	oldAPI.Term()
	h.worker()
	ends := []task{}
	for _, id := range []string{begun, both, later} {
		ends = append(ends, follow(t, api.URL(), id, done))
	}
	db, err := ledger.Open(t.Context(), h.postgres, ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, end := range ends {
		record(t, db, end, want)
	}
}

// buildOld builds the programs of a revision and returns their folder.
func buildOld(t *testing.T, revision string) string {
	t.Helper()
	if revision == "" {
		t.Fatal("UPGRADE_FROM names no revision: make upgrade FROM=v1.2.3")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	tree := filepath.Join(t.TempDir(), "tree")
	run := func(dir, name string, args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
	}
	run(root, "git", "worktree", "add", "--detach", tree, revision)
	t.Cleanup(func() {
		out, err := exec.Command("git", "-C", root, "worktree", "remove", "--force", tree).CombinedOutput()
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
	bin := t.TempDir()
	run(tree, "go", "build", "-o", bin+"/", "./cmd/api", "./cmd/worker")
	return bin
}
