package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// keysOf returns the keys of a page.
func keysOf(p Page) string {
	var list []string
	for _, k := range p.Keys {
		list = append(list, k.Key)
	}
	return strings.Join(list, " ")
}

// pages reads all pages of a query.
func pages(t *testing.T, ask func(Query) (Page, error), q Query) string {
	t.Helper()
	var list []string
	for range 50 {
		p, err := ask(q)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Keys) > q.Limit {
			t.Fatalf("a page of %d keys, want at most %d", len(p.Keys), q.Limit)
		}
		list = append(list, keysOf(p))
		if q.Cursor = p.Cursor; q.Cursor == "" {
			return strings.Join(list, " ")
		}
	}
	t.Fatal("the pages do not end")
	return ""
}

// failAll runs all due keys once. They fail, with a retry far ahead.
func failAll(t *testing.T, w *world, n int64) {
	t.Helper()
	s := w.serve(w.quick(), Worker{
		Queue: "q", RetryIn: func(int) time.Duration { return time.Hour },
		Handle: func(context.Context, *Batch) error { return errors.New("no") },
	})
	until(t, "all have failed", func() bool { return w.stats().Failed == n })
	s.Stop()
}

func TestWaitingKeysArePagedInEveryOrder(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		w.push(Job{Key: "f1"}, Job{Key: "f2"})
		failAll(t, w, 2)
		now := time.Now()
		w.push(Job{Key: "c", RunAt: now.Add(time.Minute)}, Job{Key: "a", RunAt: now.Add(2 * time.Minute)},
			Job{Key: "b", RunAt: now.Add(3 * time.Minute)})
		w.push(Job{Key: "now", Payload: []byte("p"), Score: 7})
		a := w.client().Admin()
		ask := func(q Query) (Page, error) { return a.Waiting(t.Context(), "q", q) }
		for _, tt := range []struct {
			q    Query
			want string
		}{
			{Query{Limit: 2}, "a b c f1 f2 now"},
			{Query{Limit: 2, Desc: true}, "now f2 f1 c b a"},
			{Query{Limit: 9, Min: "b", Max: "f1"}, "b c f1"},
			{Query{By: ByRunAt, Limit: 2}, "now c a b f1 f2"},
			{Query{By: ByRunAt, Limit: 4, Desc: true}, "f2 f1 b a c now"},
			{Query{By: ByRunAt, Limit: 4, Max: millis(now.Add(150 * time.Second))}, "now c a"},
			{Query{By: ByRetryCount, Limit: 3}, "a b c now f1 f2"},
			{Query{By: ByRetryCount, Limit: 3, Min: "0"}, "f1 f2"},
			{Query{By: ByRetryCount, Limit: 3, Max: "-1", Desc: true}, "now c b a"},
		} {
			got := pages(t, ask, tt.q)
			if tt.q.By == ByRunAt { // f1 and f2 failed in either order
				got = strings.NewReplacer("f1 f2", "f", "f2 f1", "f").Replace(got)
				tt.want = strings.NewReplacer("f1 f2", "f", "f2 f1", "f").Replace(tt.want)
			}
			if got != tt.want {
				t.Errorf("%+v = %s, want %s", tt.q, got, tt.want)
			}
		}
		p, err := ask(Query{Min: "now"})
		if err != nil || len(p.Keys) != 1 {
			t.Fatalf("page = %v, %v", p, err)
		}
		if k := p.Keys[0]; time.Since(k.RunAt) > time.Minute || k.Count != 1 ||
			string(k.Payloads[0].Payload) != "p" || k.Payloads[0].Score != 7 || k.RetryCount != -1 {
			t.Errorf("details of now = %+v", k)
		}
		p, err = ask(Query{Min: "f1", Max: "f1"})
		if err != nil || p.Keys[0].Err != "no" || p.Keys[0].RetryCount != 0 {
			t.Errorf("details of f1 = %+v, %v", p, err)
		}
		for _, q := range []Query{{By: ByUpdatedAt}, {By: ByRunAt, Min: "x"}, {Cursor: "?"}} {
			if _, err := ask(q); !errors.Is(err, ErrBadQuery) {
				t.Errorf("%+v = %v, want ErrBadQuery", q, err)
			}
		}
	})
}

