package feed_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/middleware"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// faultyScripts is the number of scripts with which the queue pushes a chunk of rows of one shard.
// They are a first and a last one and, in `make chaos`, one in between.
// TestPush_OneScriptRefused_KeepsOrder of package queue refuses each of four scripts.
var faultyScripts = map[bool]int{false: 2, true: 3}[testenv.Chaos]

// faultyOnBoth lists the faults that run on both databases: one before the writes and one after
// them. The database takes no part in these faults; `make chaos` runs all faults on both.
var faultyOnBoth = []string{"loading", "lost"}

// faultyOften lists the faults that `make test` also has: a refusal, a lost script, and a lost answer.
var faultyOften = []string{"a full Redis", "lost", "no answer"}

// faultyRows is the number of rows of a chunk, and faultyKeys is the number of their keys.
var faultyRows = faultyScripts * 500

const faultyKeys = 100

// pushMeets lists the faults that a script of a push may have.
var pushMeets = map[string]func(*farm) testenv.Fate{
	"a full Redis": func(f *farm) testenv.Fate {
		return testenv.Fate{Before: f.command("config", "set", "maxmemory", "1"), After: f.command("config", "set", "maxmemory", "0")}
	},
	"a replica": func(f *farm) testenv.Fate {
		return testenv.Fate{Before: f.command("replicaof", "127.0.0.1", "1"), After: f.command("replicaof", "no", "one")}
	},
	"no script": func(f *farm) testenv.Fate { return testenv.Fate{Before: f.command("script", "flush")} },
	"loading": func(*farm) testenv.Fate {
		return testenv.Fate{Refuse: "LOADING Redis is loading the dataset in memory"}
	},
	"lost":      func(*farm) testenv.Fate { return testenv.Fate{Lost: true} },
	"no answer": func(*farm) testenv.Fate { return testenv.Fate{Unanswered: true} },
}

// command sends a command to Redis when it is called.
func (f *farm) command(args ...any) func() {
	return func() {
		if err := f.Redis.Do(context.Background(), args...).Err(); err != nil {
			f.t.Errorf("redis %v: %v", args, err)
		}
	}
}

// faultyFeeding is a farm whose feeders push through a proxy, which causes a fault at the push
// script with a given number.
type faultyFeeding struct {
	*farm
	mu   sync.Mutex
	left int // push scripts before the fault; below 0 afterwards
	fate testenv.Fate
	log  rowLog
}

// rowLog holds the rows that ran, by key and in their order.
type rowLog struct {
	mu   sync.Mutex
	rows map[string][]events.ID
}

func newFaultyFeeding(f *farm, fate testenv.Fate) *faultyFeeding {
	ff := &faultyFeeding{farm: f, left: -1, fate: fate}
	ff.work()
	return ff
}

func (ff *faultyFeeding) judge(words []string) testenv.Fate {
	if len(words) < 11 || !strings.HasSuffix(words[10], "}:gate") {
		return testenv.Fate{}
	}
	ff.mu.Lock()
	defer ff.mu.Unlock()
	if ff.left--; ff.left == -1 {
		return ff.fate
	}
	return testenv.Fate{}
}

// arm makes the push script with a number, from 0, have a fault.
func (ff *faultyFeeding) arm(number int) {
	ff.mu.Lock()
	defer ff.mu.Unlock()
	ff.left = number
}

// met reports whether the armed script was sent.
func (ff *faultyFeeding) met() bool {
	ff.mu.Lock()
	defer ff.mu.Unlock()
	return ff.left < 0
}

// wired returns a feeder that reaches Redis through the proxy.
func (ff *faultyFeeding) wired(judge func([]string) testenv.Fate) *feed.Feeder {
	rdb := redis.NewClient(&redis.Options{
		Addr: ff.Redis.Options().Addr, Dialer: testenv.NewWire(ff.t, judge).Dial, MaxRetries: -1,
	})
	ff.t.Cleanup(func() { _ = rdb.Close() })
	client := queue.NewClient(rdb, queue.ClientOptions{Queues: ff.Kinds.Queues()})
	return feed.NewFeeder(ff.Tasks, ff.Events, client, ff.Kinds,
		feed.Options{Window: 10_000, MinWindow: 10_000, Chunk: int64(faultyRows)})
}

// work runs the rows as a worker process does, and records the order.
func (ff *faultyFeeding) work() {
	ff.t.Helper()
	ff.log.rows = map[string][]events.ID{}
	kinds := jobs.RegistryOf(worker.NewRegistry(worker.Define("k", func(ctx context.Context, j *worker.Job[struct{}]) error {
		ff.log.mu.Lock()
		defer ff.log.mu.Unlock()
		ff.log.rows[j.Key] = append(ff.log.rows[j.Key], jobs.Calls(ctx)[0].Event)
		return nil
	}, worker.Shards(1))))
	kind, _ := kinds.Kind("k")
	rec := middleware.NewRecorder(ff.Events, middleware.Options{})
	rec.Start()
	s := queue.NewServer(ff.Redis, queue.ServerOptions{}, middleware.Track(kind, rec))
	if err := s.Start(ff.t.Context()); err != nil {
		ff.t.Fatal(err)
	}
	ff.t.Cleanup(func() { s.Stop(); rec.Stop(time.Minute) })
}

// rows adds a task of n rows with few keys. Either all rows are invalid or none.
func (ff *faultyFeeding) rows(n int, invalid bool) *tasks.Task {
	ff.t.Helper()
	rows := make([]events.Draft, n)
	for i := range rows {
		rows[i] = events.Draft{Row: i + 2, Key: fmt.Sprint(i % faultyKeys), Params: []byte("{}")}
		if invalid {
			rows[i].Failure = &events.Failure{Code: "REQUIRED"}
		}
	}
	return ff.add(rows)
}

