package queue

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// hand is a test that works one shard step by step, script by script.
type hand struct {
	t   *testing.T
	w   *world
	s   *Server
	own *ownedShard
}

// byHand pushes jobs to a queue of one shard and leases it to a server that was
// never started.
func byHand(t *testing.T, w *world, jobs ...Job) *hand {
	t.Helper()
	c := w.client(Spec{"one", 1})
	for i := range jobs {
		jobs[i].Queue = "one"
	}
	if err := c.Push(t.Context(), jobs...); err != nil {
		t.Fatal(err)
	}
	opt := w.quick()
	opt.Lease = time.Hour // nobody renews it
	s := NewServer(w.rdb, opt, Worker{
		Queue: "one", Shards: 1, Handle: blank,
	})
	h := &hand{t: t, w: w, s: s}
	s.life.handlers = t.Context()
	if err := s.acquire(t.Context(), s.queues[0].shards); err != nil {
		t.Fatal(err)
	}
	h.own = s.queues[0].shards[0].owned
	return h
}

// fetch takes up to n keys.
func (h *hand) fetch(n int) []*inflightKey {
	h.t.Helper()
	trip := &roundTrip{own: h.own, want: n}
	r := h.run(trip)
	if r.err != nil || r.lost {
		h.t.Fatalf("fetch: lost %v, %v", r.lost, r.err)
	}
	return r.units
}

func (h *hand) run(trip *roundTrip) result { return h.runAt(trip, time.Now().UnixMilli()) }

// runAt runs a round trip at a given time.
func (h *hand) runAt(trip *roundTrip, now int64) result {
	room := tripBytes
	runCalls(h.t.Context(), h.w.rdb, trip.build(strconv.FormatInt(now, 10), &room))
	return trip.read()
}

// settle ends a key in flight with one outcome for all its payloads.
func (h *hand) settle(u *inflightKey, o Outcome) *roundTrip {
	for _, d := range u.list {
		d.Resolve(o)
	}
	trip := &roundTrip{own: h.own, sent: []*settlement{{unit: u, plan: planOf(u.list, time.Now())}}}
	if r := h.run(trip); r.err != nil {
		h.t.Fatal(r.err)
	}
	return trip
}

func TestARepeatedSettleEndsNoLaterDelivery(t *testing.T) {
	for name, kind := range map[string]Kind{"ack": Done, "retry": Retry} {
		t.Run(name, func(t *testing.T) {
			everywhere(t, func(t *testing.T, w *world) {
				h := byHand(t, w, Job{Key: "k", Payload: []byte("a")})
				first := h.fetch(1)[0]
				if trip := h.settle(first, Outcome{Kind: kind}); sum(trip) != 1 {
					t.Fatalf("first settle changed %d keys", sum(trip))
				}
				if trip := h.settle(first, Outcome{Kind: kind}); sum(trip) != 0 {
					t.Errorf("repeated settle changed %d keys", sum(trip))
				}
				if err := w.client(Spec{"one", 1}).Push(t.Context(), Job{Queue: "one", Key: "k"}); err != nil {
					t.Fatal(err)
				}
				second := h.fetch(1)[0]
				if trip := h.settle(first, Outcome{Kind: kind}); sum(trip) != 0 || second.seq <= first.seq {
					t.Errorf("settle of delivery %d ended delivery %d", first.seq, second.seq)
				}
			})
		})
	}
}

// sum returns the number of keys that a round trip settled.
func sum(trip *roundTrip) (n int64) {
	for _, c := range []*call{trip.ack, trip.settle} {
		if c != nil {
			n += c.status()
		}
	}
	return n
}

func TestAStaleTokenChangesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := byHand(t, w, Job{Key: "a", Score: 1}, Job{Key: "b"}, Job{Key: "c"})
	units := h.fetch(2)
	k := h.own.shard.keys
	if err := w.rdb.Set(t.Context(), k.lease, "other:9", 0).Err(); err != nil {
		t.Fatal(err)
	}
	before := dump(t, w)
	if trip := h.settle(units[0], Outcome{Kind: Done}); trip.ack.status() != -1 {
		t.Errorf("ack answered %v", trip.ack.reply)
	}
	if trip := h.settle(units[1], Outcome{Kind: Dead}); trip.settle.status() != -1 {
		t.Errorf("settle answered %v", trip.settle.reply)
	}
	if r := h.run(&roundTrip{own: h.own, want: 1}); !r.lost {
		t.Error("fetch did not see that the lease was lost")
	}
	for _, s := range []*script{renewScript, releaseScript} {
		c := &call{script: s, keys: []string{k.lease}, args: []any{h.own.lease, 1000}}
		if s == releaseScript {
			c.args = c.args[:1]
		}
		runCalls(t.Context(), w.rdb, []*call{c})
		if c.err != nil || c.status() != -1 {
			t.Errorf("renew or release answered %v, %v", c.reply, c.err)
		}
	}
	if d := cmp.Diff(before, dump(t, w)); d != "" {
		t.Errorf("a stale token changed Redis:\n%s", d)
	}
}

// dump reads every key of the world as Redis serializes it.
func dump(t *testing.T, w *world) map[string]string {
	t.Helper()
	all := make(map[string]string)
	keys, err := w.everyKey(":*"), error(nil)
	for _, key := range keys {
		all[key] = w.rdb.Dump(t.Context(), key).Val()
	}
	if err != nil || len(all) == 0 {
		t.Fatalf("nothing to compare: %v", err)
	}
	return all
}

func TestTokensOnlyRise(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		h := byHand(t, w)
		sh := h.own.shard
		k := sh.keys
		take := func(token any) *call {
			c := &call{script: acquireScript, keys: []string{k.lease, k.fence, k.busy}}
			c.args = []any{"n2", token, 1, 1000}
			w.rdb.Del(t.Context(), k.lease)
			runCalls(t.Context(), w.rdb, []*call{c})
			if c.err != nil {
				t.Fatal(c.err)
			}
			return c
		}
		if c := take(h.own.token); c.reply[0] != "" || c.reply[1] != int64(-1) {
			t.Errorf("acquire with the last token answered %v, want refused", c.reply)
		}
		if c := take(""); c.reply[0] != fmt.Sprint(h.own.token+1) {
			t.Errorf("acquire answered %v, want token %d", c.reply, h.own.token+1)
		}
	})
}

func TestADeletedKeyComesNotBackBeforeItsTime(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		h := byHand(t, w, Job{Key: "k"}, Job{Key: "l"})
		c := w.client(Spec{"one", 1})
		if n, err := c.Admin().Delete(t.Context(), "one", "k"); n != 1 || err != nil {
			t.Fatalf("Delete = %d, %v", n, err)
		}
		later := Job{Queue: "one", Key: "k", RunAt: time.Now().Add(time.Hour)}
		if err := c.Push(t.Context(), later); err != nil {
			t.Fatal(err)
		}
		if units := h.fetch(9); len(units) != 1 || units[0].key != "l" {
			t.Errorf("fetched %d keys, want l alone", len(units))
		}
	})
}

// TestADeletedKeyThatIsHastenedIsNotLost: a key is deleted, pushed again, and made due by PerformNow.
// One fetch then reads its old entry and its new entry.
func TestADeletedKeyThatIsHastenedIsNotLost(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		h := byHand(t, w, Job{Key: "k"})
		c := w.client(Spec{"one", 1})
		a := c.Admin()
		if n, err := a.Delete(t.Context(), "one", "k"); n != 1 || err != nil {
			t.Fatalf("Delete = %d, %v", n, err)
		}
		later := Job{Queue: "one", Key: "k", RunAt: time.Now().Add(time.Hour)}
		if err := c.Push(t.Context(), later); err != nil {
			t.Fatal(err)
		}
		if n, err := a.PerformAllNow(t.Context(), "one"); n != 1 || err != nil {
			t.Fatalf("PerformAllNow = %d, %v", n, err)
		}
		if units := h.fetch(9); len(units) != 1 {
			t.Errorf("%d deliveries, want that of the key", len(units))
		}
	})
}
