// Package ledger opens the database with the durable state of Rollcall.
//
// Promise: this program can use the schema of an open ledger. Open applies pending migrations under a lock,
// and rejects a newer schema that this program cannot use. A URL opens Postgres, and a path opens a SQLite
// file.
//
// The package handles connections, transactions, the schema and the clock. A Witness counts commits, so
// that a restored ledger is detected. Other packages, such as tasks and events, run their own statements.
package ledger

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"gorm.io/gorm"
)

// DB is an open ledger. Close it once, after all of its users have stopped.
type DB struct {
	// Read runs queries. On Postgres it is the same as Write.
	Read *gorm.DB

	// Write makes changes. On SQLite it has a single connection, and starts transactions with BEGIN
	// IMMEDIATE, so that writers wait instead of failing.
	Write *gorm.DB

	// Pool is the Postgres pool under Read and Write, for COPY and arrays. It is nil on SQLite.
	Pool *pgxpool.Pool

	names *names
	clock clock
	close []func() error
}

// Options holds the settings of Open and OpenOn. The zero value is valid.
type Options struct {
	// MaxConns bounds the connections of a Postgres pool that the ledger opens. Default 12, at
	// least 2.
	MaxConns int32

	// Schema is the name of the schema with the tables on Postgres. Default DefaultSchema.
	Schema string

	// Now returns the time on SQLite. Default time.Now.
	Now func() time.Time
}

// Open opens and migrates the ledger at `url`: "postgres://…" or, for SQLite, the path of a file,
// whose folder must exist.
func Open(ctx context.Context, url string, opt Options) (*DB, error) {
	open := openSQLite
	if IsPostgres(url) {
		open = openPostgres
	}
	db, err := open(ctx, url, opt)
	if err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	return db.start(ctx, opt)
}

// start migrates an opened database and starts its clock.
func (db *DB) start(ctx context.Context, opt Options) (*DB, error) {
	db.clock.own = opt.Now
	if err := db.migrate(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("ledger: migrate: %w", err), db.Close())
	}
	if err := db.startClock(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("ledger: clock: %w", err), db.Close())
	}
	return db, nil
}

// IsPostgres reports whether `url` names a Postgres database.
func IsPostgres(url string) bool {
	return strings.HasPrefix(url, "postgres://") || strings.HasPrefix(url, "postgresql://")
}

// Close closes all connections that the ledger has opened.
func (db *DB) Close() error {
	var errs []error
	for _, c := range db.close {
		errs = append(errs, c())
	}
	return errors.Join(errs...)
}

// Ping returns an error if the database does not answer.
func (db *DB) Ping(ctx context.Context) error {
	return db.Read.WithContext(ctx).Exec("SELECT 1").Error
}
