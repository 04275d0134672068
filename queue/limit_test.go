package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// limited returns jobs named "key/payload" with a limit, in the order of their scores.
func limited(limit int, names ...string) []Job {
	list := jobs(names...)
	for i := range list {
		list[i].Limit = limit
	}
	return list
}

// refusedBy pushes jobs and returns the indexes of those that full keys refused.
func (st *stage) refusedBy(list ...Job) (full []int) {
	st.t.Helper()
	err := st.c.Push(st.t.Context(), list...)
	var refused *PushError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &refused):
		st.t.Fatal(err)
	}
	for _, item := range refused.Items {
		if !errors.Is(item.Err, ErrKeyFull) {
			st.t.Fatal(err)
		}
		full = append(full, item.Index)
	}
	return full
}

// wantFull checks which jobs of a push full keys refuse.
func (st *stage) wantFull(list []Job, want ...int) {
	st.t.Helper()
	if got := st.refusedBy(list...); !slices.Equal(got, want) {
		st.t.Errorf("refused: jobs %v, want %v", got, want)
	}
}

// wantWanted checks which keys are wanted.
func (st *stage) wantWanted(want ...string) {
	st.t.Helper()
	got, err := st.c.Wanted(st.t.Context(), "one", 100)
	if slices.Sort(got); err != nil || !slices.Equal(got, want) {
		st.t.Errorf("wanted: %q, %v, want %q", got, err, want)
	}
}

func (st *stage) fed(key string, limit int) {
	st.t.Helper()
	if err := st.c.ReportRefills(st.t.Context(), "one", Refill{Key: key, Limit: limit}); err != nil {
		st.t.Fatal(err)
	}
}

// one takes one payload of one key into flight.
func (st *stage) one() *inflightKey {
	st.t.Helper()
	r := st.run(&roundTrip{own: st.own, want: 1, bytes: 1})
	if r.err != nil || len(r.units) != 1 || len(r.units[0].list) != 1 {
		st.t.Fatalf("fetched %+v", r)
	}
	return r.units[0]
}

// done takes one payload of one key and ends it.
func (st *stage) done() {
	st.t.Helper()
	st.hand.settle(st.one(), Outcome{Kind: Done})
}

// bare returns an empty stage.
func bare(t *testing.T, w *world) *stage {
	st := &stage{hand: byHand(t, w), c: w.client(Spec{"one", 1})}
	st.a = st.c.Admin()
	return st
}

func TestPush_KeyAtItsLimit_RefusesTheRestOfIt(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		st := bare(t, w)
		st.wantFull(limited(2, "a/1", "b/1", "a/2", "a/3", "b/2", "a/4", "c/1", "b/3"), 3, 5, 7)
		st.wantFull(limited(2, "a/1", "a/2"))              // they wait already
		st.wantFull(limited(2, "a/1", "a/3", "a/2"), 1, 2) // no job after a refused one is accepted
		st.wantFull(limited(3, "a/3", "a/4"), 1)
		st.wantFull(limited(1, "c/2"), 0)
		st.wantFull(limited(0, "c/2", "c/3"))
		st.wantFull(append(limited(0, "c/4"), limited(5, "c/5", "c/6")...), 2)
		st.wantWanted()
		for key, want := range map[string]string{"a": "123", "b": "12", "c": "12345"} {
			if got := st.waiting(key); got != want {
				t.Errorf("%s has %s, want %s", key, got, want)
			}
		}
	})
}

// waiting joins the waiting payloads of a key.
func (st *stage) waiting(key string) string {
	var list []string
	for name := range st.w.holding().waiting {
		if payload, ok := strings.CutPrefix(name, key+"/"); ok {
			list = append(list, payload)
		}
	}
	slices.Sort(list)
	return strings.Join(list, "")
}

func TestPush_LimitOfPayloadsInFlightAndBack_CountsThoseThatWait(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		st := bare(t, w)
		st.wantFull(limited(2, "a/1", "a/2", "a/3"), 2)
		u := st.fetch(1)[0] // both
		st.wantWanted("a")
		st.wantFull(limited(2, "a/3", "a/4", "a/5"), 2)
		st.hand.settle(u, Outcome{Kind: Retry, At: time.Now(), Err: "no"})
		st.wantFull(limited(4, "a/5"), 0) // 1 to 4 wait
		st.wantFull(limited(5, "a/5", "a/6"), 1)
	})
}