func TestPerformAllNowKeepsTheOrder(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		one := Spec{"one", 1}
		c := w.client(one)
		var jobs []Job
		var want []string
		for i := range 250 {
			key := fmt.Sprint(999 - i)
			want = append(want, key)
			at := time.Now().Add(time.Hour + time.Duration(i)*time.Second)
			jobs = append(jobs, Job{Queue: "one", Key: key, RunAt: at})
		}
		if err := c.Push(t.Context(), jobs...); err != nil {
			t.Fatal(err)
		}
		n, err := c.Admin().PerformAllNow(t.Context(), "one")
		if n != 250 || err != nil {
			t.Fatalf("PerformAllNow = %d, %v, want 250", n, err)
		}
		var got seen
		opt := w.quick()
		opt.Concurrency = 1
		w.serve(opt, Worker{Queue: "one", Handle: func(_ context.Context, b *Batch) error {
			got.add("%s", b.Deliveries[0].Key)
			return nil
		}})
		until(t, "all run", func() bool { return got.len() == 250 })
		if d := cmp.Diff(want, got.get()); d != "" {
			t.Error(d)
		}
	})
}

func TestFailedKeysAreKilledRequeuedAndDeleted(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		for i := range 150 {
			w.push(Job{Key: fmt.Sprint(i), Payload: []byte("a"), Score: 2})
		}
		failAll(t, w, 150)
		w.push(Job{Key: "fresh"}, Job{Key: "7", Payload: []byte("b"), Score: 1})
		a := w.client().Admin()
		act := func(name string, want int, f func(context.Context, string) (int, error)) {
			t.Helper()
			if n, err := f(t.Context(), "q"); n != want || err != nil {
				t.Fatalf("%s = %d, %v, want %d", name, n, err, want)
			}
		}
		act("kill", 150, a.KillAllFailed)
		if st := w.stats(); st.MorgueLength != 150 || st.Length != 1 {
			t.Fatalf("stats after kill = %+v", st)
		}
		p, err := a.Morgue(t.Context(), "q", Query{Min: "7", Max: "7"})
		if err != nil || len(p.Keys) != 1 || p.Keys[0].Count != 2 || p.Keys[0].Err != "no" {
			t.Fatalf("dead 7 = %+v, %v, want two payloads and the error", p, err)
		}
		ask := func(q Query) (Page, error) { return a.Morgue(t.Context(), "q", q) }
		if n := len(strings.Fields(pages(t, ask, Query{By: ByUpdatedAt, Limit: 40}))); n != 150 {
			t.Errorf("%d dead keys on the pages, want 150", n)
		}
		w.push(Job{Key: "7", Payload: []byte("a"), Score: 9})
		if n, err := a.RequeueMorgue(t.Context(), "q", "7", "none"); n != 1 || err != nil {
			t.Errorf("requeue = %d, %v, want 1", n, err)
		}
		p, err = a.Waiting(t.Context(), "q", Query{Min: "7", Max: "7"})
		if err != nil || p.Keys[0].Count != 2 || p.Keys[0].Payloads[1].Score != 2 ||
			p.Keys[0].RetryCount != -1 {
			t.Errorf("requeued 7 = %+v, %v, want b 1, a 2, fresh", p, err)
		}
		if n, err := a.DeleteMorgue(t.Context(), "q", "8", "none"); n != 1 || err != nil {
			t.Errorf("delete dead = %d, %v, want 1", n, err)
		}
		act("requeue all", 148, a.RequeueAllMorgue)
		if n, err := a.Delete(t.Context(), "q", "fresh", "9", "none"); n != 2 || err != nil {
			t.Errorf("delete = %d, %v, want 2", n, err)
		}
		failAll(t, w, 150+148)
		act("delete failed", 148, a.DeleteAllFailed)
		if st := w.stats(); st.Length+st.MorgueLength+st.Busy != 0 {
			t.Errorf("stats at the end = %+v, want nothing", st)
		}
		wantNoMetaBut(t, w, "ready")
	})
}

