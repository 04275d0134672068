package queue

import (
	"encoding/json"
	"slices"
)

// NodeReport is the content of a node's heartbeat.
type NodeReport struct {
	Name        string              `json:"name"`
	Concurrency int                 `json:"concurrency"` // most batches at once
	Running     int                 `json:"running"`     // batches running
	InFlight    int                 `json:"in_flight"`   // payloads fetched and not settled
	Beat        int64               `json:"beat"`        // time of the report in unix ms, by the clock of the node
	Shards      map[string][]string `json:"shards"`      // names of the node's shards, by queue
	Draining    bool                `json:"draining"`    // the node hands over its shards to other nodes
}

// report returns the NodeReport of this node as JSON.
func (s *Server) report() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := NodeReport{
		Name: s.opt.Node, Concurrency: s.opt.Concurrency,
		Running: int(s.running.Load()), InFlight: s.inflight,
		Beat: s.opt.Now().UnixMilli(), Shards: make(map[string][]string),
	}
	for sh := range s.shards {
		if sh.owned != nil {
			r.Shards[sh.id.Queue] = append(r.Shards[sh.id.Queue], sh.id.name())
		}
	}
	for _, names := range r.Shards {
		slices.Sort(names)
	}
	data, err := json.Marshal(r)
	if err != nil { // the struct always encodes
		return nil
	}
	return data
}
