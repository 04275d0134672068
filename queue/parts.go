package queue

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// partCalls is how many scripts runParts sends in one round trip.
const partCalls = 64

// errPartSkipped means that runParts did not send the script, because an earlier round
// trip to the same node of Redis failed.
var errPartSkipped = errors.New("queue: not sent, because an earlier round trip failed")

// runParts runs the calls in parts. Each part is one round trip that takes at most `bound`, so that a slow
// Redis can answer at least some of the calls. After each part, runParts calls the function `done` with the
// part and its send time, possibly on several goroutines at once. The parts for one Redis node run one
// after another, until the node leaves a script unanswered. Different nodes run in parallel, so an
// unreachable node does not delay other nodes.
func (e *engine) runParts(
	ctx context.Context, bound time.Duration, calls []*call, done func([]*call, time.Time),
) {
	var wg sync.WaitGroup
	for _, group := range byNode(ctx, e.rdb, calls) {
		wg.Go(func() { e.runGroup(ctx, bound, group, done) })
	}
	wg.Wait()
}

func (e *engine) runGroup(
	ctx context.Context, bound time.Duration, calls []*call, done func([]*call, time.Time),
) {
	for part := range slices.Chunk(calls, partCalls) {
		bounded, cancel := context.WithTimeout(ctx, bound)
		sent := time.Now()
		e.run(bounded, part)
		cancel()
		done(part, sent)
		if calls = calls[len(part):]; unanswered(part) {
			break
		}
	}
	for _, c := range calls {
		c.err = errPartSkipped
	}
}

// unanswered reports whether the part contains a script that Redis did not answer.
func unanswered(part []*call) bool {
	return slices.ContainsFunc(part, func(c *call) bool {
		var answer redis.Error
		return c.err != nil && !errors.As(c.err, &answer)
	})
}

// byNode groups calls by the address of the cluster node that has their keys. Without a cluster
// there is one group.
func byNode(ctx context.Context, rdb redis.UniversalClient, calls []*call) map[string][]*call {
	cluster, ok := rdb.(*redis.ClusterClient)
	if !ok {
		return map[string][]*call{"": calls}
	}
	groups := make(map[string][]*call)
	for _, c := range calls {
		node := ""
		if master, err := cluster.MasterForKey(ctx, c.keys[0]); err == nil {
			node = master.Options().Addr
		}
		groups[node] = append(groups[node], c)
	}
	return groups
}
