package feed_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

func nothing(context.Context, *worker.Job[struct{}]) error { return nil }

// farm is a service with a Redis of its own.
type farm struct {
	t *testing.T
	*fixture.Service
	now    time.Time // of the store of tasks
	server *testenv.Server
}

func newFarm(t *testing.T, url string) *farm {
	t.Helper()
	f := &farm{t: t, now: time.Now(), server: testenv.StartRedis(t)}
	f.Service = fixture.New(t, fixture.Options{Ledger: url, Redis: f.server.URL(), Kinds: fixture.Kinds(
		worker.Define("k", nothing, worker.Shards(1)))})
	f.Tasks = tasks.New(f.DB, tasks.Options{Now: func() time.Time { return f.now }})
	return f
}

func (f *farm) feeder() *feed.Feeder {
	return feed.NewFeeder(f.Tasks, f.Events, f.Queue, f.Kinds, feed.Options{Window: 100, MinWindow: 100, Chunk: 50})
}

// task adds a task of n rows, each with a key of its own.
func (f *farm) task(n int) *tasks.Task {
	f.t.Helper()
	rows := make([]events.Draft, n)
	for i := range rows {
		rows[i] = events.Draft{Row: i + 2, Key: fmt.Sprint(i), Params: []byte("{}")}
	}
	return f.add(rows)
}

// add adds a task of these rows.
func (f *farm) add(rows []events.Draft) *tasks.Task { f.t.Helper(); return f.Add(f.t, "k", rows...) }

// feed runs one feeder until nothing more fits, and returns how many keys wait.
func (f *farm) feed() int64 {
	f.t.Helper()
	if err := f.feeder().Feed(f.t.Context()); err != nil {
		f.t.Fatal(err)
	}
	st, err := f.Queue.Stats(f.t.Context(), "k")
	if err != nil {
		f.t.Fatal(err)
	}
	return st.Length
}

// feedAtOnce runs n feeders beside each other until nothing more fits.
func (f *farm) feedAtOnce(n int) {
	f.t.Helper()
	var wg sync.WaitGroup
	for range n {
		feeder := f.feeder()
		wg.Go(func() {
			if err := feeder.Feed(f.t.Context()); err != nil {
				f.t.Error(err)
			}
		})
	}
	wg.Wait()
}

// finish ends the rows from low to high in the ledger, as a worker would.
func (f *farm) finish(num, low, high int64) {
	f.t.Helper()
	var moves []events.Move
	for seq := low; seq <= high; seq++ {
		moves = append(moves, events.Move{
			ID: events.NewID(num, seq), From: events.Enqueue, To: events.Finish, Attempt: 1,
		})
	}
	if _, err := f.Events.Record(f.t.Context(), moves); err != nil {
		f.t.Fatal(err)
	}
}

// on runs a story on SQLite, and on Postgres only in `make test-all`. Stories of onBoth run the same
// statements on Postgres in `make test`.
func on(t *testing.T, story func(*farm)) {
	ledgers.ByTier(t, func(t *testing.T, url string) { story(newFarm(t, url)) })
}

// onBoth runs a story on SQLite and Postgres, also in `make test`. These stories together run each
// statement of feeding.
func onBoth(t *testing.T, story func(*farm)) {
	ledgers.Each(t, func(t *testing.T, url string) { story(newFarm(t, url)) })
}

func TestAWindowIsFed(t *testing.T) {
	on(t, func(f *farm) {
		task := f.task(250)
		if n := f.feed(); n != 100 {
			f.t.Errorf("%d keys in Redis, want the window of 100", n)
		}
		f.finish(task.Num, 1, 60)
		if n := f.feed(); n != 150 { // 60 of them have ended, and no worker has acked them
			f.t.Errorf("%d keys in Redis, want 150", n)
		}
	})
}

// TestAWipedRedisIsFedAgain empties Redis. Only the rows that have not ended are pushed again, and
// the feed of the task ends where it should.
func TestAWipedRedisIsFedAgain(t *testing.T) {
	on(t, func(f *farm) {
		task := f.task(90)
		f.feed()
		f.finish(task.Num, 1, 30)
		if err := f.Redis.FlushAll(f.t.Context()).Err(); err != nil {
			f.t.Fatal(err)
		}
		f.feed() // too soon after the first mark: another process may still be setting it
		f.now = f.now.Add(time.Minute)
		if n := f.feed(); n != 60 {
			f.t.Errorf("%d keys in Redis, want the 60 not at rest", n)
		}
		feeds, err := lanes.New(f.Tasks).Feeds(f.t.Context())
		if err != nil || len(feeds) != 1 || feeds[0].Unfed != 0 || feeds[0].NeedsRepush() || feeds[0].InRedis != 60 {
			f.t.Errorf("feeds = %+v, %v", feeds, err)
		}
	})
}

