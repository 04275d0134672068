package testenv

import "path/filepath"

// Runner is the part of [testing.T] that [Ledgers] needs; X is *testing.T.
type Runner[X any] interface {
	T
	Parallel()
	TempDir() string
	Run(name string, story func(X)) bool
}

// Ledgers tells a story of a ledger on both databases, side by side and beside
// other tests: url is that of an SQLite file that is not there yet, and of an
// empty database of [Postgres].
func Ledgers[X Runner[X]](t X, story func(t X, url string)) {
	t.Helper()
	t.Parallel()
	t.Run("sqlite", func(t X) {
		t.Parallel()
		story(t, filepath.Join(t.TempDir(), "ledger.db"))
	})
	t.Run("postgres", func(t X) {
		t.Parallel()
		story(t, Postgres(t))
	})
}
