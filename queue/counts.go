package queue

// Counts holds what a server has done since NewServer, and its current state.
type Counts struct {
	Taken       int64 // shards leased
	Lost        int64 // leases that went, or may have gone, to another node before the server released them
	Settled     int64 // payloads whose outcome Redis has stored
	Dead        int64 // of Settled, payloads moved to the morgue
	Redelivered int64 // payloads fetched that may have run before
	Reclaimed   int64 // keys put back after lost replies or lost writes, without those of an earlier owner
	Faults      int64 // round trips of fetches and settlements that failed
	Scripts     int64 // scripts that failed in Redis

	Concurrency int // batches that may run at once
	Running     int // batches whose handler runs, and open calls of Batch.Count
	InFlight    int // payloads fetched and not settled
	Ready       int // fetched keys that wait for a goroutine
	Shards      int // shards leased now
}

// Counts returns the counts of the server. It does not query Redis.
func (s *Server) Counts() Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.counts
	c.Scripts = s.engine.count()
	c.Concurrency, c.Running = s.opt.Concurrency, int(s.running.Load())
	c.InFlight, c.Ready = s.inflight, s.waiting
	for sh := range s.shards {
		if sh.owned != nil {
			c.Shards++
		}
	}
	return c
}
