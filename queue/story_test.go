package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// seen holds the texts that the handlers have added, in order.
type seen struct {
	mu     sync.Mutex
	queues []string
}

func (s *seen) add(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queues = append(s.queues, fmt.Sprintf(format, args...))
}

func (s *seen) get() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.queues...)
}

func (s *seen) len() int { return len(s.get()) }

// note records each key of a batch as "key:payloads retry".
func (s *seen) note(b *Batch) {
	for key, list := range b.Keys() {
		s.add("%s:%s %d", key, names(list), list[0].RetryCount)
	}
}

func TestPayloadsOfAKeyComeByScoreAndOnce(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		w.push(Job{Key: "k", Payload: []byte("c"), Score: 3},
			Job{Key: "k", Payload: []byte("b"), Score: 2},
			Job{Key: "k", Payload: []byte("a"), Score: 2}, Job{Key: "k", Payload: []byte("b"), Score: 9})
		w.push(Job{Key: "k", Payload: []byte("c"), Score: 1.5})
		var got seen
		w.serve(w.quick(), Worker{Queue: "q", Handle: func(_ context.Context, b *Batch) error {
			got.note(b)
			return nil
		}})
		until(t, "all done", func() bool { return w.stats().Processed == 3 })
		if d := cmp.Diff([]string{"k:cab -1"}, got.get()); d != "" {
			t.Error(d)
		}
	})
}

func TestAnEqualPayloadKeepsTheSmallerScore(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		var scores []float64
		done := make(chan struct{})
		w.push(Job{Key: "k", Payload: []byte("p"), Score: 5})
		w.push(Job{Key: "k", Payload: []byte("p"), Score: 3})
		w.push(Job{Key: "k", Payload: []byte("p"), Score: 0.1 + 0.2e10},
			Job{Key: "k", Payload: nil, Score: -1e-7})
		w.serve(w.quick(), Worker{Queue: "q", Handle: func(_ context.Context, b *Batch) error {
			for _, d := range b.Deliveries {
				scores = append(scores, d.Score)
			}
			close(done)
			return nil
		}})
		<-done
		if d := cmp.Diff([]float64{-1e-7, 3}, scores); d != "" {
			t.Error(d)
		}
	})
}

func TestAKeyWaitsForItsOwnRetry(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		const delay = 150 * time.Millisecond
		var got seen
		var failed, retried time.Time
		w.serve(w.quick(), Worker{
			Queue: "q", RetryIn: func(int) time.Duration { return delay },
			Handle: func(_ context.Context, b *Batch) error {
				if b.Deliveries[0].Key == "other" {
					return nil
				}
				got.note(b)
				if b.Deliveries[0].RetryCount < 0 {
					w.push(Job{Key: "k", Payload: []byte("b"), Score: 2}, Job{Key: "other"})
					failed = time.Now()
					return errors.New("once")
				}
				retried = time.Now()
				return nil
			},
		})
		w.push(Job{Key: "k", Payload: []byte("a"), Score: 1})
		until(t, "all done", func() bool { return w.stats().Processed == 3 })
		if d := cmp.Diff([]string{"k:a -1", "k:ab 0"}, got.get()); d != "" {
			t.Error(d)
		}
		if pause := retried.Sub(failed); pause < delay-time.Millisecond { // times of jobs are in milliseconds
			t.Errorf("the key ran again after %v, want %v", pause, delay)
		}
		st := w.stats()
		st.Lag = 0
		if d := cmp.Diff(Stats{Processed: 3, Failed: 1}, st); d != "" {
			t.Error(d)
		}
		wantNoMeta(t, w)
	})
}

// wantNoMeta checks that an empty queue leaves only counters.
func wantNoMeta(t *testing.T, w *world) {
	t.Helper()
	wantNoMetaBut(t, w)
}

