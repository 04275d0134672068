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

// ServerOptions tunes a Server. The zero value works.
type ServerOptions struct {
	// Prefix starts every Redis key, without braces. Default "queue".
	Prefix string

	// Node names this process for people; a unique suffix is added. Default
	// host name and process id.
	Node string

	// Concurrency is how many batches run at once. Default 25.
	Concurrency int

	// Lease is how long a node may be silent before its shards pass to
	// another. It is measured by the clock of Redis. Default 10s; at least
	// 100ms.
	Lease time.Duration

	// Poll is how often an idle shard is looked at while wake-ups may be
	// lost; a fifth as often while the subscription stands. Default 1s.
	Poll time.Duration

	// InFlight bounds the payloads of this node that are fetched and not yet
	// settled, give or take those of one key. Default 4096.
	InFlight int

	// StopTimeout is how long Stop lets running handlers go on before it
	// cancels them. Default 25s.
	StopTimeout time.Duration

	// Split tells which shards are this node's share. Default Spread().
	Split Splitter

	// Schedule chooses among the shards that have fetched keys to start. A value
	// must not be shared by servers. Default Lag().
	Schedule Scheduler

	// OnStart is called by Start before anything else; its error is that of
	// Start, and nothing begins. Default: nothing.
	OnStart func(ctx context.Context) error

	// LastWords is called once, as the last thing that Stop does: with nil, or with
	// what was left behind: ErrUnsettled, handlers that do not end. Default: nothing.
	LastWords func(err error)

	// Epoch returns the token of shards that change hands: above 0, below 2⁵³,
	// and higher at each call, from any node. Default: one more than the
	// shard's last, or the time in unix ms if that is more.
	Epoch func(ctx context.Context) (int64, error)

	// Acquired is called when this node has leased shards, before it fetches
	// from them: what they hold is what Redis says now, whatever it said
	// before. It must not wait. Default: nothing.
	Acquired func()

	// LostWrites is called each time that Redis is found to have lost writes though
	// its process is the same: it was loaded from a file, or keys were deleted. Jobs
	// may be missing, and jobs that have run may run again. A loss is found with the
	// next heartbeat, or with the next look at a shard that lost deliveries. It must
	// not wait. Default: nothing.
	LostWrites func()

	// Now tells the time by which jobs are due; leases do not depend on it.
	// Default time.Now.
	Now func() time.Time

	// Log gets what goes wrong between node and Redis, and each change of
	// owner. Default: none.
	Log *slog.Logger
}

// minLease keeps the renewals, three to a lease, clear of ordinary delays.
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

// timeout bounds one exchange with Redis, so that a stuck one leaves time to
// renew before the lease ends.
func (o ServerOptions) timeout() time.Duration { return min(callTimeout, o.Lease/2) }
