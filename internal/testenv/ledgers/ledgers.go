// Package ledgers gives each test a ledger that contains only the schema. Migrations run once per
// process, and each ledger is a copy of the migrated one.
//
// Tests of migrations on older or shared ledgers do not use this package. They open an empty ledger: a
// missing file, or a database of [testenv.Postgres].
package ledgers

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// T is the part of [testing.TB] that the package needs.
type T interface {
	testenv.T
	TempDir() string
}

// Runner is the part of [testing.T] that [Each] needs. The type X is *testing.T.
type Runner[X any] interface {
	T
	Parallel()
	Run(name string, story func(X)) bool
}

// Each runs a test once on SQLite and once on Postgres, both in parallel with other tests. It is for
// packages whose statements differ by database.
func Each[X Runner[X]](t X, story func(t X, url string)) {
	t.Helper()
	run(t, true, true, story)
}

// ByTier runs a test on SQLite in `make test`, and on Postgres in `make test-all`. It is for packages
// that use a database only through the stores, and for tests whose statements another test runs on
// Postgres. With the tag `all` but without the race detector, it runs the test on both.
func ByTier[X Runner[X]](t X, story func(t X, url string)) {
	t.Helper()
	run(t, !testenv.All || !testenv.Race, testenv.All, story)
}

func run[X Runner[X]](t X, sqlite, postgres bool, story func(t X, url string)) {
	t.Helper()
	t.Parallel()
	if sqlite {
		t.Run("sqlite", func(t X) {
			t.Parallel()
			story(t, SQLite(t))
		})
	}
	if postgres {
		t.Run("postgres", func(t X) {
			t.Parallel()
			story(t, Postgres(t))
		})
	}
}

// Postgres returns the URL of a ledger on the shared server.
func Postgres(t T) string {
	t.Helper()
	return testenv.PostgresLike(t, migrate)
}

// SQLite returns the path of a ledger file, in a folder that is removed when the test ends.
func SQLite(t T) string {
	t.Helper()
	file, err := empty()
	if err != nil {
		t.Fatalf("ledgers: %v", err)
	}
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatalf("ledgers: %v", err)
	}
	return path
}

// empty returns the content of a migrated SQLite file.
var empty = sync.OnceValues(func() (_ []byte, err error) {
	dir, err := os.MkdirTemp("", "rollcall-ledger-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "ledger.db")
	if err := migrate(path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

func migrate(url string) error {
	db, err := ledger.Open(context.Background(), url, ledger.Options{MaxConns: 2})
	if err != nil {
		return err
	}
	return db.Close()
}