// TestFetch_LeavesHalfOfTheLimit_KeyIsWanted reduces the waiting payloads of each limit one by one.
func TestFetch_LeavesHalfOfTheLimit_KeyIsWanted(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		st := bare(t, w)
		for limit := 1; limit <= 5; limit++ {
			key := fmt.Sprint("k", limit)
			var names []string
			for i := range limit + 1 {
				names = append(names, fmt.Sprintf("%s/%d", key, i))
			}
			st.wantFull(limited(limit, names...), limit)
			for left := limit - 1; left >= 0; left-- {
				st.done()
				if 2*left > limit {
					st.wantWanted()
				} else {
					st.wantWanted(key)
				}
			}
			st.fed(key, 0)
			st.wantWanted()
		}
		if keys := w.everyKey("*:limits"); len(keys) > 0 {
			t.Errorf("left over: %q", keys)
		}
	})
}

func TestFetch_OfKeysWithoutRefusedJobs_WantsNone(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		st := bare(t, w)
		st.wantFull(limited(2, "a/1", "a/2", "b/1"))
		st.fetch(10)
		st.wantWanted()
		if keys := append(w.everyKey("*:limits"), w.everyKey("*:wanted")...); len(keys) > 0 {
			t.Errorf("stored: %q", keys)
		}
	})
}

// TestReportRefills_OfAnyReport_KeyIsWantedWhileItHasRoom tests the cases of a report.
func TestReportRefills_OfAnyReport_KeyIsWantedWhileItHasRoom(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		st := bare(t, w)
		st.fed("new", 3) // without a payload it has room
		st.wantWanted("new")
		st.wantFull(limited(3, "new/1"))
		st.fed("new", 3)
		st.wantWanted("new")
		st.wantFull(limited(3, "new/1", "new/2"))
		st.fed("new", 3) // 2 of 3 wait
		st.wantWanted()
		st.fed("new", 4)
		st.wantWanted("new")
		st.fed("new", 0)
		st.wantWanted()
		st.fed("new", 1)
		st.fed("new", 0) // a late report leaves the limit
		st.wantWanted()
		st.done()
		st.wantWanted()
		st.done()
		st.wantWanted("new")
	})
}

// TestReportRefills_KeyDrainedBeforeTheReport_StaysWanted makes a key wanted again between Wanted and the
// report.
func TestReportRefills_KeyDrainedBeforeTheReport_StaysWanted(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		st := bare(t, w)
		st.wantFull(limited(2, "a/1", "a/2", "a/3"), 2)
		st.hand.settle(st.fetch(1)[0], Outcome{Kind: Done})
		st.wantWanted("a")
		st.wantFull(limited(2, "a/3", "a/4", "a/5"), 2)
		st.hand.settle(st.fetch(1)[0], Outcome{Kind: Done}) // 3 and 4 are done
		st.fed("a", 0)
		st.wantWanted("a")
		st.fed("a", 0)
		st.wantWanted()
	})
}

func TestDrop_OfFullKeys_KeysAreWanted(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		st := bare(t, w)
		st.wantFull(limited(1, "a/1", "a/2", "b/1", "b/2", "c/1"), 1, 3)
		if _, err := st.a.Delete(t.Context(), "one", "a", "c"); err != nil {
			t.Fatal(err)
		}
		st.wantWanted("a")
		if _, err := st.a.Kill(t.Context(), "one", "b"); err != nil {
			t.Fatal(err)
		}
		st.wantWanted("a", "b")
	})
}

// TestPush_KeyFullInAnEarlierScript_TakesNoneOfLaterScripts makes room between two scripts of one
// push.
func TestPush_KeyFullInAnEarlierScript_TakesNoneOfLaterScripts(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		st := bare(t, w)
		var names []string
		for i := range 2*pushJobs + 100 {
			names = append(names, fmt.Sprintf("k%d/%04d", i%3, i))
		}
		rdb := w.dial(redis.UniversalOptions{})
		rdb.AddHook(between(func() { st.fetch(10) }))
		own := *w
		own.rdb = rdb
		var over *PushError
		if err := own.client(Spec{"one", 1}).Push(t.Context(), limited(4, names...)...); !errors.As(err, &over) {
			t.Fatalf("pushed: %v", err)
		}
		if n := len(over.Items); n != len(names)-12 || over.Items[0].Index != 12 {
			t.Errorf("refused: %d of %d jobs from %d on, want all from 12 on", n, len(names), over.Items[0].Index)
		}
		st.wantWanted("k0", "k1", "k2")
	})
}

