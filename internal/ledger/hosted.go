package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
)

// OpenOn opens and migrates the ledger on the database of the calling program. The argument `host`
// is a *pgxpool.Pool, or a *sql.DB or *gorm.DB on the driver pgx. The ledger shares a *pgxpool.Pool
// and never closes it. For the other types it opens its own pool of up to opt.MaxConns connections
// with the settings of `host`.
func OpenOn(ctx context.Context, host any, opt Options) (*DB, error) {
	db, err := hosted(ctx, host, opt)
	if err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	return db.start(ctx, opt)
}

func hosted(ctx context.Context, host any, opt Options) (*DB, error) {
	switch host := host.(type) {
	case *pgxpool.Pool:
		if host != nil {
			return overPool(host, opt)
		}
	case *sql.DB:
		if host != nil {
			return likeSQL(ctx, host, opt)
		}
	case *gorm.DB:
		if host == nil {
			break
		}
		pool, err := host.DB()
		if err != nil {
			return nil, err
		}
		return likeSQL(ctx, pool, opt)
	}
	return nil, fmt.Errorf("want a *pgxpool.Pool, a *sql.DB or a *gorm.DB, not a %T", host)
}

// likeSQL opens a pool with the connection settings of `host`.
func likeSQL(ctx context.Context, host *sql.DB, opt Options) (*DB, error) {
	conn, err := host.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }() // only its settings were read
	var settings *pgx.ConnConfig
	err = conn.Raw(func(driver any) error {
		c, ok := driver.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("want a database with the driver pgx, not %T", driver)
		}
		settings = c.Conn().Config().Copy()
		return nil
	})
	if err != nil {
		return nil, err
	}
	cfg, err := pgxpool.ParseConfig("")
	if err != nil {
		return nil, err
	}
	cfg.ConnConfig = settings
	return openPool(ctx, cfg, opt)
}

// overPool returns a DB on a pool. DB.Close leaves the pool open.
func overPool(pool *pgxpool.Pool, opt Options) (*DB, error) {
	n := namesOf(cmp.Or(opt.Schema, DefaultSchema))
	if err := CheckSchema(n.schema); err != nil {
		return nil, err
	}
	sqlDB := openSQL(pool, n)
	sqlDB.SetMaxIdleConns(0) // the pgx pool keeps the idle connections
	g, err := gorm.Open(postgres.New(postgres.Config{Conn: sqlDB}), gormConfig())
	if err != nil {
		return nil, err
	}
	return &DB{Read: g, Write: g, Pool: pool, names: n, close: []func() error{sqlDB.Close}}, nil
}
