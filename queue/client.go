package queue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

// These are the defaults of clients and servers. A client and a server share queues only under the
// same prefix.
const (
	defaultPrefix = "queue"
	defaultShards = 5
)

// callTimeout bounds one round trip to Redis. It interrupts a running command only if the Redis
// client has ContextTimeoutEnabled.
const callTimeout = 5 * time.Second

// Spec holds the properties of one queue of a client.
type Spec struct {
	// Name is the name of the queue, without braces.
	Name string

	// Shards is the number of shards that the queue gets when it is added to Redis, from 1 to
	// MaxShards. 0 means the default, 5. Redis then keeps the number, and a different value here
	// has no effect. Admin.Reshard changes the number.
	Shards int
}

// ClientOptions holds the settings of a Client. The zero value has no queue.
type ClientOptions struct {
	// Prefix is the start of every Redis key. It must not contain a brace. Default "queue".
	Prefix string

	// Queues lists the queues that the client may push to and read.
	Queues []Spec

	// Use lists the middlewares around Push; the first is the outermost. Default: none.
	Use []PushMiddleware

	// Now returns the current time. Default: time.Now.
	Now func() time.Time

	// Log gets a record when a script fails, or when Admin.Record cannot store the figures.
	// Default: none.
	Log *slog.Logger
}

func (o ClientOptions) withDefaults() ClientOptions {
	o.Prefix = cmp.Or(o.Prefix, defaultPrefix)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Client is a client that pushes jobs and reads queues. It is safe for concurrent use.
type Client struct {
	rdb         redis.UniversalClient
	opt         ClientOptions
	keys        keyspace
	queues      map[string]int // name of each queue: its shard count if it is new
	push        Pusher         // pushGood inside the middlewares of Use
	wantedCalls atomic.Uint32  // counts calls of Wanted, which start at different shards
	engine      *engine

	scriptJobs int // most jobs of a push script; pushJobs except in tests

	mu    sync.Mutex
	views map[string]*view
}

// NewClient returns a client on rdb. It does no I/O; the caller keeps and closes rdb. It panics on
// an empty or duplicate queue name, on a name or prefix with braces, and on a shard count out of
// range.
func NewClient(rdb redis.UniversalClient, opt ClientOptions) *Client {
	opt = opt.withDefaults()
	c := &Client{rdb: rdb, opt: opt, keys: newKeyspace(opt.Prefix), views: make(map[string]*view)}
	c.queues = make(map[string]int, len(opt.Queues))
	for _, spec := range opt.Queues {
		checkQueue(spec.Name)
		if c.queues[spec.Name] != 0 {
			panic(fmt.Sprintf("queue: %q is named twice", spec.Name))
		}
		c.queues[spec.Name] = cmp.Or(spec.Shards, defaultShards)
		if err := checkShards(c.queues[spec.Name]); err != nil {
			panic(fmt.Sprintf("queue: %q: %v", spec.Name, err))
		}
	}
	c.engine = newEngine(rdb, c.keys, opt.Log, opt.Now)
	c.scriptJobs, c.push = pushJobs, c.pushGood
	for _, use := range slices.Backward(opt.Use) {
		c.push = use(c.push)
	}
	return c
}

func checkShards(n int) error {
	if n < 1 || n > MaxShards {
		return fmt.Errorf("%w: %d is not between 1 and %d (the field Shards takes 0 for the default, %d)",
			ErrShardCount, n, MaxShards, defaultShards)
	}
	return nil
}

// ScriptFaults returns the number of failures of this client's scripts in Redis.
func (c *Client) ScriptFaults() int64 { return c.engine.count() }

// Generation returns the text that SetGeneration stored, or "" if Redis does not have it. If Redis has
// lost the text, it has probably lost jobs, too.
func (c *Client) Generation(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	mark, err := c.rdb.Get(ctx, c.keys.generation()).Result()
	if errors.Is(err, redis.Nil) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("queue: get generation: %w", err)
	}
	return mark, nil
}

// SetGeneration stores a text beside the queues, without expiry. It also works while Redis is at
// its memory limit.
func (c *Client) SetGeneration(ctx context.Context, mark string) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	return runExempt(ctx, c.rdb, "set generation", exempt(onString, "SET", c.keys.generation(), mark))
}
