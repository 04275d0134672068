package exporters_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/dispatch"
	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/exporters"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/table"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/middleware"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// rig is a ledger, a Redis and a store of files.
type rig struct {
	t      *testing.T
	db     *ledger.DB
	rdb    *redis.Client
	prefix string
	tasks  *tasks.Store
	events *events.Store
	files  blobs.Store
	parts  *exporters.Parts
}

func newRig(t *testing.T, url string) *rig {
	t.Helper()
	r := &rig{t: t, prefix: testenv.Prefix(t)}
	var err error
	if r.db, err = ledger.Open(t.Context(), url, ledger.Options{}); err != nil {
		t.Fatal(err)
	}
	if r.files, err = blobs.Open(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	opt, err := redis.ParseURL(testenv.Redis(t))
	if err != nil {
		t.Fatal(err)
	}
	r.rdb = redis.NewClient(opt)
	t.Cleanup(func() { _, _, _ = r.rdb.Close(), r.db.Close(), r.files.Close() })
	r.tasks, r.events = tasks.New(r.db, tasks.Options{}), events.New(r.db, events.Options{})
	r.parts = exporters.NewParts(r.tasks, r.files)
	return r
}

// ask adds the task of an export.
func (r *rig) ask(kind, name string, req worker.ExportRequest) *tasks.Task {
	r.t.Helper()
	task := &tasks.Task{
		ID: tasks.NewID(), Tenant: "acme", Kind: kind, Name: name, Type: tasks.Export,
		Status: tasks.Open, Unmerged: true, Options: map[string]any{},
	}
	b, err := json.Marshal(req)
	if err == nil {
		err = json.Unmarshal(b, &task.Options)
	}
	if err == nil {
		err = r.tasks.Create(r.t.Context(), task, time.Hour)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	return task
}

// node is what one process of workers does.
type node struct {
	feeder *dispatch.Feeder
	runner *exporters.Runner
	stop   func()
}

// start starts a node with so many handlers at once.
func (r *rig) start(handlers int, defs ...worker.Definer) *node {
	r.t.Helper()
	kinds, n := worker.NewRegistry(defs...), &node{}
	client := queue.NewClient(r.rdb, queue.ClientOptions{Prefix: r.prefix, Queues: kinds.Queues()})
	n.feeder = dispatch.NewFeeder(r.tasks, r.events, client, kinds, dispatch.Options{Poll: 20 * time.Millisecond})
	n.runner = exporters.NewRunner(r.tasks, r.events, r.parts, kinds, exporters.RunnerOptions{
		Poll: 20 * time.Millisecond, Claim: 2 * time.Second, Again: 10 * time.Millisecond, Added: n.feeder.Wake,
	})
	rec := middleware.NewRecorder(r.events, middleware.Options{
		Parts: r.parts, Standing: n.feeder.Standing,
		Committed: func() { n.feeder.Wake(); n.runner.Committed() },
	})
	if err := n.feeder.Feed(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
	var work []queue.Worker
	for _, k := range kinds.Kinds() {
		work = append(work, middleware.Track(k, rec))
	}
	server := queue.NewServer(r.rdb, queue.ServerOptions{
		Prefix: r.prefix, Epoch: r.db.NextEpoch, Lease: 2 * time.Second, Concurrency: handlers,
		Acquired: n.feeder.Doubt,
	}, work...)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{}, 2)
	go func() { n.feeder.Run(ctx); ended <- struct{}{} }()
	go func() { n.runner.Run(ctx, nil); ended <- struct{}{} }()
	rec.Start()
	if err := server.Start(context.Background()); err != nil {
		r.t.Fatal(err)
	}
	n.stop = func() {
		cancel()
		<-ended
		<-ended
		rec.Drain()
		server.Stop()
		rec.Stop(10 * time.Second)
	}
	return n
}

// eventually waits until f says so.
func (r *rig) eventually(what string, f func() bool) {
	r.t.Helper()
	for deadline := time.Now().Add(time.Minute); !f(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			r.t.Fatalf("never: %s", what)
		}
	}
}

// now reads the task.
func (r *rig) now(task *tasks.Task) *tasks.Task {
	r.t.Helper()
	now, err := r.tasks.Get(r.t.Context(), "acme", task.ID)
	if err != nil {
		r.t.Fatal(err)
	}
	return now
}

// askMerged adds an export without a part, which waits for its file alone.
func (r *rig) askMerged() *tasks.Task {
	r.t.Helper()
	task := r.ask("numbers", "", as(table.CSV, map[string]string{"Rows": "1", "Parts": "1"}))
	t, claim, err := r.tasks.ClaimPlan(r.t.Context(), []string{"numbers"}, time.Minute)
	if err != nil {
		r.t.Fatal(err)
	}
	chunk := events.Chunk{Num: t.Num, Claim: int64(claim), Final: true}
	if _, err := r.events.Append(r.t.Context(), chunk); err != nil {
		r.t.Fatal(err)
	}
	return task
}

// await waits until the task is done, and returns it.
func (r *rig) await(task *tasks.Task) (now *tasks.Task) {
	r.t.Helper()
	r.eventually("done", func() bool {
		now = r.now(task)
		return now.Status.Done()
	})
	return now
}

// cleared waits until the files of the parts are gone.
func (r *rig) cleared(task *tasks.Task) {
	r.t.Helper()
	r.eventually("no files of parts", func() bool {
		left, err := r.tasks.PartFiles(r.t.Context(), task.Num)
		if err != nil {
			r.t.Fatal(err)
		}
		return len(left) == 0
	})
}

// content is the file of a task, which must be what the task says of it.
func (r *rig) content(task *tasks.Task) string {
	r.t.Helper()
	f, err := r.files.Get(r.t.Context(), task.ResultID)
	if err != nil {
		r.t.Fatal(err)
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		r.t.Fatal(err)
	}
	sum := sha256.Sum256(b)
	if hex.EncodeToString(sum[:]) != task.ResultSHA256 || int64(len(b)) != task.ResultSize {
		r.t.Errorf("the file is not what its task says: %d bytes, %+v", len(b), task.Result)
	}
	return string(b)
}

// as is a request for a file.
func as(format string, params map[string]string) worker.ExportRequest {
	return worker.ExportRequest{Params: params, Spec: table.Spec{Format: format}}
}
