package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/redisurl"
	"github.com/rollcall-dev/rollcall/queue"
)

// ErrNoAddress means that Connect was not told where the database or Redis is.
var ErrNoAddress = errors.New("an address is missing")

// Addresses is where a Rollcall service keeps its work: what its own processes
// are started with.
type Addresses struct {
	// Database is DATABASE_URL: "postgres://…", or the path of a SQLite file,
	// which no other process may have open.
	Database string

	// Redis is REDIS_URL: "redis://…" or one of the forms for TLS, clusters and
	// sentinels.
	Redis string

	// Prefix is REDIS_PREFIX. Default "rollcall".
	Prefix string
}

// Connect opens a Client on the database and the Redis of a service, for a
// program that only makes work: kinds must have the names and shards that the
// service's workers know. Pending migrations of the database are applied. A
// Redis that is away is no error: what is enqueued is fed once it is back.
// Close the client.
func Connect(ctx context.Context, at Addresses, kinds *Registry, opt ClientOptions) (*Client, error) {
	if at.Database == "" || at.Redis == "" {
		return nil, fmt.Errorf("worker: connect: %w: database and Redis are both needed", ErrNoAddress)
	}
	redisOptions, err := redisurl.Parse(at.Redis)
	if err != nil {
		return nil, fmt.Errorf("worker: connect: Redis address %w", err)
	}
	db, err := ledger.Open(ctx, at.Database, ledger.Options{})
	if err != nil {
		return nil, fmt.Errorf("worker: connect: %w", err)
	}
	rdb := redis.NewUniversalClient(redisOptions)
	q := queue.NewClient(rdb, queue.ClientOptions{
		Prefix: cmp.Or(at.Prefix, "rollcall"), Queues: kinds.Queues(), Now: db.Now,
	})
	c := NewClient(db, q, kinds, opt)
	c.close = []func() error{rdb.Close, db.Close}
	return c, nil
}

// Close ends the connections that Connect opened; those that NewClient was
// given are their owner's. Use the client no more.
func (c *Client) Close() error {
	c.group.Wait()
	var errs []error
	for _, end := range c.close {
		errs = append(errs, end())
	}
	c.close = nil
	return errors.Join(errs...)
}

// For is the client with another tenant to own what it creates. Both share their
// connections. Of nil it is nil.
func (c *Client) For(tenant string) *Client {
	if c == nil {
		return nil
	}
	other := *c
	other.opt.Tenant, other.close = tenant, nil
	return &other
}
