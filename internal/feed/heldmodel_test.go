package feed_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// cutOff is a hook that makes commands of Redis fail after a number of commands.
type cutOff struct{ left int }

func (c *cutOff) DialHook(next redis.DialHook) redis.DialHook { return next }

func (c *cutOff) fails() bool { c.left--; return c.left < 0 }

var errCut = errors.New("cut off")

func (c *cutOff) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if c.fails() {
			cmd.SetErr(errCut)
			return errCut
		}
		return next(ctx, cmd)
	}
}

// ProcessPipelineHook sends every second pipeline that must fail, and drops its replies. It does
// not send the other pipelines that must fail.
func (c *cutOff) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		if !c.fails() {
			return next(ctx, cmds)
		}
		if c.left%2 == 0 {
			_ = next(ctx, cmds)
		}
		for _, cmd := range cmds {
			cmd.SetErr(errCut)
		}
		return errCut
	}
}

// dying returns a feeder whose connection to Redis ends after a number of commands.
func (f *farm) dying(after int) *feed.Feeder {
	f.t.Helper()
	opt, err := redis.ParseURL(f.server.URL())
	if err != nil {
		f.t.Fatal(err)
	}
	opt.MaxRetries = -1
	rdb := redis.NewClient(opt)
	f.t.Cleanup(func() { _ = rdb.Close() })
	rdb.AddHook(&cutOff{left: after})
	c := queue.NewClient(rdb, queue.ClientOptions{Prefix: "", Queues: []queue.Spec{{Name: "k", Shards: 1}}})
	return feed.NewFeeder(f.Tasks, f.Events, c, f.Kinds, feed.Options{Window: 100, MinWindow: 64, Chunk: 50})
}

// TestHeld_RandomActs_RunInOrder performs random acts beside feeders that lose Redis at any
// command. It checks that the rows of each key ran in order, and that no row is left.
func TestHeld_RandomActs_RunInOrder(t *testing.T) {
	onBoth(t, func(f *farm) {
		total := 0
		var all []*tasks.Task
		add := func() {
			var keys []string
			for range 20 + rand.IntN(60) {
				keys = append(keys, fmt.Sprint(rand.IntN(4)))
			}
			total += len(keys)
			all = append(all, f.rowsOfKeys(keys...))
		}
		for range 4 {
			add()
		}
		r := ran{strict: true}
		defer f.work(&r, 12)()
		f.drain("random acts", func(i int) {
			if i > testenv.Size(25, 60) {
				return
			}
			switch rand.IntN(4) {
			case 0:
				_ = f.dying(rand.IntN(12)).Feed(f.t.Context()) // an error is expected
				f.now = f.now.Add(time.Minute)
			case 1:
				if len(all) < 8 {
					add()
				}
			case 2:
				f.invariants()
			}
		})
		if n := r.ordered(f.t); n != total {
			f.t.Errorf("%d rows ran, want %d", n, total)
		}
		f.atRest()
	})
}

// invariants checks that each held row is held once, and that the held rows of a key are in order. It
// also checks the counts of the ledger: see broken.
func (f *farm) invariants() {
	f.t.Helper()
	f.broken()
	ctx := f.t.Context()
	list, err := lanes.New(f.Tasks).Lanes(ctx)
	f.fine(err)
	for _, l := range list {
		keys, err := lanes.New(f.Tasks).HeldPage(ctx, l.ID, "", 1000)
		f.fine(err)
		groups, err := lanes.New(f.Tasks).Groups(ctx, l.ID, keys)
		f.fine(err)
		seen, last := map[events.ID]bool{}, map[string]events.ID{}
		for _, group := range groups {
			if !slices.IsSorted(group.Seqs) {
				f.t.Errorf("a group that is not in order: %+v", group)
			}
			for _, seq := range group.Seqs {
				id := events.NewID(group.Num, seq)
				if seen[id] || id < last[group.Key] {
					f.t.Errorf("row %d of task %d is held twice or out of order", seq, group.Num)
				}
				seen[id], last[group.Key] = true, id
			}
		}
	}
}

// broken reports each contradiction in the ledger. The counts of a task are those of its unfed and of its held
// rows. A held row has been fed. A key is listed if and only if it has held rows. No count of rows in Redis is
// negative.
func (f *farm) broken() {
	f.t.Helper()
	for what, from := range map[string]string{
		"tasks count held rows wrongly": "feeds f WHERE f.cancel_from < 0 AND f.held <> " +
			"(SELECT coalesce(sum(h.rows), 0) FROM rollcall.held h WHERE h.first >> 32 = f.task_num)",
		"tasks count unfed rows wrongly": "feeds f WHERE f.cancel_from < 0 AND f.unfed <> (SELECT count(*) FROM rollcall.events e " +
			"WHERE e.id > f.task_num << 32 | f.fed AND e.id < (f.task_num + 1) << 32 AND e.status = 'enqueue')",
		"groups hold rows that are not fed": "held h JOIN rollcall.feeds f ON f.task_num = h.first >> 32 WHERE h.last > f.task_num << 32 | f.fed",
		"groups are of no key":              "held h WHERE NOT EXISTS (SELECT 1 FROM rollcall.held_keys k WHERE k.lane = h.lane AND k.key = h.key)",
		"keys have no group":                "held_keys k WHERE NOT EXISTS (SELECT 1 FROM rollcall.held h WHERE k.lane = h.lane AND k.key = h.key)",
		"tasks have less than no row in Redis": "feeds f JOIN rollcall.tasks t ON t.num = f.task_num " +
			"WHERE t.enqueue + t.working < f.unfed + f.back + f.held",
	} {
		var n int
		f.fine(f.DB.Read.Raw("SELECT count(*) FROM rollcall." + from).Scan(&n).Error)
		if n != 0 {
			f.t.Errorf("%d %s", n, what)
		}
	}
}

// atRest checks that no row occupies a place in Redis or in the windows of the lanes.
func (f *farm) atRest() {
	f.t.Helper()
	f.broken()
	f.noHeld()
	list, err := lanes.New(f.Tasks).Lanes(f.t.Context())
	f.fine(err)
	for _, l := range list {
		if l.InRedis != 0 || l.Waiting != 0 || l.Retrying != 0 || l.HeldKeys != 0 {
			f.t.Errorf("all rows have ended, and the lane is %+v", l)
		}
	}
	if !testenv.Await(10*time.Second, func() bool { // the last jobs are acked after their rows have ended
		st, err := f.Queue.Stats(f.t.Context(), "k")
		f.fine(err)
		return st.Length == 0 && st.Busy == 0
	}) {
		f.t.Error("all rows have ended, and jobs are left in Redis")
	}
}
