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

// ServerOptions holds the settings of a Server. The zero value works.
type ServerOptions struct {
	// Prefix is the start of every Redis key. It must not contain a brace. Default "queue".
	Prefix string

	// Node is the name of this process in lists and logs. The server adds a unique suffix. Default:
	// host name and process id.
	Node string

	// Concurrency is the maximum number of batches that run at once. Default 25.
	Concurrency int

	// Lease is how long a node may miss its heartbeats before another node takes its shards, by the
	// clock of Redis. Default 10s; at least 100ms.
	Lease time.Duration

	// Poll is the interval at which the server reads an idle shard while it has no subscription to
	// wake-ups. With a subscription, the interval is five times as long. Default 1s.
	Poll time.Duration

	// InFlight is the maximum number of payloads of this node that are fetched and not yet settled. A fetch
	// takes up to 500 payloads of a key, even if they exceed the limit. Default 4096.
	InFlight int

	// StopTimeout is how long Stop waits for running handlers before it cancels them. Default 25s.
	StopTimeout time.Duration

	// Assign reports which shards belong to this node. Default Spread().
	Assign Assigner

	// Schedule chooses the shard whose fetched keys start next. Each server needs its own value.
	// Default Lag().
	Schedule Scheduler

	// OnStart is called at the beginning of Start. If it returns an error, Start returns the error.
	// Default: none.
	OnStart func(ctx context.Context) error

	// OnStopped is called once, when a started server has stopped. Its argument is nil, or an error
	// that wraps ErrUnsettled or reports handlers that have not ended. Default: none.
	OnStopped func(err error)

	// Epoch returns the token for newly leased shards. The token must be above 0 and below 2⁵³, and
	// higher at each call on any node. Default: one more than the shard's last token, or the time
	// in unix ms if that is higher.
	Epoch func(ctx context.Context) (int64, error)

	// Acquired is called after this node has leased a shard, before it fetches from the shard. Redis may
	// have lost writes to the shard, so the process should not rely on earlier reads of the shard.
	// Acquired must not block. Default: none.
	Acquired func()

	// LostWrites is called each time the server detects that Redis lost writes. Redis can lose
	// writes without a restart, for example if it loads a file or if keys are deleted. Jobs may
	// then be missing, and jobs that have run may run again. The server detects a loss at its next
	// heartbeat, or at the next fetch from a shard that lost deliveries. LostWrites must not block.
	// Default: none.
	LostWrites func()

	// Now returns the time that decides which jobs are due. Leases do not depend on it. Default
	// time.Now.
	Now func() time.Time

	// Log gets records of faults between this node and Redis, and of callbacks that panic. It also
	// gets records of handlers that do not stop, of redelivered keys that cannot start, and of
	// changes of shards and layouts. Default: none.
	Log *slog.Logger
}

// minLease is the shortest lease. With a shorter one, an ordinary delay of the process could end the
// lease before its renewal.
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
	if o.Assign == nil {
		o.Assign = Spread()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// check panics on a number or a time below 0, with which the server would do nothing or panic later.
func (o ServerOptions) check() {
	if min(o.Concurrency, o.InFlight) < 0 || min(o.Poll, o.StopTimeout, o.Lease) < 0 {
		panic("queue: Concurrency, InFlight, Poll, StopTimeout and Lease must not be below 0")
	}
}

func defaultNode() string {
	host, err := os.Hostname()
	if err != nil {
		host = "node"
	}
	return fmt.Sprintf("%s:%d", host, os.Getpid())
}

// timeout returns the longest time for one round trip to Redis. It is at most half a lease, so that
// time for a renewal is left after a timeout.
func (o ServerOptions) timeout() time.Duration { return min(callTimeout, o.Lease/2) }
