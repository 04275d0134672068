package main

import (
	"context"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/middleware"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// These are the sizes of the tasks of the two tenants.
const (
	bigRows  = 1_000_000
	tinyRows = 10
	tinies   = 20 // tiny tasks of a run, one after another
)

// benchFairness measures the time of a tenant's task of 10 rows while another tenant runs 10^6 rows of
// the same kind. The handlers do nothing, or take 20 ms. It also measures a file of 10 rows beside unread
// files of another tenant.
func benchFairness(ctx context.Context, l *lab, runs int) ([]figure, error) {
	var seconds []float64
	for range runs {
		took, err := l.behindFiles(ctx)
		if err != nil {
			return nil, fmt.Errorf("files: %w", err)
		}
		seconds = append(seconds, took...)
	}
	out := []figure{figureOf("fairness, 10 rows beside five unread files of 400,000, priority 1000", "s", seconds)}
	for name, takes := range map[string]time.Duration{"blank": 0, "20 ms": 20 * time.Millisecond} {
		var seconds []float64
		for range runs {
			took, err := l.neighbours(ctx, takes)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			seconds = append(seconds, took...)
		}
		out = append(out, figureOf("fairness, 10 rows beside 10^6, handlers "+name, "s", seconds))
	}
	return out, nil
}

// neighbours runs the tiny tasks beside the big one, and returns their times in seconds.
func (l *lab) neighbours(ctx context.Context, takes time.Duration) ([]float64, error) {
	defer l.leave(len(l.cleanup))
	h, err := l.feedService(ctx, func(context.Context, string) {
		if takes > 0 {
			time.Sleep(takes)
		}
	})
	if err != nil {
		return nil, err
	}
	big, err := h.add(ctx, "big", bigRows, strconv.Itoa)
	if err != nil {
		return nil, err
	}
	var seconds []float64
	for range tinies {
		begun := time.Now()
		tiny, err := h.add(ctx, "tiny", tinyRows, strconv.Itoa)
		if err != nil {
			return nil, err
		}
		if err := h.await(ctx, "tiny", tiny); err != nil {
			return nil, err
		}
		seconds = append(seconds, time.Since(begun).Seconds())
	}
	t, err := h.tasks.Get(ctx, "big", big)
	if err == nil && t.Status.Done() {
		err = fmt.Errorf("the big task was done before the tiny ones")
	}
	return seconds, err
}

// feedService has all parts of a worker process, inside the process of the bench.
type feedService struct {
	tasks  *tasks.Store
	events *events.Store
	feeder *feed.Feeder
	others atomic.Int64 // ended runs with a key other than hotKey
}

// feedService starts workers on a new Redis server and a new Postgres ledger. The handler of each row calls
// `run` with the key of the row, unless `run` is nil.
func (l *lab) feedService(ctx context.Context, run func(ctx context.Context, key string)) (*feedService, error) {
	return l.feedServiceOn(ctx, testenv.Postgres(l), run)
}

// feedKind is the kind of the rows.
const feedKind = "k"

// feedServiceOn is like feedService, with an existing ledger.
func (l *lab) feedServiceOn(ctx context.Context, url string, run func(ctx context.Context, key string)) (*feedService, error) {
	h := &feedService{}
	db, err := ledger.Open(ctx, url, ledger.Options{})
	if err != nil {
		return nil, err
	}
	l.Cleanup(func() { _ = db.Close() }) // the ledger is private, and dropped afterwards
	rdb := redis.NewClient(&redis.Options{
		Addr: testenv.StartRedis(l, "--appendonly", "yes").Addr(), ContextTimeoutEnabled: true,
	})
	l.Cleanup(func() { _ = rdb.Close() })
	kind := worker.Define(feedKind, func(ctx context.Context, j *worker.Job[struct{}]) error {
		if run != nil {
			run(ctx, j.Key)
		}
		if j.Key != hotKey {
			h.others.Add(1)
		}
		return nil
	})
	h.tasks, h.events = tasks.New(db, tasks.Options{}), events.New(db, events.Options{})
	c := queue.NewClient(rdb, queue.ClientOptions{Queues: []queue.Spec{{Name: feedKind}}})
	h.feeder = feed.NewFeeder(h.tasks, h.events, c, jobs.RegistryOf(worker.NewRegistry(kind)), feed.Options{})
	rec := middleware.NewRecorder(h.events, middleware.Options{OnCommit: h.feeder.Wake, CheckGeneration: h.feeder.CheckGeneration})
	server := queue.NewServer(rdb, queue.ServerOptions{Epoch: db.NextEpoch}, middleware.Track(jobs.KindOf(kind), rec))
	feeding, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() { defer close(ended); h.feeder.Run(feeding) }()
	rec.Start()
	if err := server.Start(ctx); err != nil {
		cancel()
		return nil, err
	}
	l.Cleanup(func() {
		cancel()
		<-ended
		rec.Drain()
		server.Stop()
		rec.Stop(time.Minute)
	})
	return h, nil
}

// add adds a task, chunk by chunk like the splitter, and returns its id. The argument `key` returns the
// key of a row, counted from 0.
func (h *feedService) add(ctx context.Context, tenant string, rows int, key func(row int) string) (string, error) {
	t := &tasks.Task{
		ID: tasks.NewID(), Tenant: tenant, Kind: feedKind, Type: tasks.Batch, Status: tasks.Splitting,
	}
	claim, err := h.tasks.CreateHeld(ctx, t, tasks.Terms{Keep: time.Hour}, time.Minute)
	if err != nil {
		return "", err
	}
	for from := 0; from < rows; from += largestChunk {
		c := events.Chunk{Num: t.Num, Claim: int64(claim), TTL: time.Minute, Final: from+largestChunk >= rows}
		for i := from; i < min(rows, from+largestChunk); i++ {
			c.Rows = append(c.Rows, events.Draft{Row: i + 2, Key: key(i), Params: []byte(`{}`)})
		}
		if _, err := h.events.Append(ctx, c); err != nil {
			return "", err
		}
		h.feeder.Wake()
	}
	return t.ID, nil
}

// largestChunk is how many rows are added at once.
const largestChunk = 10_000

func (h *feedService) await(ctx context.Context, tenant, id string) error {
	for end := time.Now().Add(waitAtMost); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		t, err := h.tasks.Get(ctx, tenant, id)
		if err != nil || t.Status.Done() {
			return err
		}
	}
	return errSlow
}
