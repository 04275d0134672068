package ledger

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3/driver"
	"github.com/ncruces/go-sqlite3/gormlite"
	"gorm.io/gorm"
)

// readers is the number of connections that read a SQLite ledger in parallel.
const readers = 4

// openSQLite opens one writer and a pool of readers on the file at `path`. With WAL the connections
// work in parallel. With synchronous FULL a commit survives a kill of the process and a power
// failure.
func openSQLite(ctx context.Context, path string, _ Options) (*DB, error) {
	makePrivate(path)
	db := &DB{names: namesOf("")}
	if err := db.openPools(ctx, path); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// openPools opens the writer and the readers. After an error the caller calls DB.Close.
func (db *DB) openPools(ctx context.Context, path string) error {
	writer, err := openFile(path, "immediate", 1, db.names)
	if err != nil {
		return err
	}
	db.close = []func() error{writer.Close}
	if err := writer.PingContext(ctx); err != nil { // the first connection switches the file to WAL
		return err
	}
	reader, err := openFile(path, "deferred", readers, db.names)
	if err != nil {
		return err
	}
	db.close = []func() error{reader.Close, writer.Close}
	if db.Write, err = gorm.Open(gormlite.OpenDB(writer), gormConfig()); err != nil {
		return err
	}
	db.Read, err = gorm.Open(gormlite.OpenDB(reader), gormConfig())
	return err
}

// makePrivate creates the files of a new database so that only their owner can read them. SQLite
// creates the write-ahead log with the mode of the database. makePrivate ignores errors: SQLite
// opens the files next, and reports them.
func makePrivate(path string) {
	for _, name := range []string{path, path + "-shm"} {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			_ = f.Close()
		}
	}
}

func openFile(path, lock string, conns int, n *names) (*sql.DB, error) {
	pragmas := []string{
		"busy_timeout(10000)", "journal_mode(wal)", "synchronous(full)", "foreign_keys(on)",
	}
	q := url.Values{"_pragma": pragmas, "_txlock": {lock}, "modeof": {path}}
	query := strings.ReplaceAll(q.Encode(), "+", "%20") // SQLite does not decode a plus
	u := url.URL{Scheme: "file", Opaque: url.PathEscape(path), RawQuery: query}
	connector, err := (&driver.SQLite{}).OpenConnector(u.String())
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(cachingConnector{connector, n})
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	db.SetConnMaxLifetime(time.Duration(0))
	return db, nil
}
