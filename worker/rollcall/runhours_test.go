package rollcall_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/worker"
	"github.com/rollcall-dev/rollcall/worker/rollcall"
)

// TestRunHours_OfDefinitionAndSetting_HoldRows: the setting takes precedence over the option of the
// kind.
func TestRunHours_OfDefinitionAndSetting_HoldRows(t *testing.T) {
	t.Parallel()
	now := time.Now().UTC()
	closed := now.Add(2*time.Hour).Format("15:04") + "-" + now.Add(3*time.Hour).Format("15:04") + " UTC"
	send := func(context.Context, *worker.Job[letter]) error { return nil }
	night, weekly := worker.Define("night", send, worker.Hours(closed)), worker.Define("weekly", send)
	always := worker.Define("always", send, worker.Hours(closed))
	s, err := rollcall.New(t.Context(), rollcall.Options{
		Kinds: worker.NewRegistry(night, weekly, always), DataDir: t.TempDir(),
		Settings: map[string]string{"RUN_HOURS": "weekly=" + closed + ",always="},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	t.Cleanup(func() { stop(); _ = errors.Join(<-ended, s.Close()) })
	enqueue := func(d *worker.Definition[letter]) worker.Ref {
		ref, err := d.Enqueue(t.Context(), s.Client(), letter{To: "a@b.example"})
		if err != nil {
			t.Fatal(err)
		}
		return ref
	}
	waits := []worker.Ref{enqueue(night), enqueue(weekly)}
	if _, err := s.Client().Find("default", enqueue(always).TaskID).Wait(t.Context()); err != nil { // it was fed after them
		t.Fatal(err)
	}
	for _, ref := range waits {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost/api/v1/tasks/"+ref.TaskID+"/explain", nil)
		r.RemoteAddr = "127.0.0.1:4000"
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		if !strings.Contains(w.Body.String(), `"OUTSIDE_RUN_HOURS"`) {
			t.Errorf("task %s waits for %s", ref.TaskID, w.Body)
		}
	}
}
