//go:build all

package client_test

import (
	"net/http"
	"testing"

	"github.com/rollcall-dev/rollcall/client"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// TestClient_PostgresBreaksRequestsOff_CarriesOn: for each request, Postgres terminates the
// connection and the service answers 503. The next try of the client succeeds.
func TestClient_PostgresBreaksRequestsOff_CarriesOn(t *testing.T) {
	t.Parallel()
	url := ledgers.Postgres(t)
	api := testenv.StartProcess(t, testenv.RaceBinary(t, "./cmd/api"), []string{
		"LISTEN=127.0.0.1:0", "DATA_DIR=data", "BLOB_URL=file://" + t.TempDir(), "DATABASE_URL=" + url,
		"REDIS_URL=" + testenv.StartRedis(t).URL(),
	})
	w, front := between(t, api.URL())
	c := connect(t, front, client.Options{Tries: 2})
	task, times := &client.Task{}, 0
	struck := func(call func() error) {
		t.Helper()
		failed := make(chan error, 1)
		times++
		ledgers.Strike(t, url, "tasks", "pg_terminate_backend", func(done func()) {
			w.onSeen(func(status int) {
				if status == http.StatusServiceUnavailable {
					done()
				}
			})
			failed <- call()
		})
		if err := <-failed; err != nil || w.answers(503) != times {
			t.Fatalf("%v, after %d answers of 503, want %d", err, w.answers(503), times)
		}
	}
	struck(func() (err error) {
		task, err = c.Create(t.Context(), client.Batch{Kind: "products.import", Open: true})
		return err
	})
	struck(func() error { _, err := c.Task(t.Context(), task.ID); return err })
	struck(func() error { _, err := c.Close(t.Context(), task.ID); return err })
	n := 0
	for _, err := range c.Tasks(t.Context(), "", "") {
		fine(t, err)
		n++
	}
	if n != 1 {
		t.Errorf("%d tasks, want 1", n)
	}
}

// onSeen sets the function to be called after each answer.
func (w *watched) onSeen(f func(status int)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen = f
}
