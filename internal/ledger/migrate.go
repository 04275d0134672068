package ledger

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/pressly/goose/v3"

	"github.com/rollcall-dev/rollcall/deployments/migrations"
)

var (
	//go:embed sql/tables.sql
	tablesSQL string
	//go:embed sql/tables_sqlite.sql
	tablesSQLiteSQL string
	//go:embed sql/versions.sql
	versionsSQL string
	//go:embed sql/versions_sqlite.sql
	versionsSQLiteSQL string
	//go:embed sql/schema.sql
	schemaSQL string
	//go:embed sql/oldest.sql
	oldestSQL string
)

// These are the reasons why a schema cannot be used.
var (
	// ErrSchema means that a newer version of Rollcall has migrated the database, and that this
	// version can no longer use the schema. Start a newer version.
	ErrSchema = errors.New("schema is too new for this program")

	// ErrIncomplete means that tables of the schema's version are missing. Restore the database.
	ErrIncomplete = errors.New("schema lacks tables")

	// ErrForeign means that the schema has tables of another program, or of a version of Rollcall
	// before the first release. Choose another schema, or another file of SQLite.
	ErrForeign = errors.New("schema has tables that Rollcall did not create")
)

// versionTable is the name of the table that lists the applied migrations. The migrations of a host
// program must use another table.
const versionTable = "schema_version"

// migrate migrates the schema to the newest version. If processes start together, one migrates and the
// others wait.
func (db *DB) migrate(ctx context.Context) error {
	p, err := db.provider()
	if err != nil {
		return err
	}
	if ready, err := db.isReady(ctx, p); ready || err != nil {
		return err
	}
	return db.whileAlone(ctx, func() error {
		if ready, err := db.isReady(ctx, p); ready || err != nil {
			return err
		}
		if err := db.makeSchema(ctx); err != nil {
			return err
		}
		_, err := p.Up(ctx)
		return err
	})
}

// isReady reports whether no migration is pending. A newer schema is ready, too, if this program can
// use it.
func (db *DB) isReady(ctx context.Context, p *goose.Provider) (bool, error) {
	found, err := db.findSchema(ctx, p)
	if err == nil {
		err = found.check()
	}
	return found.version >= found.known, err
}

// foundSchema is the state of the tables of this program in a database.
type foundSchema struct {
	version, known int64
	oldest         int64    // the schema version that a program needs to use this schema; 0 if version is at most known
	tables         []string // existing tables
	missing        []string
}

// check returns an error if this program can neither use nor migrate the schema.
func (s foundSchema) check() error {
	switch {
	case s.oldest > s.known:
		return fmt.Errorf("%w: it has version %d and needs a program with version %d or newer; this program has version %d",
			ErrSchema, s.version, s.oldest, s.known)
	case s.version >= s.known && len(s.missing) > 0:
		return fmt.Errorf("%w: version %d without %s", ErrIncomplete, s.version, strings.Join(s.missing, ", "))
	case s.version == 0 && len(s.tables) > 0:
		return fmt.Errorf("%w: %s", ErrForeign, strings.Join(s.tables, ", "))
	}
	return nil
}

// provider returns the migrations of the database.
func (db *DB) provider() (*goose.Provider, error) {
	pool, err := db.Write.DB()
	if err != nil {
		return nil, err
	}
	dialect, folder := db.dialect()
	files, err := fs.Sub(migrations.Files, folder)
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(dialect, pool, files,
		goose.WithDisableGlobalRegistry(true), goose.WithTableName(db.names.table(versionTable)))
}

// dialect returns the SQL dialect of the database, and the folder of its migrations.
func (db *DB) dialect() (goose.Dialect, string) {
	if db.Pool == nil {
		return goose.DialectSQLite3, "sqlite"
	}
	return goose.DialectPostgres, "postgres"
}

// findSchema compares the tables of the database with the tables that the migrations create. It does not
// change the database. Another process may migrate between the read of the tables and the read of the
// version. findSchema therefore repeats both reads until two successive versions are equal. The tables of
// the last read then belong to this version.
func (db *DB) findSchema(ctx context.Context, p *goose.Provider) (s foundSchema, err error) {
	for before := int64(-1); ; before = s.version {
		if s, err = db.readSchema(ctx, p); err != nil || s.version == before {
			return s, err
		}
	}
}

