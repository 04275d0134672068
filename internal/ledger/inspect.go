package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Condition is the state of a ledger that Inspect returns.
type Condition struct {
	Schema int64 // version of the schema; 0 before the first migration
	Known  int64 // newest version of the schema in this program
	Fault  error // ErrSchema, ErrIncomplete or ErrForeign; nil: this program can use or migrate it

	Forwarder   string    // address of the last peer outside TRUSTED_PROXIES that forwarded a request; "" if none, if Schema is below Known, or if Fault is set
	ForwardedAt time.Time // when Forwarder was last recorded

	Keyed  bool  // an API key was ever created; false if Schema is below Known, or Fault is set
	Owners int64 // number of valid API keys of the owner

	// The following fields are set only on Postgres.

	Server         int           // version, such as 150004 for 15.4
	Skew           time.Duration // clock of the server minus the clock of this machine
	MaxConnections int           // limit of connections of all users except superusers
	Connections    int           // current connections to all databases
	Replica        bool          // the server is a standby, which accepts no writes
	Unsafe         []string      // settings under which a commit may be lost, such as "fsync=off"
}

const (
	conditionSQL = "SELECT cast(current_setting('server_version_num') AS int), " +
		"cast(current_setting('max_connections') AS int) - " +
		"cast(current_setting('superuser_reserved_connections') AS int), " +
		"(SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'), pg_is_in_recovery()"
	unsafeSQL = "SELECT name || '=' || setting FROM pg_settings WHERE setting = 'off' " +
		"AND name IN ('fsync', 'full_page_writes', 'synchronous_commit') ORDER BY name"
)

// Inspect reads the state of the ledger at `url` without migrating it. The argument `url` has the form that
// Open accepts. On SQLite, Inspect creates a missing file.
func Inspect(ctx context.Context, url string, opt Options) (Condition, error) {
	open := openSQLite
	if IsPostgres(url) {
		open = openPostgres
	}
	db, err := open(ctx, url, Options{MaxConns: 2, Schema: opt.Schema})
	if err != nil {
		return Condition{}, fmt.Errorf("ledger: %w", err)
	}
	c, err := db.inspect(ctx)
	if err = errors.Join(err, db.Close()); err != nil {
		return Condition{}, fmt.Errorf("ledger: inspect: %w", err)
	}
	return c, nil
}

func (db *DB) inspect(ctx context.Context) (c Condition, err error) {
	p, err := db.provider()
	if err != nil {
		return c, err
	}
	found, err := db.findSchema(ctx, p)
	c.Schema, c.Known, c.Fault = found.version, found.known, found.check()
	usable := c.Schema >= c.Known && c.Fault == nil
	if err == nil && usable {
		c.Forwarder, c.ForwardedAt, err = db.forwarder(ctx)
	}
	if err == nil && usable {
		c.Keyed, c.Owners, err = db.ownerKeys(ctx)
	}
	if err != nil || db.Pool == nil {
		return c, err
	}
	err = db.Pool.QueryRow(ctx, conditionSQL).Scan(&c.Server, &c.MaxConnections, &c.Connections, &c.Replica)
	if err != nil {
		return c, err
	}
	rows, err := db.Pool.Query(ctx, unsafeSQL)
	if err != nil {
		return c, err
	}
	if c.Unsafe, err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil {
		return c, err
	}
	err = db.compareClock(ctx)
	c.Skew = time.Until(db.Now())
	return c, err
}

// Migrate migrates the schema of the ledger at `url` to the newest version of this program, like
// Open. A newer schema stays unchanged. Migrate returns the versions before and after.
func Migrate(ctx context.Context, url string, opt Options) (from, to int64, err error) {
	before, err := Inspect(ctx, url, opt)
	if err != nil {
		return 0, 0, err
	}
	db, err := Open(ctx, url, opt)
	if err != nil {
		return 0, 0, err
	}
	return before.Schema, max(before.Schema, before.Known), db.Close()
}
