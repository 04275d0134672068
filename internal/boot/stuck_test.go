package boot

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/enqueue"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/settings"
	"github.com/rollcall-dev/rollcall/worker"
)

// diary is a log that can be read while it is written.
type diary struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (d *diary) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.Write(p)
}

func (d *diary) count(what string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.Count(d.text.String(), what)
}

// TestAHandlerThatRunsLongIsLoggedOnce: the log names the job once, and a metric counts it while it
// runs.
func TestAHandlerThatRunsLongIsLoggedOnce(t *testing.T) {
	t.Parallel()
	free := make(chan struct{})
	slow := worker.Define("mails.send", func(context.Context, *worker.Job[struct{}]) error { <-free; return nil })
	log := &diary{}
	s, err := Open(t.Context(), settings.Config{
		Listen: "127.0.0.1:0", DataDir: t.TempDir(), Concurrency: 2, Lease: 10 * time.Second, MaxUpload: 1,
		Retention: 90, Prefix: "p", StuckAfter: time.Millisecond,
	}, settings.Fixed(jobs.RegistryOf(worker.NewRegistry(slow))), slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	}()
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"a", "b"} {
		if _, err := slow.Enqueue(t.Context(), enqueue.Public(s.Client()).(*worker.Client), struct{}{}, worker.Key(key)); err != nil {
			t.Fatal(err)
		}
	}
	rec := s.workers.recorder
	wait := func(what string, ok func() bool) {
		t.Helper()
		if err := waitUntil(t.Context(), func() (bool, error) { return ok(), nil }); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	wait("both are told", func() bool { return log.count("job runs long") == 2 })
	if n := s.app.stuck(rec)["mails.send"]; n != 2 {
		t.Errorf("%d are counted, want 2", n)
	}
	for _, fact := range []string{"queue=mails.send", "key=a", "key=b", "attempt=1", "took="} {
		if log.count(fact) == 0 {
			t.Errorf("%s is not reported", fact)
		}
	}
	close(free)
	wait("none is counted", func() bool { return s.app.stuck(rec)["mails.send"] == 0 })
	if n := log.count("job runs long"); n != 2 {
		t.Errorf("they were reported %d times", n)
	}
}