// resubmit resubmits all rows of a task.
func (ff *faultyFeeding) resubmit(task *tasks.Task) {
	ff.t.Helper()
	list, err := ff.Events.List(ff.t.Context(), task.Num, events.Filter{Limit: faultyRows})
	ff.fine(err)
	rows := make([]decisions.Decision, len(list))
	for i, e := range list {
		rows[i] = decisions.Decision{ID: e.ID, Version: e.Version, Resolution: events.Resubmitted}
	}
	made, err := decisions.New(ff.Events).Decide(ff.t.Context(), decisions.Review{Num: task.Num, By: "ann", Rows: rows})
	if err != nil || slices.Contains(made, false) {
		ff.t.Fatal(made, err)
	}
}

// drain feeds until all rows of a task have ended.
func (ff *faultyFeeding) drain(task *tasks.Task, feeders ...*feed.Feeder) {
	ff.t.Helper()
	var now *tasks.Task
	if !testenv.Await(5*time.Minute, func() bool {
		for _, feeder := range feeders {
			if err := feeder.Feed(ff.t.Context()); err != nil {
				ff.t.Log(err)
			}
		}
		var err error
		now, err = ff.Tasks.Get(ff.t.Context(), "acme", task.ID)
		ff.fine(err)
		return now.Status.Done()
	}) {
		ff.t.Fatalf("task %d is %s, %+v", task.Num, now.Status, now)
	}
}

// inOrder checks that the given number of rows ran, each once, and the rows of a key in their
// order.
func (ff *faultyFeeding) inOrder(want int) {
	ff.t.Helper()
	ff.log.mu.Lock()
	defer ff.log.mu.Unlock()
	n, wrong := 0, []string(nil)
	for key, rows := range ff.log.rows {
		if n += len(rows); !slices.IsSorted(rows) || len(slices.Compact(slices.Clone(rows))) != len(rows) {
			wrong = append(wrong, key)
		}
	}
	if len(wrong) > 0 {
		ff.t.Errorf("rows of %d keys ran out of order or twice; of %s: %v", len(wrong), wrong[0], ff.log.rows[wrong[0]])
	}
	if n != want {
		ff.t.Errorf("%d rows ran, want %d", n, want)
	}
}

// faulty runs a test for some faults on SQLite; in `make test-all` for each fault, and for some on both
// databases.
func faulty(t *testing.T, story func(*faultyFeeding)) {
	t.Parallel()
	for what, fate := range pushMeets {
		if !testenv.All && !slices.Contains(faultyOften, what) {
			continue
		}
		t.Run(what, func(t *testing.T) {
			run := func(f *farm) { story(newFaultyFeeding(f, fate(f))) }
			if testenv.Chaos || testenv.All && slices.Contains(faultyOnBoth, what) {
				onBoth(t, run)
				return
			}
			t.Parallel()
			run(newFarm(t, ledgers.SQLite(t)))
		})
	}
}

// TestFeed_OneScriptRefused_KeepsOrder has Redis refuse each script of a push in turn, while
// workers run.
func TestFeed_OneScriptRefused_KeepsOrder(t *testing.T) {
	faulty(t, func(ff *faultyFeeding) {
		feeder := ff.wired(ff.judge)
		for number := range faultyScripts {
			task := ff.rows(faultyRows, false)
			ff.arm(number)
			ff.drain(task, feeder)
			if !ff.met() {
				ff.t.Errorf("script %d was not sent", number)
			}
			ff.inOrder((number + 1) * faultyRows)
		}
	})
}

// TestResubmission_OneScriptRefused_KeepsOrder has Redis refuse each script of a push of
// resubmitted rows in turn. A later task has rows of their keys.
func TestResubmission_OneScriptRefused_KeepsOrder(t *testing.T) {
	faulty(t, func(ff *faultyFeeding) {
		feeder := ff.wired(ff.judge)
		ff.fine(feeder.Feed(ff.t.Context()))
		for number := range faultyScripts {
			task := ff.rows(faultyRows, true)
			ff.resubmit(task)
			later := ff.rows(faultyKeys, false)
			ff.arm(number)
			ff.drain(task, feeder)
			ff.drain(later, feeder)
			if !ff.met() {
				ff.t.Errorf("script %d was not sent", number)
			}
			ff.inOrder((number + 1) * (faultyRows + faultyKeys))
		}
	})
}

// TestFeed_TwoFeedersRefusedByTurns_KeepOrder has two feeders push tasks of one lane, while Redis
// refuses every third of their scripts. Neither feeder may pass rows that the other could not
// push.
func TestFeed_TwoFeedersRefusedByTurns_KeepOrder(t *testing.T) {
	faulty(t, func(ff *faultyFeeding) {
		var count atomic.Int64
		judge := func(words []string) testenv.Fate {
			if len(words) < 11 || !strings.HasSuffix(words[10], "}:gate") || count.Add(1)%3 != 0 {
				return testenv.Fate{}
			}
			return ff.fate
		}
		var all []*tasks.Task
		for range 3 {
			all = append(all, ff.rows(faultyRows+100, false), ff.rows(faultyKeys, false))
		}
		var wg sync.WaitGroup
		for range 2 {
			feeder := ff.wired(judge)
			wg.Go(func() { ff.drain(all[len(all)-1], feeder) })
		}
		wg.Wait()
		ff.inOrder(3 * (faultyRows + 100 + faultyKeys))
	})
}
