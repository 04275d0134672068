package ledger

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
	"gorm.io/gorm/schema"
)

// idleTx is the time for which Postgres waits for the next statement of a transaction before it ends the
// session. Without this limit, a frozen process or a lost machine would keep its locks, and other
// processes would wait forever. The value is set on the connection, since poolers reject it in the
// startup message.
const idleTx = "15s"

// prepare configures a new connection. It disables JIT, which takes longer than any statement of the
// ledger, and limits idle transactions.
func prepare(ctx context.Context, conn *pgx.Conn) error {
	if _, err := conn.Exec(ctx, "SET jit = off"); err != nil {
		return err
	}
	return limitIdle(ctx, conn)
}

// limitIdle makes Postgres end sessions whose transaction is idle for longer than idleTx. If the URL
// of the ledger sets this timeout, limitIdle changes nothing.
func limitIdle(ctx context.Context, conn *pgx.Conn) error {
	const name = "idle_in_transaction_session_timeout"
	if conn.Config().RuntimeParams[name] != "" {
		return nil
	}
	_, err := conn.Exec(ctx, "SET "+name+" = '"+idleTx+"'")
	return err
}

// openPostgres opens one pool for gorm and for pgx.
func openPostgres(ctx context.Context, url string, opt Options) (*DB, error) {
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	return openPool(ctx, cfg, opt)
}

// openPool opens a pool of the ledger, and waits for its server.
func openPool(ctx context.Context, cfg *pgxpool.Config, opt Options) (*DB, error) {
	cfg.MaxConns = max(cmp.Or(opt.MaxConns, 12), leastConns)
	cfg.ConnConfig.DialFunc = watched(cfg.ConnConfig.DialFunc)
	cfg.AfterConnect = prepare
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if err := await(ctx, pool); err != nil {
		pool.Close()
		return nil, err
	}
	db, err := overPool(pool, opt)
	if err != nil {
		pool.Close()
		return nil, err
	}
	db.close = append(db.close, func() error { pool.Close(); return nil })
	return db, nil
}

// await waits until the server is ready, or until ctx ends. It retries while the server does not answer or
// is starting. Any other error of the server ends the wait.
func await(ctx context.Context, pool *pgxpool.Pool) error {
	for {
		err := pool.Ping(ctx)
		var pg *pgconn.PgError
		if err == nil || errors.As(err, &pg) && pg.Code != "57P03" { // the server is starting
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(500 * time.Millisecond):
		}
	}
}

// gormConfig returns the configuration of gorm. It has no logger: gorm returns errors, and the caller logs
// them once. Columns are read by name, so that columns of a newer version do not break prepared statements
// of this version. Table names include the schema.
func gormConfig() *gorm.Config {
	return &gorm.Config{
		Logger:                 logger.Discard,
		SkipDefaultTransaction: true,
		QueryFields:            true,
		NamingStrategy:         schema.NamingStrategy{TablePrefix: DefaultSchema + "."},
	}
}
