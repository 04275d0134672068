package queue

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestStopLetsARunningHandlerFinish(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		started, stopping := make(chan struct{}), make(chan struct{})
		s := w.serve(w.quick(), Worker{Queue: "q", Handle: func(ctx context.Context, _ *Batch) error {
			close(started)
			<-stopping
			return ctx.Err()
		}})
		w.push(Job{Key: "k"})
		<-started
		go func() {
			for stopped := false; !stopped; time.Sleep(time.Millisecond) {
				s.mu.Lock()
				stopped = s.stopping
				s.mu.Unlock()
			}
			close(stopping)
		}()
		s.Stop()
		if st := w.stats(); st.Processed != 1 || st.Busy+st.Length != 0 {
			t.Errorf("stats after stop = %+v, want the job done", st)
		}
	})
}

func TestCancellingTheContextStops(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := NewServer(w.rdb, w.quick(), Worker{Queue: "q", Handle: blank})
	ctx, cancel := context.WithCancel(t.Context())
	if err := s.Start(ctx); err != nil {
		t.Fatal(err)
	}
	until(t, "shards owned", func() bool { return len(s.owned()) == 5 })
	cancel()
	s.Stop()
	leases, err := w.everyKey(":*:lease"), error(nil)
	if err != nil || len(leases) != 0 {
		t.Errorf("leases after cancel = %v, %v", leases, err)
	}
	if err := s.Start(t.Context()); err == nil {
		t.Error("a stopped server started again")
	}
}

func TestStart_OfAServerStartedOrStoppedBefore_CallsNoOnStart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	calls, opt := 0, w.quick()
	opt.OnStart = func(context.Context) error {
		calls++
		if calls == 1 {
			return errors.New("not yet")
		}
		return nil
	}
	s := NewServer(w.rdb, opt, Worker{Queue: "q", Handle: blank})
	for i, want := range []int{1, 2, 2, 2} { // the first attempt fails, and the second starts the server
		if err := s.Start(t.Context()); (err == nil) != (i == 1) || calls != want {
			t.Errorf("Start %d: %v, %d calls, want %d", i, err, calls, want)
		}
		if i == 2 {
			s.Stop()
		}
	}
}

func TestStopWithoutStart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := NewServer(w.rdb, w.quick())
	s.Stop()
	s.Stop()
	if err := s.Start(t.Context()); err == nil {
		t.Error("a stopped server started")
	}
}

func TestANodeWaitsForRedisToComeUp(t *testing.T) {
	t.Parallel()
	r, rdb := privateRedis(t)
	r.kill()
	w := worldAt(t, "p", rdb.Options().Addr)
	w.serve(w.quick(), Worker{Queue: "q", Handle: blank})
	short, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := w.client().Push(short, Job{Queue: "q", Key: "k"}); err == nil {
		t.Error("pushed to a dead Redis")
	}
	if err := r.start(); err != nil {
		t.Fatal(err)
	}
	w.push(Job{Key: "k"})
	until(t, "done", func() bool { return w.stats().Processed == 1 })
}

func TestAStoppedRedisIsWaitedFor(t *testing.T) {
	t.Parallel()
	r, rdb := privateRedis(t)
	w := worldAt(t, "p", rdb.Options().Addr)
	s := w.serve(w.brief(), Worker{Queue: "q", Handle: blank})
	until(t, "shards owned", func() bool { return len(s.owned()) == 5 })
	if err := r.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	until(t, "leases given up", func() bool { return len(s.owned()) == 0 })
	if err := r.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	w.push(Job{Key: "k"})
	until(t, "done", func() bool { return w.stats().Processed == 1 })
}

func TestAHeldBatchMayBeResolvedUntilItsRelease(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	held := make(chan *Batch, 1)
	var release func()
	var got seen
	w.serve(w.quick(), Worker{Queue: "q", Handle: func(_ context.Context, b *Batch) error {
		d := b.Deliveries[0]
		got.add("%d %d", d.RetryCount, d.Redelivered)
		if got.len() == 1 {
			release = b.Hold()
			held <- b
		}
		return nil
	}})
	w.push(Job{Key: "k"})
	b := <-held
	b.Deliveries[0].Resolve(Outcome{Kind: Return, Redelivered: true})
	release()
	until(t, "done", func() bool { return w.stats().Processed == 1 })
	if d := cmp.Diff([]string{"-1 0", "-1 1"}, got.get()); d != "" {
		t.Error(d)
	}
}

func TestAKeptPayloadAndItsTwinKeepTheSmallerScore(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		h := byHand(t, w, Job{Key: "k", Payload: []byte("v1"), Score: 5})
		u := h.fetch(1)[0]
		err := w.client(Spec{"one", 1}).Push(t.Context(),
			Job{Queue: "one", Key: "k", Payload: []byte("v1"), Score: 9},
			Job{Queue: "one", Key: "k", Payload: []byte("v2"), Score: 7, RunAt: time.Now().Add(time.Hour)})
		if err != nil {
			t.Fatal(err)
		}
		h.settle(u, Outcome{Kind: Retry, Err: "no"})
		u = h.fetch(1)[0]
		if names(u.list) != "v1v2" || u.list[0].Score != 5 || u.list[0].RetryCount != 0 {
			t.Errorf("after the retry %s with score %v, retry %d, want v1v2, 5, 0",
				names(u.list), u.list[0].Score, u.list[0].RetryCount)
		}
	})
}

