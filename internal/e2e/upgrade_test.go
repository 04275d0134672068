//go:build outside

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/samples"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// TestUpgrade_AndBackWhileFilesAreImported_EveryRowEndsOnce replaces the processes of the last release
// one by one by processes of the next one, then goes back to the last release, and upgrades again.
// The last release is the newest tag or, before the first tag, this revision. The next release is
// this revision with one more migration.
func TestUpgrade_AndBackWhileFilesAreImported_EveryRowEndsOnce(t *testing.T) {
	t.Parallel()
	last, next := lastRelease(t), nextRelease(t)
	h := newDeploymentOn(t, testenv.Postgres(t))
	path, want := sample(t, samples.Options{
		Rows: 10_000, Format: "xlsx", Seed: 6, Invalid: 250, Failing: 150, Errors: 5, Repeats: 1000,
	})
	run := func(folder, program string, args ...string) *testenv.Process {
		return testenv.StartProcess(t, filepath.Join(folder, program), h.env, args...)
	}
	lastAPI, first, second := run(last, "api"), run(last, "worker"), run(last, "worker")
	begun := start(t, lastAPI.URL(), path).ID
	follow(t, lastAPI.URL(), begun, processed(1000))

	nextAPI, nextWorker := run(next, "api"), run(next, "worker")
	both := start(t, lastAPI.URL(), path).ID
	follow(t, nextAPI.URL(), begun, processed(3000))
	first.Term()
	later := start(t, nextAPI.URL(), path).ID
	follow(t, lastAPI.URL(), begun, processed(6000))
	second.Kill()
	lastAPI.Term()
	follow(t, nextAPI.URL(), both, processed(2000))

	nextWorker.Kill()
	nextAPI.Term()
	if p := run(last, "worker", "migrate", "--check"); p.Wait() != 0 {
		t.Errorf("the last release cannot use the schema of the next: %s %s", p.Stdout(), p.Stderr())
	}
	lastAPI, first = run(last, "api"), run(last, "worker")
	follow(t, lastAPI.URL(), both, processed(6000))
	final := start(t, lastAPI.URL(), path).ID
	follow(t, lastAPI.URL(), later, processed(2000))

	nextAPI = run(next, "api")
	run(next, "worker")
	first.Term()
	lastAPI.Term()
	var ends []task
	for _, id := range []string{begun, both, later, final} {
		ends = append(ends, follow(t, nextAPI.URL(), id, done))
	}
	db, err := ledger.Open(t.Context(), h.postgres, ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, end := range ends {
		record(t, db, end, want)
	}
	needNewest(t, db)
	p := run(last, "worker")
	if code := p.Wait(); code == 0 || !strings.Contains(p.Stderr(), ledger.ErrSchema.Error()) {
		t.Errorf("a worker that is too old for the schema exits with %d: %s", code, p.Stderr())
	}
}

// needNewest sets the row named oldest of table ledger to the version of the schema, so that older
// releases cannot use the schema.
func needNewest(t *testing.T, db *ledger.DB) {
	t.Helper()
	err := db.Write.Exec("UPDATE rollcall.ledger SET value = (SELECT max(version_id) FROM rollcall.schema_version) " +
		"WHERE name = 'oldest'").Error
	if err != nil {
		t.Fatal(err)
	}
}

// lastRelease returns the folder with the programs of the newest tag or, before the first tag, of
// this revision.
func lastRelease(t *testing.T) string {
	t.Helper()
	describe := exec.CommandContext(t.Context(), "git", "-C", "../..", "describe", "--tags", "--abbrev=0", "--match=v[0-9]*")
	tag, err := describe.Output()
	if err != nil {
		t.Log("there is no tag yet: the last release is this revision")
		worker := testenv.Binary(t, "./cmd/worker")
		testenv.Binary(t, "./cmd/api")
		return filepath.Dir(worker)
	}
	tree, bin := filepath.Join(t.TempDir(), "tree"), t.TempDir()
	command(t, "../..", "git", "worktree", "add", "--detach", tree, strings.TrimSpace(string(tag)))
	t.Cleanup(func() {
		err := exec.CommandContext(context.Background(), "git", "-C", "../..", "worktree", "remove", "--force", tree).Run()
		if err != nil {
			t.Errorf("remove the files of the tag: %v", err)
		}
	})
	command(t, tree, "go", "build", "-tags=nomsgpack", "-o", bin+"/", "./cmd/api", "./cmd/worker")
	return bin
}

// nextRelease returns the folder with the programs of this revision with one more migration, which
// adds a table, and a column with a default.
func nextRelease(t *testing.T) string {
	t.Helper()
	folder, err := filepath.Abs("../../deployments/migrations/postgres")
	if err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	file, overlay := filepath.Join(temp, "next.sql"), filepath.Join(temp, "overlay.json")
	number := fmt.Sprintf("%05d_next.sql", len(files)+1)
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(folder, number): file}})
	if err != nil {
		t.Fatal(err)
	}
	migration := "-- +goose Up\nCREATE TABLE rollcall.next (id bigint PRIMARY KEY);\n" +
		"ALTER TABLE rollcall.events ADD COLUMN next text NOT NULL DEFAULT '';\n"
	for name, text := range map[string][]byte{file: []byte(migration), overlay: list} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command(t, "../..", "go", "build", "-tags=nomsgpack", "-overlay", overlay, "-o", temp+"/", "./cmd/api", "./cmd/worker")
	return temp
}

func command(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}