func (db *DB) readSchema(ctx context.Context, p *goose.Provider) (s foundSchema, err error) {
	there, err := db.tables(ctx)
	if err != nil {
		return s, err
	}
	for _, source := range p.ListSources() {
		s.known = max(s.known, source.Version)
	}
	_, folder := db.dialect()
	for _, name := range migrations.Tables(folder) {
		if there[name] {
			s.tables = append(s.tables, name)
		} else {
			s.missing = append(s.missing, name)
		}
	}
	if !there[versionTable] {
		return s, nil
	}
	own, err := db.ownVersions(ctx)
	switch {
	case err != nil:
	case own:
		s.version, err = p.GetDBVersion(ctx)
		if err == nil && s.version > s.known && there["ledger"] {
			_, err = Row(ctx, db.Reader(), oldestSQL, nil, &s.oldest)
		}
	default:
		s.tables = append(s.tables, versionTable)
	}
	return s, err
}

// ownVersions reports whether the table of versions has the columns of Rollcall's migrations.
func (db *DB) ownVersions(ctx context.Context) (bool, error) {
	text := versionsSQL
	if db.Pool == nil {
		text = versionsSQLiteSQL
	}
	var columns int
	_, err := Row(ctx, db.Reader(), text, Args{"schema": db.names.schema, "table": versionTable}, &columns)
	return columns == 2, err
}

func (db *DB) tables(ctx context.Context) (map[string]bool, error) {
	text, args := tablesSQL, Args{"schema": db.names.schema}
	if db.Pool == nil {
		text, args = tablesSQLiteSQL, nil
	}
	there := map[string]bool{}
	err := db.Reader().Query(ctx, text, args, func(scan Scan) error {
		var name string
		err := scan(&name)
		there[name] = true
		return err
	})
	return there, err
}

// makeSchema creates the schema on Postgres if it is missing. A role without the right to create a
// schema can use an existing one.
func (db *DB) makeSchema(ctx context.Context) error {
	if db.Pool == nil {
		return nil
	}
	var plain, there bool
	_, err := Row(ctx, db.Reader(), schemaSQL, Args{"schema": db.names.schema}, &plain, &there)
	if err != nil || there {
		return err
	}
	if !plain {
		return fmt.Errorf("%q is a reserved word of SQL: choose another name for the schema", db.names.schema)
	}
	_, err = db.Pool.Exec(ctx, "CREATE SCHEMA "+db.names.schema)
	return err
}

// whileAlone runs f while no other process migrates this schema. A transaction holds the lock, because a
// pooler such as PgBouncer may run each transaction on another connection. The pool must allow
// leastConns connections. On SQLite only one process uses the database.
func (db *DB) whileAlone(ctx context.Context, f func() error) error {
	if db.Pool == nil {
		return f()
	}
	if db.Pool.Config().MaxConns < leastConns {
		return fmt.Errorf("a pool of %d connections is too small: the ledger needs %d", db.Pool.Config().MaxConns, leastConns)
	}
	return db.pgTx(ctx, func(tx Tx) error {
		if _, err := tx.Exec(ctx, "SET LOCAL idle_in_transaction_session_timeout = 0", nil); err != nil {
			return err
		}
		if err := awaitLock(ctx, tx, "rollcall migrations of "+db.names.schema); err != nil {
			return err
		}
		return f()
	})
}

// leastConns is the least size of a pool, since one connection holds the lock while another migrates.
const leastConns = 2

// lockPoll is the interval at which a process tries to get a lock that another process holds.
const lockPoll = 100 * time.Millisecond

const lockSQL = "SELECT pg_try_advisory_xact_lock(hashtextextended(@name, 0))"

// awaitLock gets a lock of Postgres for the rest of a transaction. It polls, since a waiting statement
// would block CREATE INDEX CONCURRENTLY of the process that has the lock.
func awaitLock(ctx context.Context, tx Tx, name string) error {
	for {
		var got bool
		if _, err := Row(ctx, tx, lockSQL, Args{"name": name}, &got); err != nil || got {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lockPoll):
		}
	}
}
