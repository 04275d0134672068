package queue

import (
	"context"
	"math/rand/v2"
	"time"
)

// pollers is the number of goroutines that fetch and settle jobs. Each serves a part of the shards. With
// two, one can read replies while the other sends.
const pollers = 2

// These are the bounds of one script or, with the prefix `trip`, of one round trip. They are low, because
// Redis runs nothing else during a script.
const (
	fetchKeys   = 400
	fetchBytes  = 1 << 20
	tripBytes   = 1 << 20 // of all scripts of a round trip, each way
	settleAcks  = 400
	settleOther = 64
	itemBytes   = 1 << 10 // overhead of a payload
	tripShards  = 64      // most shards with a fetch in one round trip, and as many without a fetch
)

// poller is a loop that sends settlements and fetches due keys, for many of its shards in one round
// trip. Settlements that arrive during a round trip go into the next one, so batches grow with load.
type poller struct {
	kick   chan struct{}
	shards []*shard
	offset int // index of the shard that is served first, for fairness
}

// roundTrip holds the scripts of one round trip for one owned shard, and their input.
type roundTrip struct {
	own   *ownedShard
	sent  []*settlement // prefix of own.pending
	want  int           // keys to fetch
	bytes int           // payload bytes to fetch, up to one payload more; 0 = fetchBytes
	check bool          // put back the keys in flight that this node does not hold
	index int           // index among the shards of the poller

	ack, settle, fetch *call
}

func (s *Server) poll(ctx context.Context, t *poller) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		if trips := s.plan(t); len(trips) > 0 {
			s.roundTrip(ctx, trips)
			continue
		}
		timer.Reset(s.pause(t))
		select {
		case <-ctx.Done():
		case <-t.kick:
		case <-timer.C:
		}
	}
}

// plan chooses the work of one round trip, by shard. If it has no room for some shards, the following
// round trip begins with the first of them.
func (s *Server) plan(t *poller) []*roundTrip {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, nowMS := time.Now(), s.opt.Now().UnixMilli()
	var trips, fetching []*roundTrip
	full := -1 // index of the first shard without room
	for i := range t.shards {
		index := (i + t.offset) % len(t.shards)
		own := t.shards[index].owned
		if own == nil || !own.open || now.Before(own.retryAt) {
			continue
		}
		trip := &roundTrip{own: own, sent: own.pending, check: own.mayReclaim, index: index}
		fetches := s.mayFetch(own, now, nowMS)
		if fetches && len(fetching) < tripShards {
			fetching = append(fetching, trip)
			continue
		}
		if fetches && full < 0 {
			full = index
		}
		if len(trips) < tripShards && (len(trip.sent) > 0 || trip.check) {
			trips = append(trips, trip)
		}
	}
	served, unserved := s.allot(fetching, now)
	switch {
	case unserved >= 0:
		t.offset = unserved
	case full >= 0:
		t.offset = full
	default:
		t.offset++
	}
	return append(trips, served...)
}

// mayFetch reports whether the owned shard allows a fetch and may have a due key.
func (s *Server) mayFetch(own *ownedShard, now time.Time, nowMS int64) bool {
	if s.stopping || own.draining || own.mayReclaim || own.shard.localQueue.layout.paused {
		return false
	}
	return own.nextDue <= nowMS || !now.Before(own.pollAt)
}

// allot divides the room for more keys, and the bytes of a round trip, among the shards that may fetch.
// It omits a shard that has no share and no settlements. The result `unserved` is the index, in the list
// of the poller, of the first shard without a share, or -1.
//
// A fetch may exceed its bytes by one payload. Therefore, shards with large payloads get their shares in
// different round trips.
func (s *Server) allot(fetching []*roundTrip, now time.Time) (served []*roundTrip, unserved int) {
	target := s.speed.target(now, s.least, s.opt.InFlight)
	room := min(s.opt.InFlight-s.inflight, target-s.waiting) - s.reserved
	weights, fetches, large := 0, 0, 0
	served, unserved = fetching[:0], -1
	for _, trip := range fetching {
		weights += trip.own.shard.localQueue.Weight
	}
	for _, trip := range fetching {
		share := trip.own.shard.localQueue.Weight
		trip.want = min(max(0, (room*share+weights-1)/weights), fetchKeys)
		if large+trip.own.largest > tripBytes && large > 0 {
			trip.want = 0 // a later round trip serves it
		}
		room, weights = room-trip.want, weights-share
		s.reserved += trip.want
		if trip.want > 0 {
			trip.own.fetching = true
			trip.own.nextDue, trip.own.pollAt = never, now.Add(s.pollPause())
			fetches, large = fetches+1, large+trip.own.largest
		} else {
			s.outOfRoom = true
			if unserved < 0 {
				unserved = trip.index
			}
		}
		if trip.want > 0 || len(trip.sent) > 0 {
			served = append(served, trip)
		}
	}
	for _, trip := range served {
		trip.bytes = max(1, tripBytes/max(fetches, 1))
	}
	return served, unserved
}

// pollPause returns the interval at which the node reads an idle shard.
func (s *Server) pollPause() time.Duration {
	if s.subscribed.Load() {
		return 5 * s.opt.Poll
	}
	return s.opt.Poll
}

// leastPause and mostPause are the bounds of a poller's pause.
const (
	leastPause = time.Millisecond
	mostPause  = time.Minute
)

// pause returns how long the poller sleeps unless it is woken.
func (s *Server) pause(t *poller) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, nowMS := time.Now(), s.opt.Now().UnixMilli()
	pause := mostPause
	for _, sh := range t.shards {
		own := sh.owned
		switch {
		case own == nil || !own.open:
		case now.Before(own.retryAt):
			pause = min(pause, own.retryAt.Sub(now))
		case s.mayFetch(own, now, nowMS): // no room for a fetch
			pause = min(pause, s.opt.Poll)
		case !s.stopping && !own.draining && !own.shard.localQueue.layout.paused:
			pause = min(pause, own.pollAt.Sub(now))
			if own.nextDue-nowMS < mostPause.Milliseconds() {
				pause = min(pause, time.Duration(own.nextDue-nowMS)*time.Millisecond)
			}
		}
	}
	return max(pause, leastPause)
}

func (s *Server) kickPollers() {
	for _, t := range s.pollers {
		kick(t.kick)
	}
}

// leastBackoff and mostBackoff are the bounds of the pause after failed round trips, before jitter.
// Jitter shortens the pause by up to half.
const (
	leastBackoff = 100 * time.Millisecond
	mostBackoff  = 5 * time.Second
)

// backoff returns the pause after a failure that follows n consecutive failures, with jitter.
func backoff(n int) time.Duration {
	d := min(leastBackoff<<min(n, 10), mostBackoff)
	return d/2 + rand.N(d/2)
}