func TestANewcomerWaitsForTheTimeItAskedFor(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		h := byHand(t, w, Job{Key: "k", Payload: []byte("a")})
		u := h.fetch(1)[0]
		err := w.client(Spec{"one", 1}).Push(t.Context(),
			Job{Queue: "one", Key: "k", Payload: []byte("b"), RunAt: time.Now().Add(time.Hour)})
		if err != nil {
			t.Fatal(err)
		}
		h.settle(u, Outcome{Kind: Done})
		if units := h.fetch(9); len(units) != 0 {
			t.Errorf("fetched %s an hour early", names(units[0].list))
		}
	})
}

func TestTokensComeFromTheEpoch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	opt := w.quick()
	var calls int64
	opt.Epoch = func(context.Context) (int64, error) {
		if calls++; calls == 1 {
			return 0, errors.New("not now")
		}
		return 40 + calls, nil
	}
	tokens := make(chan int64, 1)
	w.serve(opt, Worker{Queue: "q", Handle: func(_ context.Context, b *Batch) error {
		tokens <- b.Deliveries[0].Token
		return nil
	}})
	w.push(Job{Key: "k"})
	if token := <-tokens; token != 42 {
		t.Errorf("token = %d, want 42 of the second call", token)
	}
}

func TestConstructorsRefuseMistakes(t *testing.T) {
	t.Parallel()
	ok := Worker{Queue: "q", Handle: blank}
	for name, build := range map[string]func(){
		"no handler":  func() { NewServer(nil, ServerOptions{}, Worker{Queue: "q"}) },
		"no queue":    func() { NewServer(nil, ServerOptions{}, Worker{Handle: ok.Handle}) },
		"two workers": func() { NewServer(nil, ServerOptions{}, ok, ok) },
		"a brace":     func() { NewClient(nil, ClientOptions{Prefix: "{x}"}) },
		"a queue told twice": func() {
			NewClient(nil, ClientOptions{Queues: []Spec{{Name: "a"}, {Name: "a"}}})
		},
		"a batch size below 0":  func() { NewServer(nil, ServerOptions{}, Worker{Queue: "q", Handle: blank, BatchSize: -1}) },
		"a concurrency below 0": func() { NewServer(nil, ServerOptions{Concurrency: -1}, ok) },
		"a poll below 0":        func() { NewServer(nil, ServerOptions{Poll: -1}, ok) },
		"a brace in the queue":  func() { NewClient(nil, ClientOptions{Queues: []Spec{{Name: "a}"}}}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			build()
		})
	}
}

func TestOneSlotServesAllShards(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		for i := range 60 {
			w.push(Job{Key: fmt.Sprint(i)})
		}
		opt := w.quick()
		opt.Concurrency, opt.InFlight, opt.Poll = 1, 1, time.Minute
		w.serve(opt, Worker{Queue: "q", Handle: blank})
		until(t, "all done", func() bool { return w.stats().Processed == 60 })
	})
}

func TestAFetchThatEndsAfterStopIsPutBack(t *testing.T) {
	t.Parallel()
	h := byHand(t, newWorld(t), Job{Key: "k"})
	u := h.fetch(1)[0]
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	h.s.stopping = true
	h.s.enqueue(u)
	if len(h.own.pending) != 1 || len(h.own.ready) != 0 {
		t.Errorf("%d to settle, %d ready, want it put back", len(h.own.pending), len(h.own.ready))
	}
}

// TestAnAbandonedServerTellsNothing abandons a server while its handler runs. After the lease, another
// server runs the job again, marked as redelivered.
func TestAnAbandonedServerTellsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	started := make(chan struct{})
	opt := w.quick()
	opt.Lease = 6 * time.Second // ends within the test, and outlasts a pause of the process
	s := w.serve(opt, Worker{Queue: "q", Handle: func(ctx context.Context, _ *Batch) error {
		close(started)
		<-ctx.Done()
		if !errors.Is(context.Cause(ctx), ErrLeaseLost) {
			t.Errorf("cause = %v", context.Cause(ctx))
		}
		return nil
	}})
	w.push(Job{Key: "k"})
	<-started
	s.Abandon()
	s.Stop()
	if leases := w.everyKey(":*:lease"); len(leases) == 0 {
		t.Error("its leases are gone, too")
	}
	redelivered := make(chan int, 1)
	w.serve(w.quick(), Worker{Queue: "q", Handle: func(_ context.Context, b *Batch) error {
		redelivered <- b.Deliveries[0].Redelivered
		return nil
	}})
	if n := <-redelivered; n != 1 {
		t.Errorf("redelivered %d times, want 1", n)
	}
}
