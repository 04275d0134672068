package worker_test

import (
	"context"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/enqueue"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/worker"
)

// TestCounts_HandlerOfDefineTxRuns_IsCounted checks that a running DefineTx handler counts, although
// the queue's handler of the batch has already returned.
func TestCounts_HandlerOfDefineTxRuns_IsCounted(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		s := &shop{T: t}
		begun, end := make(chan struct{}, 9), make(chan struct{})
		slow := worker.DefineTx("slow", func(context.Context, worker.Tx, *worker.Job[map[string]any]) error {
			begun <- struct{}{}
			<-end
			return nil
		})
		s.Service = fixture.New(t, fixture.Options{Ledger: url, Kinds: fixture.Kinds(slow)})
		s.client = newClient(s.DB, s.Queue, s.Kinds, enqueue.Options{})
		n, err := s.Start(fixture.NodeOptions{})
		s.fine(err)
		t.Cleanup(n.Stop)
		running := func(want int) {
			t.Helper()
			for deadline := time.Now().Add(20 * time.Second); n.Server.Counts().Running != want; time.Sleep(time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatalf("%d run, want %d", n.Server.Counts().Running, want)
				}
			}
		}
		running(0)
		ref, err := slow.Enqueue(t.Context(), s.client, map[string]any{"n": 1})
		s.fine(err)
		<-begun
		running(1)
		time.Sleep(20 * time.Millisecond) // the queue's handler of the batch returns meanwhile
		running(1)
		close(end)
		s.await(ref.TaskID)
		running(0)
	})
}
