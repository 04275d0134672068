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

// ErrNoAddress means that the address of the database or of Redis is missing.
var ErrNoAddress = errors.New("an address is missing")

// Addresses are the addresses of a Rollcall service, as in the settings of its processes.
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

// Connect opens a Client on the database and the Redis of a service, for a program that only
// creates work. The names and shards of kinds must match those of the service's workers. Connect
// applies pending migrations of the database. It succeeds while Redis is unreachable: enqueued jobs
// are fed once Redis is back. The caller closes the client.
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

// Close ends the connections that Connect opened. The caller of NewClient closes its own. The
// client must not be used afterwards.
func (c *Client) Close() error {
	c.group.Wait()
	var errs []error
	for _, end := range c.close {
		errs = append(errs, end())
	}
	c.close = nil
	return errors.Join(errs...)
}

// For returns a client whose work belongs to another tenant. Both share their connections. For a
// nil client it returns nil.
func (c *Client) For(tenant string) *Client {
	if c == nil {
		return nil
	}
	other := *c
	other.opt.Tenant, other.close = tenant, nil
	return &other
}