// TestAdminActionsLosePushedPayloadsNever pushes while all failed keys are killed and requeued
// again and again.
func TestAdminActionsLosePushedPayloadsNever(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		const keys, each = 10, 30
		done := make(chan struct{})
		go func() {
			defer close(done)
			for i := range each {
				var jobs []Job
				for k := range keys {
					jobs = append(jobs, Job{Key: fmt.Sprint(k), Payload: fmt.Append(nil, i)})
				}
				w.push(jobs...)
			}
		}()
		var got seen
		w.serve(w.quick(), Worker{
			Queue: "q", RetryIn: func(int) time.Duration { return time.Hour },
			Handle: func(_ context.Context, b *Batch) error {
				if b.Deliveries[0].Payload[0]%2 == 0 && b.Deliveries[0].RetryCount < 0 && got.len() < 2000 {
					return errors.New("no")
				}
				for _, d := range b.Deliveries {
					got.add("%s.%s", d.Key, d.Payload)
				}
				return nil
			},
		})
		a := w.client().Admin()
		var acts []func(context.Context, string) (int, error)
		acts = append(acts, a.KillAllFailed, a.RequeueAllMorgue, a.PerformAllNow)
		until(t, "all payloads ran", func() bool {
			for _, act := range acts {
				if _, err := act(t.Context(), "q"); err != nil && !errors.Is(err, ErrUnknownQueue) {
					t.Error(err)
				}
			}
			all := got.get()
			slices.Sort(all)
			return len(slices.Compact(all)) == keys*each
		})
		<-done
	})
}

func TestPauseIsObeyedAtOnce(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		opt := w.quick()
		opt.Lease, opt.Poll = 30*time.Second, 20*time.Second
		s := w.serve(opt, Worker{Queue: "q", Handle: blank})
		until(t, "at work", func() bool { return s.subscribed.Load() && len(s.owned()) == 5 })
		a := w.client().Admin()
		if err := a.Pause(t.Context(), "q"); err != nil {
			t.Fatal(err)
		}
		until(t, "the node knows", func() bool {
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.queues[0].layout.paused
		})
		w.push(Job{Key: "k"})
		time.Sleep(50 * time.Millisecond) // in which the job must not run
		st, err := a.Stats(t.Context(), "q")
		if err != nil || !st.Paused || st.Length != 1 || st.Processed != 0 {
			t.Errorf("paused stats = %+v, %v, want one waiting", st, err)
		}
		if err := a.Resume(t.Context(), "q"); err != nil {
			t.Fatal(err)
		}
		until(t, "resumed", func() bool { return w.stats().Processed == 1 })
		if err := a.Pause(t.Context(), "nobody"); !errors.Is(err, ErrUnknownQueue) {
			t.Errorf("Pause of a queue never seen = %v, want ErrUnknownQueue", err)
		}
	})
}

func TestNodesAreListedAndDrained(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		idle := Worker{Queue: "q", Handle: blank}
		opt := w.quick()
		opt.Lease = 3 * time.Second
		opt.Node = "first"
		a := w.serve(opt, idle)
		opt.Node = "second"
		b := w.serve(opt, idle)
		until(t, "both work", func() bool {
			return len(a.owned())+len(b.owned()) == 5 && len(b.owned()) > 1
		})
		admin := w.client().Admin()
		if err := admin.Drain(t.Context(), a.opt.Node); err != nil {
			t.Fatal(err)
		}
		until(t, "the other has all", func() bool {
			return len(a.owned()) == 0 && len(b.owned()) == 5
		})
		until(t, "the list tells", func() bool {
			list, err := admin.Nodes(t.Context())
			return err == nil && len(list) == 2 && list[0].Draining && !list[1].Draining &&
				len(list[1].Shards["q"]) == 5 && strings.HasPrefix(list[1].Name, "second:")
		})
		if err := admin.Undrain(t.Context(), a.opt.Node); err != nil {
			t.Fatal(err)
		}
		until(t, "both work again", func() bool { return len(a.owned()) > 1 && len(b.owned()) > 1 })
	})
}

