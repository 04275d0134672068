package feed_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/reconcile"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// trial is a service beside the reference. Both receive the same acts.
type trial struct {
	*farm
	plan    reference
	tasks   map[int64]*tasks.Task
	room    room
	feeders [2]*feed.Feeder
	ends    *reconcile.Canceler
	hand    *hand
	crashed int64           // workers that stopped with rows in flight
	quiet   map[string]bool // tenants that are paused
	resting map[int64]bool  // tasks that are paused
	failed  []events.ID
}

// room is the smallest and greatest number of rows of a lane that may wait in Redis.
type room struct{ least, most int64 }

// newTrial opens a service on its own ledger. All trials of a test share a Redis.
func newTrial(t *testing.T, server *testenv.Server, url string, size room) *trial {
	t.Helper()
	tr := &trial{
		farm: &farm{t: t, now: time.Now(), server: server}, room: size,
		tasks: map[int64]*tasks.Task{}, quiet: map[string]bool{}, resting: map[int64]bool{},
	}
	tr.Service = fixture.New(t, fixture.Options{
		Ledger: url, Redis: server.URL(), Prefix: fmt.Sprint("trial", time.Now().UnixNano()),
		Kinds: fixture.Kinds(
			worker.Define("k", nothing, worker.Shards(2)), worker.Define("m", nothing, worker.Shards(1))),
	})
	tr.Tasks = tasks.New(tr.DB, tasks.Options{Now: func() time.Time { return tr.now }})
	for i := range tr.feeders {
		tr.restart(i)
	}
	tr.hand, tr.ends = tr.farm.hand(), tr.canceler()
	tr.plan.weights = map[string]int64{"acme": 1, "globex": 1}
	return tr
}

// weigh sets the weight of a tenant.
func (tr *trial) weigh(tenant string, weight int64) {
	tr.fine(tr.Tasks.SetWeight(tr.t.Context(), tenant, weight))
	tr.plan.weights[tenant] = weight
}

// restart replaces a feeder with a new one.
func (tr *trial) restart(i int) {
	tr.feeders[i] = feed.NewFeeder(tr.Tasks, tr.Events, tr.Queue, tr.Kinds, feed.Options{
		Window: tr.room.most, MinWindow: tr.room.least, Chunk: tr.room.least, Now: func() time.Time { return tr.now },
	})
}
