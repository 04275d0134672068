package queue

import "time"

// Candidate is a shard with fetched keys that are ready to start.
type Candidate struct {
	ShardInfo
	Ready  int       // keys ready to start
	Oldest time.Time // run-at of the first of them
	Weight int       // Worker.Weight, at least 1
}

// Scheduler chooses the shard that a free goroutine serves next, among the shards with fetched
// keys. It does not see the keys waiting in Redis. Each round of fetches serves every shard of the
// node with due keys, by Worker.Weight, about a tenth of a second ahead. One value belongs to one
// server, which calls it under its lock: it must be quick and must not call the server. It never
// changes the order within a key.
type Scheduler interface {
	// Next returns the index of a candidate; there is at least one. An index out of range counts as
	// 0.
	Next(list []Candidate) int
}

// Lag serves the shard whose first fetched key has been due the longest.
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

// Sequential serves the shards with fetched keys in turn.
func Sequential() Scheduler { return sequential{} }

// sequential relies on the server, which moves a served shard to the end.
type sequential struct{}

func (sequential) Next([]Candidate) int { return 0 }

// Weighted serves the queues in proportion to their Worker.Weight while all have fetched keys, and
// the oldest shard within a queue.
func Weighted() Scheduler { return &weighted{credit: make(map[string]int)} }

// weighted adds each queue's weight to its credit at every turn. The queue with the most credit is
// served, and its credit is reduced by the sum of the weights.
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

// nextOwned removes the next owned shard from the round; nil means that none has ready keys. Needs mu.
func (s *Server) nextOwned() *ownedShard {
	live := s.round[:0]
	s.candidates = s.candidates[:0]
	for _, own := range s.round {
		if len(own.ready) == 0 {
			own.queued = false
			continue
		}
		live = append(live, own)
		s.candidates = append(s.candidates, own.candidate())
	}
	clear(s.round[len(live):])
	if s.round = live; len(live) == 0 {
		return nil
	}
	i := s.opt.Schedule.Next(s.candidates)
	if i < 0 || i >= len(live) {
		i = 0
	}
	own := live[i]
	s.round = append(live[:i], live[i+1:]...)
	return own
}

func (own *ownedShard) candidate() Candidate {
	sh := own.shard
	return Candidate{
		ShardInfo: ShardInfo{Queue: sh.id.Queue, Shard: sh.id.Index, Shards: sh.of(sh.localQueue.layout)},
		Ready:     len(own.ready), Oldest: own.ready[0].list[0].RunAt, Weight: sh.localQueue.Weight,
	}
}
