// Package ledgers gives tests ledgers of their own, with nothing but the schema in
// them. Migrations run once in a process; each ledger is a copy of what they left.
//
// What migrations do to a ledger that is older or shared is for tests that open an
// empty one: a file that is not there, or a database of [testenv.Postgres].
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

// Runner is the part of [testing.T] that [Each] needs; X is *testing.T.
type Runner[X any] interface {
	T
	Parallel()
	Run(name string, story func(X)) bool
}

// Each runs a story on both databases, in parallel with each other and with other tests.
// It is for packages whose statements differ by database: the stores, and feeding.
func Each[X Runner[X]](t X, story func(t X, url string)) {
	t.Helper()
	run(t, true, story)
}

// ByTier runs a story on SQLite, and in `make test-all` on Postgres, too. It is for
// packages that reach a database only through the stores.
func ByTier[X Runner[X]](t X, story func(t X, url string)) {
	t.Helper()
	run(t, testenv.All, story)
}

func run[X Runner[X]](t X, postgres bool, story func(t X, url string)) {
	t.Helper()
	t.Parallel()
	t.Run("sqlite", func(t X) {
		t.Parallel()
		story(t, SQLite(t))
	})
	if !postgres {
		return
	}
	t.Run("postgres", func(t X) {
		t.Parallel()
		story(t, Postgres(t))
	})
}

// Postgres is the URL of a ledger on the server that tests share.
func Postgres(t T) string {
	t.Helper()
	return testenv.PostgresLike(t, migrate)
}

// SQLite is the file of a ledger, in a folder that goes with the test.
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

// empty is the content of a file of SQLite that was migrated.
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
