package middleware_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/dispatch"
	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/middleware"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// rig is a ledger, a Redis, and the nodes that a story starts on them.
type rig struct {
	t      *testing.T
	prefix string
	db     *ledger.DB
	url    string // of the ledger
	rdb    *redis.Client
	tasks  *tasks.Store
	events *events.Store
}

// on tells a story on both databases.
func on(t *testing.T, story func(*rig)) {
	ledgers.Each(t, func(t *testing.T, url string) { story(newRig(t, url)) })
}

func newRig(t *testing.T, url string) *rig {
	t.Helper()
	r := &rig{t: t, url: url, prefix: testenv.Prefix(t)}
	var err error
	if r.db, err = ledger.Open(t.Context(), url, ledger.Options{}); err != nil {
		t.Fatal(err)
	}
	opt, err := redis.ParseURL(testenv.Redis(t))
	if err != nil {
		t.Fatal(err)
	}
	r.rdb = redis.NewClient(opt)
	t.Cleanup(func() { _, _ = r.rdb.Close(), r.db.Close() })
	r.tasks, r.events = tasks.New(r.db, tasks.Options{}), events.New(r.db, events.Options{})
	return r
}

// task adds a task of one row for each key, not fed yet.
func (r *rig) task(kind string, keys ...string) *tasks.Task {
	r.t.Helper()
	var rows []events.Draft
	for i, key := range keys {
		rows = append(rows, events.Draft{Row: i + 2, Key: key, Params: []byte("{}")})
	}
	return r.rows(kind, rows...)
}

// rows adds a task, not fed yet.
func (r *rig) rows(kind string, rows ...events.Draft) *tasks.Task {
	r.t.Helper()
	ctx := r.t.Context()
	task := &tasks.Task{
		ID: tasks.NewID(), Tenant: "acme", Kind: kind, Type: tasks.Import, Status: tasks.Open,
		Source: tasks.Source{FileID: "f"},
	}
	if err := r.tasks.Create(ctx, task, time.Hour); err != nil {
		r.t.Fatal(err)
	}
	_, claim, err := r.tasks.ClaimSplit(ctx, []string{kind}, time.Minute)
	if err != nil {
		r.t.Fatal(err)
	}
	chunk := events.Chunk{Num: task.Num, Claim: int64(claim), Final: true, Rows: rows}
	if _, err := r.events.Append(ctx, chunk); err != nil {
		r.t.Fatal(err)
	}
	return task
}

// node is what one process of workers does.
type node struct {
	server *queue.Server
	rec    *middleware.Recorder
	feeder *dispatch.Feeder
	client *queue.Client
	cancel context.CancelFunc
	ended  chan struct{}
	fed    time.Time
	waits  sync.Map // middleware.Ran.Wait of the last run of each job, by its id
}

// start starts a node for the kinds, once what waits has been fed.
func (r *rig) start(defs ...worker.Definer) *node {
	r.t.Helper()
	n, err := startNode(r.db, r.rdb, r.prefix, worker.NewRegistry(defs...))
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(n.stop)
	return n
}

// startNode is the part of start that a process without a test can do.
func startNode(db *ledger.DB, rdb *redis.Client, prefix string, kinds *worker.Registry) (*node, error) {
	n := &node{ended: make(chan struct{})}
	es := events.New(db, events.Options{})
	n.client = queue.NewClient(rdb, queue.ClientOptions{Prefix: prefix, Queues: kinds.Queues()})
	n.feeder = dispatch.NewFeeder(tasks.New(db, tasks.Options{}), es, n.client, kinds,
		dispatch.Options{Poll: 50 * time.Millisecond, Canceling: func(ids []string) {
			if n.rec != nil {
				n.rec.Cancel(ids)
			}
		}})
	if err := n.feeder.Feed(context.Background()); err != nil {
		return nil, err
	}
	n.fed = time.Now()
	n.rec = middleware.NewRecorder(es, middleware.Options{
		Worker: "node:1", Standing: n.feeder.Standing, Committed: n.feeder.Wake, Announce: 20 * time.Millisecond,
		Client: worker.NewClient(db, n.client, kinds, worker.ClientOptions{}),
		Ran:    func(_ context.Context, ran middleware.Ran) { n.waits.Store(ran.Call.ID, ran.Wait) },
	})
	var work []queue.Worker
	for _, k := range kinds.Kinds() {
		work = append(work, middleware.Track(k, n.rec))
	}
	n.server = queue.NewServer(rdb, queue.ServerOptions{
		Prefix: prefix, Epoch: db.NextEpoch, Lease: 2 * time.Second, Acquired: n.feeder.Doubt,
	}, work...)
	var ctx context.Context
	ctx, n.cancel = context.WithCancel(context.Background())
	go func() { defer close(n.ended); n.feeder.Run(ctx) }()
	n.rec.Start()
	return n, n.server.Start(ctx)
}

// stop takes the node down as a process does that was asked to.
func (n *node) stop() {
	n.cancel()
	<-n.ended
	n.rec.Drain()
	n.server.Stop()
	n.rec.Stop(10 * time.Second)
}

// await waits until the task is done, and returns it.
func (r *rig) await(task *tasks.Task) *tasks.Task {
	r.t.Helper()
	var now *tasks.Task
	eventually(r.t, func() bool {
		var err error
		if now, err = r.tasks.Get(r.t.Context(), "acme", task.ID); err != nil {
			r.t.Fatal(err)
		}
		return now.Status.Done()
	})
	return now
}

// event reads the seq-th job of a task.
func (r *rig) event(task *tasks.Task, seq int64) *events.Event {
	r.t.Helper()
	e, err := r.events.Get(r.t.Context(), events.NewID(task.Num, seq))
	if err != nil {
		r.t.Fatal(err)
	}
	return e
}
