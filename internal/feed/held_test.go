package feed_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// rowsOfKeys adds a task with a row for each key.
func (f *farm) rowsOfKeys(keys ...string) *tasks.Task {
	f.t.Helper()
	return f.add(drafts(keys))
}

// drafts returns a row for each key.
func drafts(keys []string) []events.Draft {
	rows := make([]events.Draft, len(keys))
	for i, key := range keys {
		rows[i] = events.Draft{Row: i + 2, Key: key, Params: []byte("{}")}
	}
	return rows
}

// times returns a list with a key n times.
func times(n int, key string) []string { return slices.Repeat([]string{key}, n) }

// inRedis counts the waiting payloads of a key, also those behind a job in flight.
func (f *farm) inRedis(key string) int {
	f.t.Helper()
	page, err := f.Queue.Admin().Waiting(f.t.Context(), "k", queue.Query{Limit: 1000})
	if err != nil {
		f.t.Fatal(err)
	}
	for _, one := range page.Keys {
		if one.Key == "acme/"+key {
			return one.Count
		}
	}
	return 0
}

// ran holds the ids of the rows that workers have run, in order, by key. A row runs again if its
// outcome could not be recorded. Its worker may have lost the shard, or the ledger did not answer
// in time.
type ran struct {
	mu     sync.Mutex
	strict bool // jobs of rows that ended must ask the ledger
	ids    map[string][]events.ID

	repeats map[events.ID]int // how often a row may run again
}

// work runs the queue until the caller calls `stop`. Each row ends in the ledger at once, and one
// of `chance` rows is retried; 0 means none. The worker first reads the status of each row from the
// ledger, and drops a job with an older mark.
func (f *farm) work(r *ran, chance int) (stop func()) {
	f.t.Helper()
	s := queue.NewServer(f.Redis, queue.ServerOptions{Concurrency: 4, Lease: 5 * time.Second, Poll: 50 * time.Millisecond}, queue.Worker{
		Queue: "k", Shards: 1,
		RetryIn: func(int) time.Duration { return 5 * time.Millisecond },
		Handle:  func(ctx context.Context, b *queue.Batch) error { return f.handle(ctx, r, b, chance) },
	})
	if err := s.Start(f.t.Context()); err != nil {
		f.t.Fatal(err)
	}
	return s.Stop
}

func (f *farm) handle(ctx context.Context, r *ran, b *queue.Batch, chance int) error {
	for _, d := range b.Deliveries {
		env, err := jobs.Unpack(d.Payload)
		if err != nil {
			return err
		}
		states, err := f.Events.States(ctx, []events.ID{env.Event})
		if err != nil {
			return err
		}
		at := states[env.Event]
		if marks, err := lanes.New(f.Tasks).Generations(ctx); err != nil {
			return err
		} else if now, _, _ := strings.Cut(env.Mark, "."); now != marks.Redis {
			d.Resolve(queue.Outcome{Kind: queue.Done}) // the job was pushed to an earlier Redis
			continue
		}
		if at.Status != events.Enqueue {
			if r.strict && at.Status == events.Finish && d.Redelivered == 0 && !strings.HasSuffix(env.Mark, ".late") {
				f.t.Errorf("row %d is %s, and its job does not ask", env.Row, at.Status)
			}
			d.Resolve(queue.Outcome{Kind: queue.Done})
			continue
		}
		if chance > 0 && rand.IntN(chance) == 0 {
			return fmt.Errorf("retried") // the row and the rows behind it wait
		}
		r.note(env.Event, d.Key)
		made, err := f.Events.Record(ctx, []events.Move{{
			ID: env.Event, From: events.Enqueue, FromAttempt: at.Attempt, To: events.Finish, Attempt: max(at.Attempt, 1),
		}})
		if err != nil || d.Redelivered > 0 {
			r.mayRepeat(env.Event)
		}
		if err != nil {
			return err
		}
		if !made[0] { // the row was canceled meanwhile; a real worker claims the row before it runs
			r.forget(env.Event, d.Key)
		}
		d.Resolve(queue.Outcome{Kind: queue.Done})
	}
	return nil
}

func (r *ran) note(id events.ID, key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ids == nil {
		r.ids = map[string][]events.ID{}
	}
	r.ids[key] = append(r.ids[key], id)
}

// mayRepeat makes ordered accept a second run of a row whose first run was not recorded.
func (r *ran) mayRepeat(id events.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.repeats == nil {
		r.repeats = map[events.ID]int{}
	}
	r.repeats[id]++
}

