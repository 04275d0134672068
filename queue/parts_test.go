package queue

import (
	"context"
	"slices"
	"testing"
	"time"
)

// TestReshard_OwnerThatFetchesOnceMore_ReportsNoLostWrites fetches from a shard of the older layout
// after the resharding has ended, like an owner with an old layout.
func TestReshard_OwnerThatFetchesOnceMore_ReportsNoLostWrites(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		h := byHand(t, w, jobs("a/1", "b/2")...)
		lost := 0
		h.s.opt.LostWrites = func() { lost++ }
		once := func() {
			trip := &roundTrip{own: h.own, want: 9}
			room := tripBytes
			runCalls(t.Context(), w.rdb, trip.build(millis(time.Now()), &room))
			h.s.apply(trip)
		}
		once()
		for _, u := range h.own.held {
			h.settle(u, Outcome{Kind: Done})
		}
		a := w.client(Spec{"one", 1}).Admin()
		if err := a.Reshard(t.Context(), "one", 3); err != nil {
			t.Fatal(err)
		}
		l := layout{shards: 3, generation: 1, oldShards: 1}
		if done, err := a.client.engine.retire(t.Context(), "one", l); err != nil || !done {
			t.Fatalf("retired: %v, %v", done, err)
		}
		if once(); lost > 0 {
			t.Error("the owner reports lost writes")
		}
	})
}

// TestRunParts_ThatGetNoAnswer_EndTheirNodeOnly stops after the first unanswered part, and returns
// the results of the earlier parts.
func TestRunParts_ThatGetNoAnswer_EndTheirNodeOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := byHand(t, w)
	calls := make([]*call, 3*partCalls)
	for i := range calls {
		calls[i] = h.s.renewal([]*ownedShard{h.own})
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var sizes []int
	h.s.engine.runParts(ctx, time.Minute, calls, func(part []*call, _ time.Time) {
		if sizes = append(sizes, len(part)); len(sizes) == 1 {
			cancel() // as if Redis were gone
		}
	})
	if !slices.Equal(sizes, []int{partCalls, partCalls}) {
		t.Errorf("parts of %v calls", sizes)
	}
	for i, c := range calls {
		if answered := i < partCalls; answered != (c.err == nil) {
			t.Fatalf("call %d: %v", i, c.err)
		}
	}
}

// TestRenewal_OfManyShards_LosesOnlyTheLostLease renews more leases than one script takes. Another
// node holds one of these leases.
func TestRenewal_OfManyShards_LosesOnlyTheLostLease(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		opt := w.quick()
		opt.Lease = time.Minute
		s := NewServer(w.rdb, opt, Worker{Queue: "one", Shards: 2*renewKeys + 1, Handle: blank})
		s.life.handlers = t.Context()
		if err := s.acquire(t.Context(), s.queues[0].shards); err != nil {
			t.Fatal(err)
		}
		stolen := s.queues[0].shards[renewKeys+1]
		if err := w.rdb.Set(t.Context(), stolen.keys.lease, "other:9", time.Hour).Err(); err != nil {
			t.Fatal(err)
		}
		before := time.Now()
		if err := s.renewAll(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i, sh := range s.queues[0].shards {
			switch {
			case sh == stolen && sh.owned != nil:
				t.Error("the lost lease was not noticed")
			case sh != stolen && (sh.owned == nil || sh.owned.until.Before(before)):
				t.Errorf("shard %d is not renewed", i)
			}
		}
	})
}

// TestGather_OfMoreShardsThanATurnTakes_ServesAllInTurn fetches from some shards at a
// time. No shard is served again before the others, whatever the room for keys.
func TestGather_OfMoreShardsThanATurnTakes_ServesAllInTurn(t *testing.T) {
	t.Parallel()
	for _, room := range []int{7, 10_000} {
		w := newWorld(t)
		opt := w.quick()
		opt.Lease, opt.InFlight = time.Minute, room
		s := NewServer(w.rdb, opt, Worker{Queue: "one", Shards: 6 * tripShards, Handle: blank})
		s.life.handlers = t.Context()
		if err := s.acquire(t.Context(), s.queues[0].shards); err != nil {
			t.Fatal(err)
		}
		s.least = room
		seen := make(map[*ownedShard]int)
		for len(seen) < 3*tripShards {
			trips := s.plan(s.pollers[0])
			if len(trips) > tripShards {
				t.Fatalf("a turn of %d shards", len(trips))
			}
			for _, trip := range trips {
				if seen[trip.own]++; seen[trip.own] > 1 && len(seen) < 3*tripShards {
					t.Fatalf("room %d: a shard was served again before %d others", room, 3*tripShards-len(seen))
				}
				trip.own.nextDue = 0 // there is more
				s.reserved -= trip.want
			}
		}
	}
}
