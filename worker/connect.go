package worker

import (
	"cmp"
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/enqueue"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/redisurl"
	"github.com/rollcall-dev/rollcall/queue"
)

// Backends holds the database and the Redis of a service.
type Backends struct {
	DatabaseURL string                // DATABASE_URL, or the path of a SQLite file that no other process has open
	RedisURL    string                // REDIS_URL
	Prefix      string                // REDIS_PREFIX. Default "rollcall"
	Schema      string                // DATABASE_SCHEMA. Default "rollcall"
	Redis       redis.UniversalClient // replaces RedisURL. Client.Close leaves it open
	// Database replaces DatabaseURL. Client.Close leaves it open. Connect shares a *pgxpool.Pool. For a *sql.DB
	// or *gorm.DB on the driver pgx, it opens its own pool of up to 4 connections with the same settings.
	Database any
}

// Connect opens a Client with the kinds of the service's workers. It applies pending migrations. It
// succeeds even if Redis is unreachable.
func Connect(ctx context.Context, at Backends, kinds *Registry, opt ClientOptions) (*Client, error) {
	rdb, closeRedis, err := at.redis()
	if err != nil {
		return nil, fmt.Errorf("worker: connect: %w", err)
	}
	db, err := at.ledger(ctx)
	if err != nil {
		_ = closeRedis() // it was not used
		return nil, fmt.Errorf("worker: connect: %w", err)
	}
	q := queue.NewClient(rdb, queue.ClientOptions{
		Prefix: cmp.Or(at.Prefix, "rollcall"), Queues: kinds.kinds.Queues(), Now: db.Now,
	})
	c := enqueue.New(db, q, kinds.kinds, enqueue.Options{
		Tenant: opt.Tenant, Keep: opt.Keep, Chunk: opt.Chunk, Claim: opt.Claim,
	})
	return &Client{inner: c, close: []func() error{closeRedis, db.Close}}, nil
}

// redis returns at.Redis or, if it is nil, opens the Redis at RedisURL.
func (at Backends) redis() (rdb redis.UniversalClient, end func() error, err error) {
	if at.Redis != nil {
		return at.Redis, func() error { return nil }, nil
	}
	if at.RedisURL == "" {
		return nil, nil, fmt.Errorf("%w: Redis", ErrNoAddress)
	}
	o, err := redisurl.Parse(at.RedisURL)
	if err != nil {
		return nil, nil, fmt.Errorf("address of Redis: %w", err)
	}
	rdb = redis.NewUniversalClient(o)
	return rdb, rdb.Close, nil
}

// ledger opens the ledger on at.Database or, if it is nil, at DatabaseURL.
func (at Backends) ledger(ctx context.Context) (*ledger.DB, error) {
	if at.Database != nil {
		return ledger.OpenOn(ctx, at.Database, ledger.Options{MaxConns: 4, Schema: at.Schema})
	}
	if at.DatabaseURL == "" {
		return nil, fmt.Errorf("%w: database", ErrNoAddress)
	}
	return ledger.Open(ctx, at.DatabaseURL, ledger.Options{Schema: at.Schema})
}
