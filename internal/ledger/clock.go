package ledger

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/internal/periodic"
)

// clockEvery is the interval at which the clock is compared with the database. clockTimeout bounds a
// comparison. Differences below clockSlack plus the duration of the query are ignored, so that a slow
// query does not set the time back.
const (
	clockEvery   = 30 * time.Second
	clockTimeout = 5 * time.Second
	clockSlack   = 200 * time.Millisecond
)

const clockSQL = "SELECT cast(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)"

// clock holds the result of an earlier query for the time of the database. DB.Now adds the time
// since that query, by the monotonic clock of this machine.
type clock struct {
	base atomic.Pointer[[2]time.Time] // the time of the database, and the local time of that moment
	own  func() time.Time             // the time on SQLite; nil means the time of this machine
}

// Now returns the time of the ledger. On Postgres it is the time of the server, so that all
// processes agree even if the clocks of their machines differ. On SQLite, where only one process
// uses the ledger, it is Options.Now, by default the time of this machine.
func (db *DB) Now() time.Time {
	base := db.clock.base.Load()
	if base == nil && db.clock.own != nil {
		return db.clock.own()
	}
	if base == nil {
		return failpoint.Skewed(time.Now())
	}
	return base[0].Add(time.Since(base[1]))
}

// startClock compares the clock with the database at once, and then every clockEvery until Close. On
// SQLite it is a no-op.
func (db *DB) startClock(ctx context.Context) error {
	if db.Pool == nil {
		return nil
	}
	if err := db.compareClock(ctx); err != nil {
		return err
	}
	stop := periodic.Beside(context.WithoutCancel(ctx), clockEvery, func(ctx context.Context) {
		_ = db.compareClock(ctx) // after an error, the clock continues by the local clock
	})
	db.close = append([]func() error{func() error { stop(); return nil }}, db.close...)
	return nil
}

// compareClock sets the clock to the time of the database. It assumes that the database read its
// time in the middle of the query. A clock that differs by less than clockSlack plus the duration
// of the query stays unchanged.
func (db *DB) compareClock(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, clockTimeout)
	defer cancel()
	asked := time.Now()
	var ms int64
	if err := db.Pool.QueryRow(ctx, clockSQL).Scan(&ms); err != nil {
		return err
	}
	heard := time.Now()
	there := time.UnixMilli(ms).Add(heard.Sub(asked) / 2)
	if db.clock.base.Load() != nil && there.Sub(db.Now()).Abs() < clockSlack+heard.Sub(asked) {
		return nil
	}
	db.clock.base.Store(&[2]time.Time{there, heard})
	return nil
}