// forget removes one record of a run.
func (r *ran) forget(id events.ID, key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := slices.Index(r.ids[key], id); i >= 0 {
		r.ids[key] = slices.Delete(r.ids[key], i, i+1)
	}
}

// ordered checks that the rows of each key ran in the order of their ids, each once or as mayRepeat
// allows. It returns the number of rows that ran.
func (r *ran) ordered(t *testing.T) (n int) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	for key, ids := range r.ids {
		n += len(slices.Compact(slices.Clone(ids)))
		if !slices.IsSorted(ids) {
			t.Errorf("key %s ran in the order %v", key, ids)
		}
		for i := 1; i < len(ids); i++ {
			if id := ids[i]; id == ids[i-1] {
				if r.repeats[id]--; r.repeats[id] < 0 {
					t.Errorf("row %d of key %s ran twice", id, key)
				}
			}
		}
	}
	return n
}

// runsInOrder feeds and runs until all tasks are done. It checks that the given number of rows ran,
// each in the order of its key.
func (f *farm) runsInOrder(rows int, what string, each func(i int)) {
	f.t.Helper()
	var r ran
	defer f.work(&r, 0)()
	f.drain(what, each)
	if n := r.ordered(f.t); n != rows {
		f.t.Errorf("%d rows ran, want %d", n, rows)
	}
}

// drain feeds until all tasks are done, and calls `each` after every poll. As in a service, the
// next poll repeats a push that Redis did not answer in time.
func (f *farm) drain(what string, each func(i int)) {
	f.t.Helper()
	feeder := f.feeder()
	for i := 0; ; i++ {
		if err := feeder.Feed(f.t.Context()); err != nil && !errors.Is(err, queue.ErrUnanswered) {
			f.t.Fatal(err)
		}
		feeds, err := lanes.New(f.Tasks).Feeds(f.t.Context())
		if err != nil {
			f.t.Fatal(err)
		}
		if len(feeds) == 0 {
			break
		}
		if i == 3000 {
			f.t.Fatalf("%s: still not done: %+v", what, feeds)
		}
		each(i)
		time.Sleep(20 * time.Millisecond) // more polls would only take the processor from the work
	}
	f.noHeld()
}

// noHeld checks that no row is held.
func (f *farm) noHeld() {
	f.t.Helper()
	var n int
	f.fine(f.DB.Read.Raw("SELECT (SELECT count(*) FROM rollcall.held) + (SELECT count(*) FROM rollcall.held_keys)").Scan(&n).Error)
	if n != 0 {
		f.t.Errorf("%d groups and keys are left", n)
	}
}

// TestFeed_OneKeyInFront_OthersPass has many rows of one key in front of 20 others.
func TestFeed_OneKeyInFront_OthersPass(t *testing.T) {
	on(t, func(f *farm) {
		slow := testenv.Size(150, 500)
		f.rowsOfKeys(times(slow, "slow")...)
		f.task(20)
		if n := f.feed(); n != 21 {
			f.t.Errorf("%d keys in Redis, want the slow one and 20 others", n)
		}
		if n := f.inRedis("slow"); n < 1 || n > 8 {
			f.t.Errorf("%d rows of the slow key are in Redis, want a few", n)
		}
		feeds, err := lanes.New(f.Tasks).Feeds(f.t.Context())
		if err != nil || feeds[0].Unfed != 0 || feeds[0].HeldRows+feeds[0].InRedis != int64(slow) || feeds[1].InRedis != 20 {
			f.t.Errorf("feeds = %+v, %v", feeds, err)
		}
		f.runsInOrder(slow+20, "the slow key", func(int) {})
	})
}

// TestFeed_ManySlowKeys_LeaveRoomForOthers has keys that would fill the window if their waiting
// rows counted.
func TestFeed_ManySlowKeys_LeaveRoomForOthers(t *testing.T) {
	on(t, func(f *farm) {
		var keys []string
		for range 10 {
			for i := range 20 {
				keys = append(keys, fmt.Sprint("slow", i))
			}
		}
		f.rowsOfKeys(keys...)
		f.task(30)
		feeder := feed.NewFeeder(f.Tasks, f.Events, f.Queue, f.Kinds, feed.Options{Window: 1000, MinWindow: 64})
		f.fine(feeder.Feed(f.t.Context()))
		if st, err := f.Queue.Stats(f.t.Context(), "k"); err != nil || st.Length != 50 {
			f.t.Errorf("%d keys in Redis, %v, want 20 slow ones and 30 others", st.Length, err)
		}
		if n := f.inRedis("slow7"); n != 2 {
			f.t.Errorf("%d rows of a slow key are in Redis, want 2", n)
		}
	})
}

