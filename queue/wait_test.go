package queue

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestHoldKeepsTheKeyInFlight(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		opt := w.quick()
		opt.Concurrency = 1
		held := make(chan func(), 1)
		var got seen
		w.serve(opt, Worker{Queue: "q", Handle: func(_ context.Context, b *Batch) error {
			got.note(b)
			if b.Deliveries[0].Key == "k" && got.len() == 1 {
				held <- b.Hold()
			}
			return nil
		}})
		w.push(Job{Key: "k", Payload: []byte("a")})
		release := <-held
		w.push(Job{Key: "k", Payload: []byte("b")}, Job{Key: "other"})
		until(t, "the goroutine served another key", func() bool { return w.stats().Processed == 1 })
		if st := w.stats(); st.Busy != 1 || got.len() != 2 {
			t.Errorf("busy %d, seen %v, want the held key in flight and not run again", st.Busy, got.get())
		}
		release()
		release()
		until(t, "the rest", func() bool { return w.stats().Processed == 3 })
	})
}

func TestDelayedJobsRunWhenDue(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		opt := w.rare()
		ran := make(chan time.Time, 1)
		w.serve(opt, Worker{Queue: "q", Handle: func(context.Context, *Batch) error {
			ran <- time.Now()
			return nil
		}})
		due := time.Now().Add(400 * time.Millisecond)
		w.push(Job{Key: "far", RunAt: due.Add(time.Hour)}, Job{Key: "k", RunAt: due})
		late := (<-ran).Sub(due)
		if late < -time.Millisecond || late > 2*time.Minute {
			t.Errorf("ran %v after it was due", late)
		}
	})
}

func TestAPushWakesAnIdleNode(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		opt := w.rare()
		ran := make(chan struct{}, 1)
		s := w.serve(opt, Worker{Queue: "q", Handle: func(context.Context, *Batch) error {
			ran <- struct{}{}
			return nil
		}})
		until(t, "listening, all shards looked at", func() bool {
			return s.subscribed.Load() && len(s.owned()) == 5
		})
		for i := range 20 {
			w.push(Job{Key: fmt.Sprint(i)})
			select {
			case <-ran:
			case <-time.After(2 * time.Minute): // the next poll comes after five
				t.Fatalf("push %d woke nobody", i)
			}
		}
	})
}

func TestStopReturnsWhatHasNotStarted(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		opt := w.quick()
		opt.Concurrency = 2
		opt.StopTimeout = 100 * time.Millisecond
		started := make(chan struct{}, 10)
		s := w.serve(opt, Worker{Queue: "q", Handle: func(ctx context.Context, _ *Batch) error {
			started <- struct{}{}
			<-ctx.Done()
			if !errors.Is(context.Cause(ctx), ErrInterrupted) {
				t.Errorf("cause = %v, want ErrInterrupted", context.Cause(ctx))
			}
			return ctx.Err()
		}})
		due := time.UnixMilli(1e12)
		for i := range 10 {
			w.push(Job{Key: fmt.Sprint(i), RunAt: due})
		}
		<-started
		<-started
		until(t, "two more lie ready", func() bool { return w.stats().Busy == 4 })
		s.Stop()
		s.Stop()
		if st := w.stats(); st.Length != 10 || st.Busy != 0 || st.Retries != 0 || st.Failed != 0 {
			t.Errorf("stats after stop = %+v, want ten fresh keys", st)
		}
		leases, err := w.everyKey(":*:lease"), error(nil)
		if err != nil || len(leases) != 0 {
			t.Errorf("leases after stop = %v, %v", leases, err)
		}
		returned := 0
		for i := range 5 {
			heads := w.rdb.ZRangeWithScores(t.Context(), s.keys.shard("q", i).due, 0, -1).Val()
			for _, z := range heads {
				if returned++; z.Score != 1e12 {
					t.Errorf("%v is due at %v, want the old run-at", z.Member, z.Score)
				}
			}
		}
		if returned == 0 {
			t.Error("no key was put back")
		}
		var redelivered seen
		w.serve(w.quick(), Worker{Queue: "q", Handle: func(_ context.Context, b *Batch) error {
			redelivered.add("%d", b.Deliveries[0].Redelivered)
			return nil
		}})
		until(t, "all run", func() bool { return redelivered.len() == 10 })
		if strings.Join(redelivered.get(), "") != "0000000000" {
			t.Errorf("redelivered = %v, want none", redelivered.get())
		}
	})
}
