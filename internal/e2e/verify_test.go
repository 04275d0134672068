//go:build all

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/rollcall-dev/rollcall/internal/samples"
)

// TestVerifyBesideAnImport: verify finds nothing while rows are read, fed and run, and while a
// worker dies. It finds and repairs the differences that are then created on purpose.
func TestVerifyBesideAnImport(t *testing.T) {
	t.Parallel()
	h := newDeployment(t)
	rows := long(20_000)
	path, want := sample(t, samples.Options{
		Rows: rows, Format: "csv", Seed: 5, Invalid: 100, Failing: 80, Repeats: 500,
	})
	api := h.api()
	first := h.worker()
	h.worker()
	id := start(t, api.URL(), path).ID
	for runs, ended := 0, false; !ended; runs++ {
		if code, out := h.verify(); code != 0 {
			t.Errorf("look %d, exit code %d:\n%s", runs, code, out)
		}
		if runs == 1 {
			first.Kill()
		}
		ended = follow(t, api.URL(), id, func(task) bool { return true }).Done
	}
	v := follow(t, api.URL(), id, done)
	verdict(t, h.postgres, v, want)
	if code, out := h.verify("--task", id); code != 0 || !strings.Contains(out, fmt.Sprintf("1 tasks, %d rows", rows)) {
		t.Errorf("at the end, exit code %d:\n%s", code, out)
	}
	conn, err := pgx.Connect(t.Context(), h.postgres)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), "UPDATE rollcall.tasks SET finish = finish - 1, error = error + 1"); err != nil {
		t.Fatal(err)
	}
	if code, out := h.verify(); code != 1 || !strings.Contains(out, "but the rows give") {
		t.Errorf("with a difference, exit code %d:\n%s", code, out)
	}
	if code, out := h.verify("--repair"); code != 0 || !strings.Contains(out, "2 of them repaired") {
		t.Errorf("repair, exit code %d:\n%s", code, out)
	}
	if code, out := h.verify(); code != 0 {
		t.Errorf("after the repair, exit code %d:\n%s", code, out)
	}
}
