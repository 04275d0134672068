package main

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/middleware"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// service has the parts of cmd/worker in this process: ledger, feeder, queue and recorder. Its only kind
// has a handler that does nothing.
type service struct {
	db     *ledger.DB
	tasks  *tasks.Store
	events *events.Store
	feeder *feed.Feeder
}

// service starts a service, which a cleanup of the lab stops.
func (l *lab) service(ctx context.Context, url string, redis *store) (*service, error) {
	db, err := ledger.Open(ctx, url, ledger.Options{})
	if err != nil {
		return nil, err
	}
	l.Cleanup(func() { _ = db.Close() }) // everything is checked by then
	kinds := jobs.RegistryOf(worker.NewRegistry(worker.Define(queueName,
		func(context.Context, *worker.Job[struct{}]) error { return nil })))
	s := &service{
		db: db, tasks: tasks.New(db, tasks.Options{}), events: events.New(db, events.Options{Silent: notify.WithoutCallback(kinds)}),
	}
	kind, _ := kinds.Kind(queueName)
	specs := []queue.Spec{{Name: queueName, Shards: kind.Shards}}
	client := queue.NewClient(redis.rdb, queue.ClientOptions{Queues: specs})
	s.feeder = feed.NewFeeder(s.tasks, s.events, client, kinds, feed.Options{})
	recorder := middleware.NewRecorder(s.events, middleware.Options{
		OnCommit: s.feeder.Wake, CheckGeneration: s.feeder.CheckGeneration,
	})
	server := queue.NewServer(redis.rdb, queue.ServerOptions{Epoch: db.NextEpoch},
		middleware.Track(kind, recorder))
	feeding, cancel := context.WithCancel(ctx)
	var loops sync.WaitGroup
	recorder.Start()
	loops.Go(func() { s.feeder.Run(feeding) })
	l.Cleanup(func() {
		cancel()
		loops.Wait()
		recorder.Drain()
		server.Stop()
		recorder.Stop(time.Minute)
	})
	if err := server.Start(ctx); err != nil {
		return nil, err
	}
	time.Sleep(settleTime)
	return s, nil
}

// appendChunk is how many rows are committed at once, as for a large file.
const appendChunk = 5000

// add creates a task of n rows, chunk by chunk like the splitter.
func (s *service) add(ctx context.Context, n int, row func(int) events.Draft) (*tasks.Task, error) {
	t := &tasks.Task{
		ID: tasks.NewID(), Tenant: "bench", Kind: queueName, Type: tasks.Batch, Status: tasks.Splitting,
	}
	claim, err := s.tasks.CreateHeld(ctx, t, tasks.Terms{Keep: time.Hour}, time.Minute)
	if err != nil {
		return nil, err
	}
	for first := 0; first < n; first += appendChunk {
		rows := make([]events.Draft, 0, appendChunk)
		for i := first; i < min(first+appendChunk, n); i++ {
			rows = append(rows, row(i))
		}
		_, err := s.events.Append(ctx, events.Chunk{
			Num: t.Num, Claim: int64(claim), TTL: time.Minute, Rows: rows,
			Final: first+appendChunk >= n,
		})
		if err != nil {
			return nil, err
		}
		s.feeder.Wake()
	}
	return t, nil
}

// blankRow returns a row with its own key and a minimal payload.
func blankRow(i int) events.Draft {
	return events.Draft{
		Row: i + 1, Key: fmt.Sprintf("key:%d", i), Params: fmt.Appendf(nil, `{"n":"%s"}`, payload(i)),
	}
}

// wideRow returns a row of ten columns, about 250 bytes.
func wideRow(i int) events.Draft {
	cells := map[string]string{}
	for c := range 10 {
		cells[fmt.Sprintf("column%d", c)] = fmt.Sprintf("value%07d", i)
	}
	params, _ := json.Marshal(cells) // texts always encode
	return events.Draft{Row: i + 1, Key: fmt.Sprintf("key:%d", i), Params: params}
}

// done waits until a task is done.
func (s *service) done(ctx context.Context, t *tasks.Task) error {
	for end := time.Now().Add(2 * waitAtMost); ; time.Sleep(5 * time.Millisecond) {
		got, err := s.tasks.Get(ctx, t.Tenant, t.ID)
		if err != nil {
			return err
		}
		if got.FinishedAt > 0 {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("%w: %+v", errSlow, got)
		}
	}
}

// check returns an error unless all n jobs of a task have finished, by the counts of the task and by its
// events.
func (s *service) check(ctx context.Context, t *tasks.Task, n int64) error {
	got, err := s.tasks.Get(ctx, t.Tenant, t.ID)
	if err != nil {
		return err
	}
	var finished int64
	err = s.db.Pool.QueryRow(ctx, `SELECT count(*) FROM rollcall.events
		WHERE id > $1 AND id < $2 AND status = 'finish' AND attempt = 1 AND finished_at > 0`,
		int64(events.NewID(t.Num, 0)), int64(events.NewID(t.Num+1, 0))).Scan(&finished)
	if err == nil && (got.Total != n || got.Finish != n || finished != n) {
		err = fmt.Errorf("%w: %+v, %d events", errWrong, got, finished)
	}
	return err
}