// TestFeed_KeysAcrossTasks_RunInOrder has few keys in many tasks, and retries.
func TestFeed_KeysAcrossTasks_RunInOrder(t *testing.T) {
	on(t, func(f *farm) {
		few := testenv.Size(3, 8)
		for range few {
			var keys []string
			for range 60 {
				keys = append(keys, fmt.Sprint(rand.IntN(5)))
			}
			f.rowsOfKeys(keys...)
		}
		var r ran
		defer f.work(&r, 9)()
		f.drain("tasks", func(int) {})
		if n := r.ordered(f.t); n != 60*few {
			f.t.Errorf("%d rows ran, want %d", n, 60*few)
		}
	})
}

// TestFeed_RedisWipedWhileRowsAreHeld_RunInOrder empties Redis while rows are held.
func TestFeed_RedisWipedWhileRowsAreHeld_RunInOrder(t *testing.T) {
	on(t, func(f *farm) {
		many, some := testenv.Size(150, 300), testenv.Size(30, 100)
		f.rowsOfKeys(times(many, "a")...)
		f.rowsOfKeys(append(times(some, "a"), times(some, "b")...)...)
		f.feed()
		f.finish(1, 1, 2)
		f.fine(f.Redis.FlushAll(f.t.Context()).Err())
		f.now = f.now.Add(time.Minute)
		f.feed()
		f.runsInOrder(many+2*some-2, "after the wipe", func(int) { f.now = f.now.Add(time.Second) })
	})
}

// TestCancel_OfHeldRows_OthersOfTheirKeyFollow cancels the first of two tasks of a key.
func TestCancel_OfHeldRows_OthersOfTheirKeyFollow(t *testing.T) {
	on(t, func(f *farm) {
		first := f.rowsOfKeys(times(200, "a")...)
		f.rowsOfKeys(times(50, "a")...)
		f.feed()
		f.cancel(first)
		c := f.canceler()
		var r ran
		defer f.work(&r, 0)()
		f.drain("the second task", func(int) { f.now = f.now.Add(time.Second); f.cancels(c) })
		r.ordered(f.t)
		f.is(first, tasks.Canceled, 200-int64(countOf(&r, first.Num)))
	})
}

func countOf(r *ran, num int64) (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, ids := range r.ids {
		for _, id := range slices.Compact(slices.Clone(ids)) {
			if id.Num() == num {
				n++
			}
		}
	}
	return n
}

// TestPause_OfHeldRows_LaterTasksPassThem pauses the first task, and resumes it at the end.
func TestPause_OfHeldRows_LaterTasksPassThem(t *testing.T) {
	on(t, func(f *farm) {
		first, second := f.rowsOfKeys(times(200, "a")...), f.rowsOfKeys(times(50, "a")...)
		f.feed()
		f.fine(f.Tasks.Pause(f.t.Context(), "acme", first.ID))
		var r ran
		defer f.work(&r, 0)()
		feeder := f.feeder()
		for i := 0; countOf(&r, second.Num) < 50; i++ {
			if i == 3000 {
				f.t.Fatal("the later task does not run")
			}
			f.fine(feeder.Feed(f.t.Context()))
			time.Sleep(20 * time.Millisecond)
		}
		f.fine(f.Tasks.ResumeAnyway(f.t.Context(), "acme", first.ID))
		f.drain("the first task", func(int) {})
	})
}

// TestFeed_ClaimsOfHeldRowsRunOut_RunAllInOrder has feeders claim a lane and die.
func TestFeed_ClaimsOfHeldRowsRunOut_RunAllInOrder(t *testing.T) {
	on(t, func(f *farm) {
		f.rowsOfKeys(append(times(150, "a"), times(150, "b")...)...)
		f.feed()
		var r ran
		defer f.work(&r, 0)()
		f.drain("with lost claims", func(i int) {
			if i%5 != 0 {
				return
			}
			list, err := lanes.New(f.Tasks).Lanes(f.t.Context())
			if err != nil || len(list) == 0 {
				return
			}
			// A feeder takes the lane and dies.
			_, err = lanes.New(f.Tasks).ClaimLane(f.t.Context(), f.mark(), list[0].ID, time.Second, func(lanes.Heads) lanes.Pick {
				return lanes.Pick{Held: true, Room: 50}
			})
			f.fine(err)
			f.now = f.now.Add(time.Minute)
		})
		if n := r.ordered(f.t); n != 300 {
			f.t.Errorf("%d rows ran, want 300", n)
		}
	})
}
