package middleware_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/middleware"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// rig is a service, and the nodes that a test starts on it.
type rig struct {
	t *testing.T
	*fixture.Service
}

// on runs a test on the databases of [ledgers.ByTier].
func on(t *testing.T, story func(*rig)) {
	ledgers.ByTier(t, func(t *testing.T, url string) { story(newRig(t, url)) })
}

func newRig(t *testing.T, url string) *rig {
	t.Helper()
	return &rig{t, fixture.New(t, fixture.Options{Ledger: url})}
}

// task adds a task of one row for each key, not fed yet.
func (r *rig) task(kind string, keys ...string) *tasks.Task {
	r.t.Helper()
	var rows []events.Draft
	for i, key := range keys {
		rows = append(rows, events.Draft{Row: i + 2, Key: key, Params: []byte("{}")})
	}
	return r.Add(r.t, kind, rows...)
}

// node is a process of workers.
type node struct {
	*fixture.Node
	waits  sync.Map     // middleware.FinishedRun.Wait of the last run of each job, by its id
	groups atomic.Int64 // commits
}

// start starts a node for the kinds, when all waiting rows have been fed.
func (r *rig) start(defs ...worker.Definer) *node {
	r.t.Helper()
	n, err := startNode(r.Service, 0, defs...)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(n.Stop)
	return n
}

// startNode starts a node, also in a process without a test. Lease 0 is the default of fixture.
func startNode(s *fixture.Service, lease time.Duration, defs ...worker.Definer) (n *node, err error) {
	n = &node{}
	server := queue.ServerOptions{Lease: lease}
	n.Node, err = s.Start(fixture.NodeOptions{Kinds: defs, Server: server, Recorder: middleware.Options{
		Worker: "node:1", Build: "b1", WorkingAfter: 20 * time.Millisecond,
		OnGroup: func(int, time.Duration) { n.groups.Add(1) },
		OnRun:   func(_ context.Context, ran middleware.FinishedRun) { n.waits.Store(ran.Call.ID, ran.Wait) },
	}})
	return n, err
}

// await waits until the task is done, and returns it.
func (r *rig) await(task *tasks.Task) *tasks.Task { r.t.Helper(); return r.Await(r.t, task) }

// event reads the seq-th job of a task.
func (r *rig) event(task *tasks.Task, seq int64) *events.Event {
	r.t.Helper()
	e, err := r.Events.Get(r.t.Context(), events.NewID(task.Num, seq))
	if err != nil {
		r.t.Fatal(err)
	}
	return e
}
