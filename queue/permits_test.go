package queue

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// permits returns two processes that grant permits on one Redis.
func permits(w *world, lease time.Duration) (a, b *Permits) {
	return NewPermits(w.client(), lease), NewPermits(w.client(), lease)
}

// take takes a permit, or returns nil and the pause.
func take(t *testing.T, p *Permits, key string, limits ...Limit) (*Permit, time.Duration) {
	t.Helper()
	permit, until, err := p.Take(t.Context(), "q", key, limits...)
	if err != nil {
		t.Fatal(err)
	}
	if (permit == nil) == until.IsZero() {
		t.Fatalf("permit %v, again at %v", permit, until)
	}
	return permit, time.Until(until)
}

// woken waits like until, for keys that crowd lets wait 54 s. They must run before.
func woken(t *testing.T, what string, ok func() bool) {
	t.Helper()
	begin := time.Now()
	until(t, what, ok)
	if took := time.Since(begin); took > 40*time.Second {
		t.Errorf("%s only after %v", what, took)
	}
}

// crowdSize is the number of keys that crowd refuses.
const crowdSize = 6000

// crowd refuses so many keys that the next refused key waits 54 s. These keys are chosen last.
func crowd(w *world, p *Permits, l Limit) {
	w.t.Helper()
	list := make([]redis.Z, crowdSize)
	for i := range list {
		list[i] = redis.Z{Score: float64(time.Now().Add(69 * time.Second).UnixMilli()), Member: "absent " + strconv.Itoa(i)}
	}
	if err := w.rdb.ZAdd(w.t.Context(), p.client.keys.limit("q", l).refused, list...).Err(); err != nil {
		w.t.Fatal(err)
	}
}

func TestPermits_AtOnce_CountAllProcesses(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		a, b := permits(w, time.Minute)
		two := Limit{Scope: "acme", AtOnce: 2}
		first, _ := take(t, a, "1", two)
		second, _ := take(t, b, "2", two)
		if first == nil || second == nil {
			t.Fatal("two of two are refused")
		}
		if third, pause := take(t, a, "3", two); third != nil || pause < 100*time.Millisecond || pause > time.Minute {
			t.Errorf("a third of two: %v, again after %v", third, pause)
		}
		if other, _ := take(t, a, "3", Limit{Scope: "globex", AtOnce: 2}); other == nil {
			t.Error("another scope is refused")
		}
		first.Give(t.Context())
		first.Give(t.Context()) // gives nothing else back
		if third, _ := take(t, b, "3", two); third == nil {
			t.Error("refused after one was given back")
		}
		if fourth, _ := take(t, b, "4", two); fourth != nil {
			t.Error("a permit that was given back twice counts twice")
		}
	})
}

func TestPermits_Rate_CountsStartsOfASpan(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		a, b := permits(w, time.Minute)
		hourly := Limit{Rate: 3, Per: time.Hour}
		for i, p := range []*Permits{a, b, a} {
			permit, _ := take(t, p, strconv.Itoa(i), hourly)
			if permit == nil {
				t.Fatalf("start %d of 3 is refused", i)
			}
			permit.Give(t.Context()) // the start counts on
		}
		if fourth, pause := take(t, b, "4", hourly); fourth != nil || pause > time.Minute {
			t.Errorf("a fourth start of 3: %v, again after %v", fourth, pause)
		}
		brief := Limit{Rate: 1, Per: 50 * time.Millisecond}
		take(t, a, "5", brief)
		until(t, "a span later another may start", func() bool {
			permit, _ := take(t, b, "6", brief)
			return permit != nil
		})
	})
}

func TestPermits_SecondLimitRefuses_FirstIsFreeAgain(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		a, _ := permits(w, time.Minute)
		full := Limit{Scope: "full", AtOnce: 1}
		take(t, a, "1", full)
		both := []Limit{{Scope: "x", AtOnce: 1, Rate: 1, Per: time.Hour}, full}
		if permit, _ := take(t, a, "2", both...); permit != nil {
			t.Fatal("a full limit granted a permit")
		}
		if permit, _ := take(t, a, "3", both[0]); permit == nil {
			t.Error("a permit that was not used counts")
		}
	})
}

func TestPermits_ProcessDies_EndWithTheirLease(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		dead, alive := permits(w, 5*time.Second)
		one := Limit{AtOnce: 1}
		if permit, _ := take(t, dead, "1", one); permit == nil {
			t.Fatal("one of one is refused")
		}
		if permit, _ := take(t, alive, "2", one); permit != nil {
			t.Fatal("a second of one is granted")
		}
		until(t, "the permit has ended", func() bool {
			permit, _ := take(t, alive, "2", one)
			return permit != nil
		})
	})
}

func TestPermits_ProcessLives_StayBeyondTheirLease(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		a, b := permits(w, 9*time.Second)
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { a.Run(ctx) })
		defer running.Wait()
		defer cancel()
		one := Limit{AtOnce: 1}
		permit, _ := take(t, a, "1", one)
		for end := time.Now().Add(11 * time.Second); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
			if second, _ := take(t, b, "2", one); second != nil {
				t.Fatal("a second of one is granted")
			}
		}
		w.rdb.Del(t.Context(), a.client.keys.limit("q", one).permits)
		until(t, "a permit that Redis has lost is restored", func() bool {
			return w.rdb.ZCard(t.Context(), a.client.keys.limit("q", one).permits).Val() == 1
		})
		permit.Give(t.Context())
		if second, _ := take(t, b, "2", one); second == nil {
			t.Error("refused after the permit was given back")
		}
	})
}

