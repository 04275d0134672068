package queue

import "time"

// Candidate is a shard with fetched keys that are ready to start.
type Candidate struct {
	ShardInfo
	Ready  int       // keys ready to start
	Oldest time.Time // run-at of the first of them
	Weight int       // Worker.Weight, at least 1
}

// Scheduler is the strategy that chooses which shard a free goroutine serves next, among the shards with
// fetched keys. Keys that still wait in Redis are no candidates. The server fetches keys for about a
// tenth of a second ahead, from all shards in proportion to Worker.Weight. It calls Next under a lock,
// so Next must be quick and must not call the server. Each server needs its own Scheduler. The order
// within a key does not depend on the Scheduler.
type Scheduler interface {
	// Next returns the index of the candidate to serve. The list is not empty. An index out of
	// range counts as 0.
	Next(list []Candidate) int
}

// Lag returns a Scheduler that serves the shard whose first fetched key has been due the longest.
func Lag() Scheduler { return lagging{} }

type lagging struct{}

func (lagging) Next(list []Candidate) int {
	best := 0
	for i := range list {
		if list[i].Oldest.Before(list[best].Oldest) {
			best = i
		}
	}
	return best
}

// Sequential returns a Scheduler that serves the shards with fetched keys one after another.
func Sequential() Scheduler { return sequential{} }

// sequential is a Scheduler that always chooses the first shard. The server moves each served shard
// to the end of the list.
type sequential struct{}

func (sequential) Next([]Candidate) int { return 0 }

// Weighted returns a Scheduler that serves the queues in proportion to their Worker.Weight while
// all have fetched keys. Within a queue it serves the shard whose first fetched key has been due
// the longest.
func Weighted() Scheduler { return &weighted{credit: make(map[string]int)} }

// weighted is a Scheduler that adds the weight of each queue to the queue's credit at every call. It
// serves the queue with the most credit, and subtracts the sum of the weights from that queue's credit.
type weighted struct{ credit map[string]int }

func (w *weighted) Next(list []Candidate) int {
	oldest := make(map[string]int, 4)
	for i := range list {
		if j, ok := oldest[list[i].Queue]; !ok || list[i].Oldest.Before(list[j].Oldest) {
			oldest[list[i].Queue] = i
		}
	}
	total, best := 0, -1
	for i := range list { // in the order of the list, for ties
		if oldest[list[i].Queue] != i {
			continue
		}
		total += list[i].Weight
		w.credit[list[i].Queue] += list[i].Weight
		if best < 0 || w.credit[list[i].Queue] > w.credit[list[best].Queue] {
			best = i
		}
	}
	w.credit[list[best].Queue] -= total
	return best
}

// nextOwned removes the shard that the scheduler chooses from the shards with ready keys, and returns
// it. It returns nil if no shard has ready keys. The caller holds s.mu.
func (s *Server) nextOwned() *ownedShard {
	live := s.withReady[:0]
	s.candidates = s.candidates[:0]
	for _, own := range s.withReady {
		if len(own.ready) == 0 {
			own.queued = false
			continue
		}
		live = append(live, own)
		s.candidates = append(s.candidates, own.candidate())
	}
	clear(s.withReady[len(live):])
	if s.withReady = live; len(live) == 0 {
		return nil
	}
	i := s.opt.Schedule.Next(s.candidates)
	if i < 0 || i >= len(live) {
		i = 0
	}
	own := live[i]
	s.withReady = append(live[:i], live[i+1:]...)
	return own
}

func (own *ownedShard) candidate() Candidate {
	sh := own.shard
	return Candidate{
		ShardInfo: ShardInfo{Queue: sh.id.Queue, Shard: sh.id.Index, Shards: sh.shardCount(sh.localQueue.layout)},
		Ready:     len(own.ready), Oldest: own.ready[0].list[0].RunAt, Weight: sh.localQueue.Weight,
	}
}