func wantNoMetaBut(t *testing.T, w *world, more ...string) {
	t.Helper()
	keys, err := w.everyKey(":{*"), error(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range keys {
		_, name, _ := strings.Cut(key, "}:")
		if !slices.Contains(append(more, "lease", "fence", "seq", "stats", "gate"), name) {
			t.Errorf("an empty queue keeps %s", key)
		}
	}
}

func TestAnEqualPayloadPushedDuringItsRunRunsAgain(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		var got seen
		opt := w.rare() // the settlement itself must make the new payload run
		w.serve(opt, Worker{Queue: "q", Handle: func(_ context.Context, b *Batch) error {
			got.note(b)
			if got.len() == 1 {
				w.push(Job{Key: "k", Payload: []byte("a")})
				if st := w.stats(); st.Length != 1 || st.Busy != 1 {
					t.Errorf("stats during the run = %+v, want one key waiting, one busy", st)
				}
			}
			return nil
		}})
		w.push(Job{Key: "k", Payload: []byte("a")})
		until(t, "both done", func() bool { return w.stats().Processed == 2 })
		if d := cmp.Diff([]string{"k:a -1", "k:a -1"}, got.get()); d != "" {
			t.Error(d)
		}
		wantNoMeta(t, w)
	})
}

func TestANewcomerBehindADeadPayloadRuns(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		var got seen
		opt := w.rare() // the settlement itself must make the new payload run
		w.serve(opt, Worker{Queue: "q", Handle: func(_ context.Context, b *Batch) error {
			got.note(b)
			if got.len() == 1 {
				b.Deliveries[0].Resolve(Outcome{Kind: Dead, Err: "by hand"})
				w.push(Job{Key: "k", Payload: []byte("a")})
				if st := w.stats(); st.Length != 1 || st.Busy != 1 {
					t.Errorf("stats during the run = %+v, want one key waiting, one busy", st)
				}
			}
			return nil
		}})
		w.push(Job{Key: "k", Payload: []byte("a")})
		until(t, "dead and done", func() bool {
			st := w.stats()
			return st.Processed == 1 && st.MorgueLength == 1
		})
		if d := cmp.Diff([]string{"k:a -1", "k:a -1"}, got.get()); d != "" {
			t.Error(d)
		}
	})
}

func TestExhaustedPayloadsGoToTheMorgueOneByOne(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		var got, dead seen
		w.serve(w.quick(), Worker{
			Queue: "q", MaxRetries: 1, RetryIn: func(int) time.Duration { return time.Millisecond },
			Handle: func(_ context.Context, b *Batch) error {
				got.note(b)
				panic("always")
			},
			Exhausted: func(_ context.Context, list []DeadJob) {
				for _, d := range list {
					dead.add("%s:%s %s", d.Key, d.Payload, d.Err)
				}
			},
		})
		w.push(Job{Key: "k", Payload: []byte("a"), Score: 1},
			Job{Key: "k", Payload: []byte("b"), Score: 2})
		until(t, "both told dead", func() bool { return dead.len() == 2 })
		if d := cmp.Diff([]string{"k:ab -1", "k:ab 0", "k:b -1", "k:b 0"}, got.get()); d != "" {
			t.Error(d)
		}
		if d := cmp.Diff([]string{"k:a panic: always", "k:b panic: always"}, dead.get()); d != "" {
			t.Error(d)
		}
		if st := w.stats(); st.MorgueLength != 1 || st.Failed != 4 || st.Length+st.Busy != 0 {
			t.Errorf("stats = %+v, want one dead key, four failures, nothing left", st)
		}
	})
}

func TestOneBadKeyCostsTheOthersOfTheBatchNothing(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		w.push(Job{Key: "a"}, Job{Key: "b"}, Job{Key: "c"})
		w.serve(w.quick(), Worker{
			Queue: "q", BatchSize: 10,
			Handle: func(_ context.Context, b *Batch) error {
				for key, list := range b.Keys() {
					if key == "b" {
						list[0].Resolve(Outcome{Kind: Retry, At: time.Now().Add(time.Hour)})
					}
				}
				return nil
			},
		})
		until(t, "two done, one waiting", func() bool {
			st := w.stats()
			return st.Processed == 2 && st.Retries == 1 && st.Length == 1
		})
	})
}

