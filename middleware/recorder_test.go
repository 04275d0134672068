package middleware_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/middleware"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/worker"
)

// slow returns a kind whose handler runs until the test releases it.
func slow(letGo <-chan struct{}) jobs.Kind {
	return jobs.KindOf(worker.Define("k", func(context.Context, *worker.Job[none]) error {
		<-letGo
		return nil
	}))
}

func TestALongRunIsAnnounced(t *testing.T) {
	t.Parallel()
	b, letGo := newBook(), make(chan struct{})
	rec := middleware.NewRecorder(b, middleware.Options{WorkingAfter: time.Millisecond})
	rec.Start()
	ended := make(chan error)
	w := middleware.Track(slow(letGo), rec)
	go func() {
		ended <- w.Handle(t.Context(), &queue.Batch{Deliveries: []*queue.Delivery{delivery(1, 0)}})
	}()
	eventually(t, func() bool { return len(b.written()) == 1 })
	close(letGo)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	rec.Stop(10 * time.Second)
	want := []string{"1: enqueue 0 > working 1", "1: working 1 > finish 1"}
	if diff := cmp.Diff(want, b.written()); diff != "" {
		t.Errorf("writes (-want +got):\n%s", diff)
	}
}

// TestNoReleaseBeforeTheCommit makes the ledger unreachable: the outcome waits, and the queue gets
// no ack.
func TestNoReleaseBeforeTheCommit(t *testing.T) {
	t.Parallel()
	b := newBook()
	b.away = make(chan struct{})
	var groups atomic.Int32
	rec := middleware.NewRecorder(b, middleware.Options{OnCommit: func() { groups.Add(1) }})
	rec.Start()
	w := middleware.Track(kind(nil), rec)
	if err := w.Handle(t.Context(), &queue.Batch{Deliveries: []*queue.Delivery{delivery(1, 0)}}); err != nil {
		t.Error(err)
	}
	if groups.Load() != 0 {
		t.Error("released while the ledger was away")
	}
	close(b.away)
	eventually(t, func() bool { return groups.Load() > 0 })
	rec.Stop(10 * time.Second)
	if diff := cmp.Diff([]string{"1: enqueue 0 > finish 1"}, b.written()); diff != "" {
		t.Error(diff)
	}
}

func TestStopGivesUpOnALedgerThatIsAway(t *testing.T) {
	t.Parallel()
	b := newBook()
	b.away = make(chan struct{})
	rec := middleware.NewRecorder(b, middleware.Options{OnCommit: func() { t.Error("released") }})
	rec.Start()
	w := middleware.Track(kind(nil), rec)
	if err := w.Handle(t.Context(), &queue.Batch{Deliveries: []*queue.Delivery{delivery(1, 0)}}); err != nil {
		t.Error(err)
	}
	rec.Stop(50 * time.Millisecond)
}

func eventually(t *testing.T, ok func() bool) {
	t.Helper()
	within(t, time.Minute, ok)
}

// within waits until a condition is true, and fails the test after a time.
func within(t *testing.T, most time.Duration, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(most); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("still not so after %v", most)
		}
	}
}