func TestQueuesWithoutWorkerStayVisible(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		w.push(Job{Key: "hot", Payload: []byte("a")}, Job{Key: "hot", Payload: []byte("b")},
			Job{Key: "cold"})
		stranger := NewClient(w.rdb, ClientOptions{Prefix: w.prefix}).Admin()
		queues, err := stranger.Queues(t.Context())
		if err != nil || !slices.Equal(queues, []string{"q"}) {
			t.Errorf("Queues = %v, %v, want q", queues, err)
		}
		st, err := stranger.Stats(t.Context(), "q")
		if err != nil || st.Length != 2 || len(st.Shards) != 5 {
			t.Errorf("Stats = %+v, %v", st, err)
		}
		text, err := json.Marshal(st.Stats)
		if err != nil || !strings.Contains(string(text), `"enqueued":2`) ||
			!strings.Contains(string(text), `"morgue_length":0`) {
			t.Errorf("JSON = %s, %v, want Lowkiq's names", text, err)
		}
		hot, err := stranger.HotKeys(t.Context(), "q", "", 1)
		if d := cmp.Diff([]HotKey{{"hot", 2}}, hot); d != "" || err != nil {
			t.Error(err, d)
		}
	})
}

func TestBusyKeysAreListed(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		started, end := make(chan struct{}), make(chan struct{})
		s := w.serve(w.quick(), Worker{Queue: "q", Handle: func(context.Context, *Batch) error {
			close(started)
			<-end
			return nil
		}})
		w.push(Job{Key: "k", Payload: []byte("p"), Score: 4})
		<-started
		list, err := w.client().Admin().Busy(t.Context(), "q", "", 0)
		close(end)
		if err != nil || len(list) != 1 || list[0].Key != "k" || list[0].Node != s.opt.Node ||
			string(list[0].Payloads[0].Payload) != "p" {
			t.Errorf("Busy = %+v, %v", list, err)
		}
	})
}

func TestClientMiddlewareWrapsThePush(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		var got seen
		use := func(name string) PushMiddleware {
			return func(next Pusher) Pusher {
				return func(ctx context.Context, jobs []Job) error {
					got.add("%s %d", name, len(jobs))
					return next(ctx, append(jobs, Job{Queue: "q", Key: name}))
				}
			}
		}
		c := NewClient(w.rdb, ClientOptions{
			Prefix: w.prefix, Queues: []Spec{{Name: "q"}}, Use: []PushMiddleware{use("outer"), use("inner")},
		})
		if err := c.Push(t.Context(), Job{Queue: "q", Key: "k"}); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]string{"outer 1", "inner 2"}, got.get()); d != "" || w.stats().Length != 3 {
			t.Errorf("length %d, %s", w.stats().Length, d)
		}
	})
}

func TestHooks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	refuse := errors.New("not today")
	opt := w.quick()
	opt.OnStart = func(context.Context) error { return refuse }
	if err := NewServer(w.rdb, opt).Start(t.Context()); !errors.Is(err, refuse) {
		t.Errorf("Start = %v, want the error of OnStart", err)
	}
	words := make(chan error, 2)
	opt.OnStart, opt.OnStopped = nil, func(err error) { words <- err }
	s := NewServer(w.rdb, opt, Worker{
		Queue: "q", MaxRetries: NoRetries,
		Handle:      func(context.Context, *Batch) error { return refuse },
		FormatError: func(err error) string { return "told: " + err.Error() },
	})
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.push(Job{Key: "k"})
	until(t, "dead", func() bool { return w.stats().MorgueLength == 1 })
	s.Stop()
	s.Stop()
	if err := <-words; err != nil || len(words) != 0 {
		t.Errorf("last words = %v and %d more, want nil, once", err, len(words))
	}
	p, err := w.client().Admin().Morgue(t.Context(), "q", Query{})
	if err != nil || p.Keys[0].Err != "told: not today" {
		t.Errorf("morgue = %+v, %v, want the formatted error", p, err)
	}
}

// TestAKeyDeletedAndPushedAgainIsFetchedOnce: the ready list keeps the entry of a deleted key, and
// gets a second entry when the key is pushed again.
func TestAKeyDeletedAndPushedAgainIsFetchedOnce(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		h := byHand(t, w, Job{Key: "k"})
		c := w.client(Spec{"one", 1})
		if _, err := c.Admin().Delete(t.Context(), "one", "k"); err != nil {
			t.Fatal(err)
		}
		if err := c.Push(t.Context(), Job{Queue: "one", Key: "k"}); err != nil {
			t.Fatal(err)
		}
		if units := h.fetch(10); len(units) != 1 {
			t.Errorf("%d deliveries of one key at once, want 1", len(units))
		}
	})
}
