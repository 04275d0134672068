package queue

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"os"
	"time"
)

// ServerOptions configures a Server. The zero value works.
type ServerOptions struct {
	// Prefix starts every Redis key, without braces. Default "queue".
	Prefix string

	// Node is the name of this process in lists and logs; a unique suffix is added. Default: host
	// name and process id.
	Node string

	// Concurrency is how many batches run at once. Default 25.
	Concurrency int

	// Lease is how long a node may miss its heartbeats before another node takes its shards, by the
	// clock of Redis. Default 10s; at least 100ms.
	Lease time.Duration

	// Poll is the interval at which an idle shard is read while wake-ups may be lost. With a
	// working subscription it is five times as long. Default 1s.
	Poll time.Duration

	// InFlight limits the payloads of this node that are fetched and not yet settled; the payloads
	// of one key may exceed it. Default 4096.
	InFlight int

	// StopTimeout is how long Stop waits for running handlers before it cancels them. Default 25s.
	StopTimeout time.Duration

	// Split reports which shards belong to this node. Default Spread().
	Split Splitter

	// Schedule chooses the shard whose fetched keys start next. Servers must not share a value.
	// Default Lag().
	Schedule Scheduler

	// OnStart is called first in Start. If it returns an error, Start fails with it. Default: none.
	OnStart func(ctx context.Context) error

	// LastWords is called once, at the end of Stop. Its argument is nil, ErrUnsettled, or an error
	// about handlers that have not ended. Default: none.
	LastWords func(err error)

	// Epoch returns the token of shards that change their owner: above 0, below 2⁵³, and higher at
	// each call, from any node. Default: one more than the shard's last token, or the time in unix
	// ms if that is more.
	Epoch func(ctx context.Context) (int64, error)

	// Acquired is called when this node has leased shards, before it fetches from them. Redis may have
	// lost writes to these shards, so state that was read earlier may be outdated. It must not block.
	// Default: none.
	Acquired func()

	// LostWrites is called each time the server detects that a running Redis lost writes: it was
	// loaded from a file, or keys were deleted. Jobs may be missing, and jobs that have run may run
	// again. A loss is found at the next heartbeat, or at the next round trip for a shard that lost
	// deliveries. It must not block. Default: none.
	LostWrites func()

	// Now returns the time by which jobs are due; leases do not depend on it. Default time.Now.
	Now func() time.Time

	// Log gets faults between node and Redis, and each change of owner. Default: none.
	Log *slog.Logger
}

// minLease is long enough for three renewals despite ordinary delays.
const minLease = 100 * time.Millisecond

func (o ServerOptions) withDefaults() ServerOptions {
	o.Prefix = cmp.Or(o.Prefix, defaultPrefix)
	o.Node = cmp.Or(o.Node, defaultNode()) + ":" + rand.Text()[:8]
	o.Concurrency = cmp.Or(o.Concurrency, 25)
	o.Lease = max(cmp.Or(o.Lease, 10*time.Second), minLease)
	o.Poll = cmp.Or(o.Poll, time.Second)
	o.InFlight = cmp.Or(o.InFlight, 4096)
	o.StopTimeout = cmp.Or(o.StopTimeout, 25*time.Second)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Acquired == nil {
		o.Acquired = func() {}
	}
	if o.LostWrites == nil {
		o.LostWrites = func() {}
	}
	if o.Schedule == nil {
		o.Schedule = Lag()
	}
	if o.Split == nil {
		o.Split = Spread()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

func defaultNode() string {
	host, err := os.Hostname()
	if err != nil {
		host = "node"
	}
	return fmt.Sprintf("%s:%d", host, os.Getpid())
}

// timeout bounds one round trip to Redis, so that a stuck round trip leaves time for a renewal.
func (o ServerOptions) timeout() time.Duration { return min(callTimeout, o.Lease/2) }