// between is a hook that calls a function after each pipeline.
type between func()

func (b between) DialHook(next redis.DialHook) redis.DialHook          { return next }
func (b between) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }

func (b between) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		err := next(ctx, cmds)
		b()
		return err
	}
}

// TestWanted_ThroughResharding_NoKeyIsForgotten has full and wanted keys in the older layout.
func TestWanted_ThroughResharding_NoKeyIsForgotten(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		st, ctx := bare(t, w), t.Context()
		st.wantFull(limited(2, "full/1", "full/2", "full/3", "wanted/1", "wanted/2", "wanted/3"), 2, 5)
		for _, u := range st.fetch(10) {
			st.hand.settle(u, Outcome{Kind: Done})
		}
		st.fed("full", 0)
		st.wantFull(limited(2, "full/4", "full/5", "full/6"), 2)
		st.wantWanted("wanted")
		if err := st.a.Reshard(ctx, "one", 3); err != nil {
			t.Fatal(err)
		}
		st.c = w.client(Spec{"one", 1})
		st.wantFull(limited(2, "full/6", "new/1", "new/2", "new/3"), 0, 3) // new goes to the newer layout
		st.wantWanted("wanted")
		st.done()
		st.wantWanted("full", "wanted")
		st.fed("full", 2)
		st.wantWanted("full", "wanted")
		st.done()
		if _, err := st.a.Delete(ctx, "one", "new"); err != nil {
			t.Fatal(err)
		}
		l, err := st.a.layout(ctx, "one")
		if err != nil {
			t.Fatal(err)
		}
		if done, err := st.c.engine.retire(ctx, "one", l); !done || err != nil {
			t.Fatalf("the older cut is forgotten: %v, %v", done, err)
		}
		st.wantWanted("full", "new", "wanted")
		st.fed("full", 0)
		st.fed("wanted", 0)
		st.wantFull(limited(2, "full/6"))
		st.wantWanted("new")
	})
}

func TestWanted_KeyHasRoom_RingsTheBell(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		st := bare(t, w)
		notify, stop := st.c.Subscribe(WantedTopic("one"))
		defer stop()
		<-notify // the connection
		rung := func(what string) {
			t.Helper()
			select {
			case <-notify:
			case <-time.After(time.Minute):
				t.Errorf("no ring: %s", what)
			}
		}
		st.wantFull(limited(1, "a/1", "a/2", "b/1", "b/2"), 1, 3)
		st.done()
		rung("fetched")
		if _, err := st.a.Delete(t.Context(), "one", "b"); err != nil {
			t.Fatal(err)
		}
		rung("deleted")
		st.fed("c", 1)
		rung("fed")
	})
}

func TestWanted_MoreKeysThanAsked_ReturnsTheLongestWanted(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		clock := time.Now()
		c := NewClient(w.rdb, ClientOptions{
			Prefix: w.prefix, Queues: []Spec{{"one", 70}}, Now: func() time.Time { return clock },
		})
		var want []string
		for i := range 9 {
			clock = clock.Add(time.Second)
			want = append(want, fmt.Sprint("k", i))
			if err := c.ReportRefills(t.Context(), "one", Refill{Key: want[i], Limit: 1}); err != nil {
				t.Fatal(err)
			}
		}
		clock = clock.Add(time.Second)
		if err := c.ReportRefills(t.Context(), "one", Refill{Key: "k0", Limit: 1}); err != nil { // it goes behind all
			t.Fatal(err)
		}
		got, err := c.Wanted(t.Context(), "one", 100)
		if want = append(want[1:], "k0"); err != nil || !slices.Equal(got, want) {
			t.Errorf("wanted: %q, %v, want %q", got, err, want)
		}
		if got, err = c.Wanted(t.Context(), "one", 3); err != nil || len(got) != 3 {
			t.Errorf("wanted: %q, %v, want three", got, err)
		}
		for _, n := range []int{0, -1, -7} {
			if got, err = c.Wanted(t.Context(), "one", n); err != nil || len(got) != 0 {
				t.Errorf("wanted: %q, %v, want none of %d", got, err, n)
			}
		}
	})
}
