package middleware_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// These are the numbers of rows of the tests under pressure. While the ledger is frozen, more rows wait
// than a node may have in flight; in the tier of `make test-all` also more than are in Redis at once.
var (
	whileFrozen = testenv.Size(8_000, 12_000)
	whileAway   = testenv.Size(4_000, 12_000)
)

// inFlight is the greatest number of jobs that a node has fetched and not settled: the queue's
// default, and what the last fetches of all shards may add.
const inFlight = 4096 + 5*400

// press starts a node on rows with different keys, on a ledger of its own, and returns when the
// first runs have begun. None ends before the gate opens.
func press(t *testing.T, server *testenv.Server, rows int, gate <-chan struct{}) (*rig, *node, *tasks.Task, *atomic.Int64) {
	t.Helper()
	r, runs := newRig(t, server.URL()), &atomic.Int64{}
	keys := make([]string, rows)
	for i := range keys {
		keys[i] = fmt.Sprint("key:", i)
	}
	task := r.task("k", keys...)
	n := r.start(worker.Define("k", func(context.Context, *worker.Job[none]) error {
		runs.Add(1)
		<-gate
		return nil
	}))
	eventually(t, func() bool { return runs.Load() > 0 })
	return r, n, task, runs
}

// recorded checks that all rows have finished, each by one run.
func recorded(r *rig, task *tasks.Task, rows int, runs *atomic.Int64) {
	r.t.Helper()
	want := int64(rows)
	var got *tasks.Task
	within(r.t, 4*time.Minute, func() bool { // while other tests run, this takes long
		now, err := r.Tasks.Get(r.t.Context(), "acme", task.ID)
		got = now // a connection from before the restart may still fail
		return err == nil && now.Status.Done()
	})
	if got.Finish != want || got.Total != want || runs.Load() != want {
		r.t.Errorf("%d of %d rows finished by %d runs", got.Finish, got.Total, runs.Load())
	}
	for e, err := range r.Events.Each(r.t.Context(), task.Num, events.Filter{}) {
		if err != nil {
			r.t.Fatal(err)
		}
		if e.Status != events.Finish || e.Attempt != 1 {
			r.t.Fatalf("row %d is %s after %d attempts", e.Row, e.Status, e.Attempt)
		}
	}
}

// TestAFrozenLedgerHoldsUpTheQueue stops Postgres while a node works. The node runs the fetched
// jobs and fetches no more. Afterwards all jobs end.
func TestAFrozenLedgerHoldsUpTheQueue(t *testing.T) {
	t.Parallel()
	server := testenv.StartPostgres(t)
	gate := make(chan struct{})
	r, n, task, runs := press(t, server, whileFrozen, gate)
	server.Pause()
	close(gate)
	for seen, since := int64(-1), time.Now(); time.Since(since) < time.Second; time.Sleep(10 * time.Millisecond) {
		if now := runs.Load(); now != seen {
			seen, since = now, time.Now()
		}
	}
	stats, err := n.Queue.Stats(t.Context(), "k")
	if err != nil {
		t.Fatal(err)
	}
	if stats.Busy > inFlight || runs.Load() > inFlight {
		t.Errorf("%d in flight after %d runs, while nothing can be recorded", stats.Busy, runs.Load())
	}
	server.Resume()
	recorded(r, task, whileFrozen, runs)
}

// TestALedgerThatGoesAwayAndComesBack ends Postgres during commits of groups: the recorder finds
// out whether a commit succeeded, and no row runs twice.
func TestALedgerThatGoesAwayAndComesBack(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*testenv.Server){
		"killed": (*testenv.Server).Kill,
		"told":   (*testenv.Server).Stop,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := testenv.StartPostgres(t)
			gate := make(chan struct{})
			close(gate)
			r, _, task, runs := press(t, server, whileAway, gate)
			end(server)
			server.Start()
			recorded(r, task, whileAway, runs)
		})
	}
}