func TestASlowKeyDelaysNoOtherOfItsShard(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		opt := w.quick()
		opt.Concurrency = 100
		var wg sync.WaitGroup
		wg.Add(100)
		all := make(chan struct{})
		go func() { wg.Wait(); close(all) }()
		var jobs []Job
		for i := range 100 {
			jobs = append(jobs, Job{Queue: "one", Key: fmt.Sprint(i)})
		}
		if err := w.client(Spec{"one", 1}).Push(t.Context(), jobs...); err != nil {
			t.Fatal(err)
		}
		w.serve(opt, Worker{Queue: "one", Shards: 1, Handle: func(context.Context, *Batch) error {
			wg.Done()
			select {
			case <-all:
				return nil
			case <-time.After(time.Minute):
				return errors.New("not all ran side by side")
			}
		}})
		until(t, "a hundred keys at once", func() bool {
			st, err := w.client(Spec{"one", 1}).Stats(t.Context(), "one")
			return err == nil && st.Processed == 100
		})
	})
}

func TestMarkAndBell(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		c := w.client()
		if mark, err := c.Generation(t.Context()); mark != "" || err != nil {
			t.Errorf("Mark = %q, %v, want none", mark, err)
		}
		if err := c.SetGeneration(t.Context(), "m1"); err != nil {
			t.Fatal(err)
		}
		if mark, err := c.Generation(t.Context()); mark != "m1" || err != nil {
			t.Errorf("Mark = %q, %v, want m1", mark, err)
		}
		bells, stop := c.Subscribe("feed", "done")
		for range 2 { // a new connection notifies all topics
			<-bells
		}
		for range 5 {
			if err := c.Notify(t.Context(), "feed"); err != nil {
				t.Fatal(err)
			}
		}
		if topic := <-bells; topic != "feed" {
			t.Errorf("heard %q, want feed", topic)
		}
		stop()
		stop()
		for range bells {
			continue
		}
	})
}

func TestPushRefusesTheBadJobsOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.client()
	ok := Job{Queue: "q", Key: "k"}
	if err := c.Push(t.Context(), ok, Job{Queue: "q"}); !errors.Is(err, ErrInvalidJob) {
		t.Errorf("Push without key = %v, want ErrInvalidJob", err)
	}
	err := c.Push(t.Context(), ok, Job{Queue: "z", Key: "k"})
	if !errors.Is(err, ErrUnknownQueue) {
		t.Errorf("Push to z = %v, want ErrUnknownQueue", err)
	}
	var bad *PushError
	if !errors.As(err, &bad) || len(bad.Items) != 1 || bad.Items[0].Index != 1 {
		t.Errorf("Push to z = %#v, want a PushError that names job 1", err)
	}
	if st := w.stats(); st.Length != 1 {
		t.Errorf("length = %d, want the good job pushed", st.Length)
	}
}

func TestLargePushesAndManyPayloadsOfAKey(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		var jobs []Job
		for i := range 600 {
			jobs = append(jobs, Job{Key: "hot", Payload: fmt.Append(nil, i), Score: float64(i)},
				Job{Key: fmt.Sprint(i % 450), Payload: fmt.Append(nil, i)})
		}
		w.push(jobs...)
		var mu sync.Mutex
		var hot []string
		opt := w.quick()
		opt.Lease = 10 * time.Second
		w.serve(opt, Worker{Queue: "q", BatchSize: 7, Handle: func(_ context.Context, b *Batch) error {
			mu.Lock()
			defer mu.Unlock()
			for _, d := range b.Deliveries {
				if d.Key == "hot" {
					hot = append(hot, string(d.Payload))
				}
			}
			return nil
		}})
		until(t, "all done", func() bool { return w.stats().Processed == 1200 })
		mu.Lock()
		defer mu.Unlock()
		for i, p := range hot {
			if p != fmt.Sprint(i) {
				t.Fatalf("payload %d of the hot key is %s", i, p)
			}
		}
		wantNoMeta(t, w)
	})
}