// TestPermits_GivenBack_MakeRefusedKeysDue refuses keys that a server has put back for 54 s.
func TestPermits_GivenBack_MakeRefusedKeysDue(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		p, _ := permits(w, time.Minute)
		one := Limit{AtOnce: 1}
		var ran seen
		w.serve(w.rare(), Worker{Queue: "q", Handle: func(ctx context.Context, b *Batch) error {
			d := b.Deliveries[0]
			permit, until, err := p.Take(ctx, "q", d.Key, one)
			if err != nil {
				return err
			}
			if permit == nil {
				d.Resolve(Outcome{Kind: Return, At: until, Unstarted: true})
				return nil
			}
			ran.add("%s", d.Key)
			permit.Give(ctx)
			return nil
		}})
		permit, _ := take(t, p, "blocker", one)
		crowd(w, p, one)
		var list []Job
		for i := range 20 {
			list = append(list, Job{Key: "k" + strconv.Itoa(i)})
		}
		w.push(list...)
		until(t, "all keys are put back", func() bool {
			st := w.stats()
			return st.Length == 20 && st.Busy == 0 &&
				w.rdb.ZCard(t.Context(), p.client.keys.limit("q", one).refused).Val() == crowdSize+20
		})
		permit.Give(t.Context())
		woken(t, "all have run, one after another", func() bool { return ran.len() == 20 })
	})
}

// TestPermits_GivenBackDuringExtend_IsFree gives a permit back between the two halves of an extension.
func TestPermits_GivenBackDuringExtend_IsFree(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		p, _ := permits(w, time.Minute)
		one := Limit{AtOnce: 1}
		permit, _ := take(t, p, "1", one)
		list := p.listHeld()
		permit.Give(t.Context())
		p.extendAll(t.Context(), list)
		if second, _ := take(t, p, "2", one); second == nil {
			t.Error("a permit that was given back is held again")
		}
	})
}

func TestPermits_GivenBackUnused_LeavesTheSpan(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		p, _ := permits(w, time.Minute)
		hourly := Limit{Rate: 1, Per: time.Hour}
		permit, _ := take(t, p, "1", hourly)
		permit.GiveUnused(t.Context())
		if second, _ := take(t, p, "2", hourly); second == nil {
			t.Error("a permit whose job did not start counts as a start")
		}
	})
}

// TestPerformNow_KeyWaitsForAnotherTime_StaysAsItIs names a time that is not the one for which the
// key waits.
func TestPerformNow_KeyWaitsForAnotherTime_StaysAsItIs(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		later := time.Now().Add(time.Hour)
		w.push(Job{Key: "k", RunAt: later})
		for _, off := range []int64{-1, 1, 0} {
			runAt := map[string]int64{"k": later.UnixMilli() + off}
			n, err := w.client().Admin().performNow(t.Context(), "q", []string{"k"}, runAt)
			if want := map[int64]int{0: 1}[off]; n != want || err != nil {
				t.Errorf("%d keys are due, %v, want %d: the time is %d ms off", n, err, want, off)
			}
		}
	})
}

// TestPermits_ChosenKeyRan_KeepsItsPause has a key chosen together with one that is not in Redis.
// The first runs at once and waits for an hour, which a later attempt for the second must not
// shorten.
func TestPermits_ChosenKeyRan_KeepsItsPause(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		p, _ := permits(w, time.Minute)
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { p.Run(ctx) })
		defer running.Wait()
		defer cancel()
		two := Limit{AtOnce: 2}
		first, _ := take(t, p, "first", two)
		second, _ := take(t, p, "second", two)
		var ran seen
		w.serve(w.rare(), Worker{Queue: "q", Handle: func(ctx context.Context, b *Batch) error {
			d := b.Deliveries[0]
			permit, until, err := p.Take(ctx, "q", d.Key, two)
			if permit != nil {
				ran.add("%s", d.Key)
				permit.Give(ctx)
				until = time.Now().Add(time.Hour)
			}
			d.Resolve(Outcome{Kind: Return, At: until, Unstarted: permit == nil})
			return err
		}})
		w.push(Job{Key: "k"})
		refused := p.client.keys.limit("q", two).refused
		until(t, "the key is put back", func() bool {
			st := w.stats()
			return st.Length == 1 && st.Busy == 0 && w.rdb.ZCard(t.Context(), refused).Val() == 1
		})
		take(t, p, "absent", two)
		w.rdb.ZRem(t.Context(), p.client.keys.limit("q", two).permits, second.name)
		first.Give(t.Context())
		until(t, "the key has run", func() bool { return ran.len() > 0 })
		until(t, "no key is late", func() bool {
			p.mu.Lock()
			defer p.mu.Unlock()
			return len(p.late) == 0
		})
		until(t, "nothing is in flight", func() bool { return w.stats().Busy == 0 })
		if n := ran.len(); n != 1 {
			t.Errorf("the key ran %d times within its pause", n)
		}
	})
}