// TestRowsThatEndedWhileTheyWereFedAgain has rows end between the loss of Redis and the next push.
// The feed must not wait for them.
func TestRowsThatEndedWhileTheyWereFedAgain(t *testing.T) {
	on(t, func(f *farm) {
		task := f.task(90)
		f.feed()
		if won, err := lanes.New(f.Tasks).Rebuild(f.t.Context(), f.mark(), "next", 0); err != nil || won {
			f.t.Fatalf("a rebuild right after another: %v, %v", won, err)
		}
		f.now = f.now.Add(time.Minute)
		if won, err := lanes.New(f.Tasks).Rebuild(f.t.Context(), f.mark(), "next", 0); err != nil || !won {
			f.t.Fatalf("Rebuild = %v, %v", won, err)
		}
		self, err := f.Queue.Identity(f.t.Context())
		if err != nil || self == "" {
			f.t.Fatalf("Identity = %q, %v", self, err)
		}
		if err := f.Queue.SetGeneration(f.t.Context(), "next@"+self); err != nil {
			f.t.Fatal(err)
		}
		f.finish(task.Num, 50, 90)
		f.feed()
		feeds, err := lanes.New(f.Tasks).Feeds(f.t.Context())
		if err != nil || len(feeds) != 1 || feeds[0].NeedsRepush() || feeds[0].InRedis != 49 {
			f.t.Errorf("feeds = %+v, %v", feeds, err)
		}
	})
}

func (f *farm) mark() string {
	f.t.Helper()
	marks, err := lanes.New(f.Tasks).Generations(f.t.Context())
	if err != nil {
		f.t.Fatal(err)
	}
	return marks.Redis
}

// TestAnOldSnapshot restarts Redis from a snapshot that has the mark, but lacks the rows that were
// pushed later.
func TestAnOldSnapshot(t *testing.T) {
	on(t, func(f *farm) {
		f.feed()
		if err := f.Redis.Save(f.t.Context()).Err(); err != nil {
			f.t.Fatal(err)
		}
		f.task(30)
		if n := f.feed(); n != 30 {
			f.t.Fatalf("%d keys in Redis, want 30", n)
		}
		f.server.Kill()
		f.server.Start()
		f.now = f.now.Add(time.Minute)
		if n := f.feed(); n != 30 {
			f.t.Errorf("%d keys in Redis after the restart, want 30", n)
		}
	})
}

// TestADeadFeederHoldsUpNoRows has the rows of a lost push end before the next feeder polls. The
// lane must not wait for them.
func TestADeadFeederHoldsUpNoRows(t *testing.T) {
	onBoth(t, func(f *farm) {
		f.feed()
		task, next := f.task(40), f.task(5)
		f.claim(1, 50, time.Second)
		f.finish(task.Num, 1, 39) // the rows that the dead feeder has pushed have run
		f.now = f.now.Add(time.Minute)
		if n := f.feed(); n != 6 {
			f.t.Errorf("%d keys in Redis, want the last row and those of task %d", n, next.Num)
		}
	})
}

// TestAClaimOfADeadFeeder has a feeder die before it notes its push. The next feeder pushes the
// rows again, marked as rows that may have run.
func TestAClaimOfADeadFeeder(t *testing.T) {
	onBoth(t, func(f *farm) {
		f.feed() // gives Redis its mark
		f.task(10)
		if claim := f.claim(1, 50, time.Second); len(claim.Feeds) != 1 {
			f.t.Fatalf("ClaimLane = %+v", claim)
		}
		if n := f.feed(); n != 0 {
			f.t.Errorf("%d keys were fed under another's claim", n)
		}
		f.now = f.now.Add(time.Minute)
		if n := f.feed(); n != 10 {
			f.t.Errorf("%d keys in Redis, want 10", n)
		}
		got := make(chan int, 10)
		s := queue.NewServer(f.Redis, queue.ServerOptions{}, queue.Worker{
			Queue: "k", Shards: 1, Handle: func(_ context.Context, b *queue.Batch) error {
				got <- b.Deliveries[0].Redelivered
				return nil
			},
		})
		if err := s.Start(f.t.Context()); err != nil {
			f.t.Fatal(err)
		}
		defer s.Stop()
		for range 10 {
			if n := <-got; n == 0 {
				f.t.Error("a row fed again does not say so")
			}
		}
	})
}
