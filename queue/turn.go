package queue

import (
	"context"
	"math/rand/v2"
	"time"
)

// turners is how many goroutines exchange jobs with Redis, each for its part of the shards: one
// writes while the other reads.
const turners = 2

// Bounds of one script, so that none blocks Redis for long.
const (
	fetchKeys   = 400
	fetchBytes  = 1 << 20
	turnBytes   = 1 << 20 // of all scripts of a round trip, each way
	settleAcks  = 400
	settleOther = 64
	itemBytes   = 1 << 10 // overhead of a payload
	turnShards  = 64      // most shards that fetch in one round trip, and as many that only settle
)

// turner exchanges settlements for due keys, for all its shards in one round trip. During an
// exchange the next one collects, so batches grow with load.
type turner struct {
	kick   chan struct{}
	shards []*shard
	offset int // place of the shard that is served first, for fairness
}

// exchange holds the scripts of one tenure in one round trip, and their input.
type exchange struct {
	ten   *tenure
	sent  []*settlement // prefix of ten.pending
	want  int           // keys to fetch
	bytes int           // payload bytes to fetch, up to one payload more; 0 = fetchBytes
	check bool          // put back the keys in flight that this node does not hold
	place int           // index among the shards of the turner

	ack, settle, fetch *call
}

func (s *Server) turn(ctx context.Context, t *turner) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		if turns := s.gather(t); len(turns) > 0 {
			s.exchange(ctx, turns)
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

// gather returns the exchanges of the next round trip. The first shard without room in this turn is
// the first of the next.
func (s *Server) gather(t *turner) []*exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, nowMS := time.Now(), s.opt.Now().UnixMilli()
	var turns, hungry []*exchange
	full := -1 // place of the first shard without room
	for i := range t.shards {
		place := (i + t.offset) % len(t.shards)
		ten := t.shards[place].tenure
		if ten == nil || !ten.open || now.Before(ten.retryAt) {
			continue
		}
		ex := &exchange{ten: ten, sent: ten.pending, check: ten.suspect, place: place}
		fetches := s.hungry(ten, now, nowMS)
		if fetches && len(hungry) < turnShards {
			hungry = append(hungry, ex)
			continue
		}
		if fetches && full < 0 {
			full = place
		}
		if len(turns) < turnShards && (len(ex.sent) > 0 || ex.check) {
			turns = append(turns, ex)
		}
	}
	fed, unfed := s.feed(hungry, now)
	switch {
	case unfed >= 0:
		t.offset = unfed
	case full >= 0:
		t.offset = full
	default:
		t.offset++
	}
	return append(turns, fed...)
}

// hungry reports whether a fetch for the tenure may find a due key.
func (s *Server) hungry(ten *tenure, now time.Time, nowMS int64) bool {
	if s.stopping || ten.draining || ten.suspect || ten.shard.line.layout.paused {
		return false
	}
	return ten.nextDue <= nowMS || !now.Before(ten.pollAt)
}

// feed shares the room for more keys, and the bytes of a round trip, among the hungry shards. It
// drops shards that get none and have nothing to settle. It returns the place of the first shard
// without a share, or -1. A fetch takes one payload at least, so shards with large payloads take
// turns.
func (s *Server) feed(hungry []*exchange, now time.Time) (fed []*exchange, unfed int) {
	target := s.speed.target(now, s.least, s.opt.InFlight)
	room := min(s.opt.InFlight-s.inflight, target-s.waiting) - s.reserved
	weights, fetches, large := 0, 0, 0
	fed, unfed = hungry[:0], -1
	for _, ex := range hungry {
		weights += ex.ten.shard.line.Weight
	}
	for _, ex := range hungry {
		share := ex.ten.shard.line.Weight
		ex.want = min(max(0, (room*share+weights-1)/weights), fetchKeys)
		if large+ex.ten.largest > turnBytes && large > 0 {
			ex.want = 0 // a later turn serves it
		}
		room, weights = room-ex.want, weights-share
		s.reserved += ex.want
		if ex.want > 0 {
			ex.ten.asking = true
			ex.ten.nextDue, ex.ten.pollAt = never, now.Add(s.pollPause())
			fetches, large = fetches+1, large+ex.ten.largest
		} else {
			s.starved = true
			if unfed < 0 {
				unfed = ex.place
			}
		}
		if ex.want > 0 || len(ex.sent) > 0 {
			fed = append(fed, ex)
		}
	}
	for _, ex := range fed {
		ex.bytes = max(1, turnBytes/max(fetches, 1))
	}
	return fed, unfed
}

// pollPause is the interval at which an idle shard is read.
func (s *Server) pollPause() time.Duration {
	if s.hearing.Load() {
		return 5 * s.opt.Poll
	}
	return s.opt.Poll
}

// Bounds of a turner's pause.
const (
	leastPause = time.Millisecond
	mostPause  = time.Minute
)

// pause returns how long the turner sleeps without a wake-up.
func (s *Server) pause(t *turner) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, nowMS := time.Now(), s.opt.Now().UnixMilli()
	pause := mostPause
	for _, sh := range t.shards {
		ten := sh.tenure
		switch {
		case ten == nil || !ten.open:
		case now.Before(ten.retryAt):
			pause = min(pause, ten.retryAt.Sub(now))
		case s.hungry(ten, now, nowMS): // without room
			pause = min(pause, s.opt.Poll)
		case !s.stopping && !ten.draining && !ten.shard.line.layout.paused:
			pause = min(pause, ten.pollAt.Sub(now))
			if ten.nextDue-nowMS < mostPause.Milliseconds() {
				pause = min(pause, time.Duration(ten.nextDue-nowMS)*time.Millisecond)
			}
		}
	}
	return max(pause, leastPause)
}

func (s *Server) kickTurners() {
	for _, t := range s.turners {
		kick(t.kick)
	}
}

// Bounds of the pause after an exchange that failed.
const (
	leastBackoff = 100 * time.Millisecond
	mostBackoff  = 5 * time.Second
)

// backoff returns the pause after n failures in a row, with jitter.
func backoff(n int) time.Duration {
	d := min(leastBackoff<<min(n, 10), mostBackoff)
	return d/2 + rand.N(d/2)
}
