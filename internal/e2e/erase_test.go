//go:build all

package e2e

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/retention"
	"github.com/rollcall-dev/rollcall/internal/samples"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TestAPIKilledInADeletion_KeeperFinishes kills the API between two ranges of rows of a task that
// it deletes.
func TestAPIKilledInADeletion_KeeperFinishes(t *testing.T) {
	t.Parallel()
	const rows = 5000
	s, file := newScene(t, samples.Options{Rows: rows, Format: "csv", Seed: 7, Invalid: 50})
	s.apis = []*testenv.Process{s.process("api", at("erased")...), s.process("api")}
	s.workers = []*testenv.Process{s.process("worker")}
	s.id = start(t, s.apis[1].URL(), file).ID
	s.until(done)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, s.apis[0].URL()+"/api/v1/tasks/"+s.id, nil)
	if err != nil {
		t.Fatal(err)
	}
	if resp, err := client.Do(req); err == nil {
		resp.Body.Close()
		t.Fatalf("the API answered %s, and was to die before", resp.Status)
	}
	s.fallen(s.apis[0])
	s.answers(http.StatusNotFound)

	db, err := ledger.Open(t.Context(), s.postgres, ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var left int64
	count := func() int64 {
		if err := db.Read.WithContext(context.Background()).Table("rollcall.events").Count(&left).Error; err != nil {
			t.Fatal(err)
		}
		return left
	}
	if n := count(); n == 0 || n == rows {
		t.Errorf("%d rows are left, want a part", n)
	}
	later := func() time.Time { return time.Now().Add(10 * time.Minute) } // after the role of other processes has expired
	files, err := blobs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	keeper := retention.New(tasks.New(db, tasks.Options{Now: later}), events.New(db, events.Options{Now: later}),
		files, retention.Options{})
	if err := keeper.Clean(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := count(); n != 0 {
		t.Errorf("%d rows are left", n)
	}
	s.answers(http.StatusGone)
	s.close()
}

// answers waits until the second API answers a poll of the task with a status. The API may return an
// older state for a second.
func (s *scene) answers(status int) {
	s.t.Helper()
	got := 0
	for end := time.Now().Add(patience); got != status && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		resp, err := client.Get(s.apis[1].URL() + "/api/v1/tasks/" + s.id)
		if err != nil {
			s.t.Fatal(err)
		}
		resp.Body.Close()
		got = resp.StatusCode
	}
	if got != status {
		s.t.Errorf("the API answers %d, want %d", got, status)
	}
}
