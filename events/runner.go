package events

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/runner.sql
	runnerSQL string
	//go:embed sql/seen.sql
	seenSQL string
	//go:embed sql/return_runner.sql
	returnRunnerSQL string
	//go:embed sql/forget_runners.sql
	forgetRunnersSQL string
)

// seenEvery is the least interval at which a runner records that it is alive. A runner may have run rows
// for up to seenSlack after its last record.
const (
	seenEvery = time.Hour
	seenSlack = 24 * time.Hour
)

// forgetChunk is the maximum number of runners that one statement of ForgetRunners deletes.
const forgetChunk = 1000

// Runner is a process that runs rows.
type Runner struct {
	Worker string // name of the process
	Build  string // version of its program; empty if unknown
}

// Register stores a runner, and returns its number for Move.By. A runner that is already stored
// keeps its number.
func (s *Store) Register(ctx context.Context, r Runner) (by int32, err error) {
	_, err = ledger.Row(ctx, s.db.Writer(), runnerSQL, ledger.Args{
		"worker": storable(r.Worker, maxName), "build": storable(r.Build, maxName), "now": s.now().UnixMilli(),
	}, &by)
	if err != nil {
		return 0, fmt.Errorf("events: register runner %q: %w", r.Worker, err)
	}
	s.known.Store(by, Runner{storable(r.Worker, maxName), storable(r.Build, maxName)})
	s.seen.Store(by, s.now().UnixMilli())
	return by, nil
}

// recordAlive records, once per seenEvery, that the runner of moves is alive. A runner that
// ForgetRunners has deleted gets its number back. The caller must call `done` after the commit. The
// caller must call recordAlive before any statement that locks rows or tasks, since every transaction
// locks the runner first.
func (s *Store) recordAlive(ctx context.Context, tx ledger.Tx, moves []Move) (done func(), err error) {
	done = func() {}
	i := slices.IndexFunc(moves, func(m Move) bool { return m.By != 0 })
	if i < 0 {
		return done, nil
	}
	by, now := moves[i].By, s.now().UnixMilli()
	last, _ := s.seen.Load(by)
	if at, ok := last.(int64); ok && now-at < seenEvery.Milliseconds() {
		return done, nil
	}
	n, err := tx.Exec(ctx, seenSQL, ledger.Args{"num": by, "now": now})
	if known, ok := s.known.Load(by); err == nil && n == 0 && ok {
		r, _ := known.(Runner)
		_, err = tx.Exec(ctx, returnRunnerSQL, ledger.Args{"num": by, "worker": r.Worker, "build": r.Build, "now": now})
	}
	return func() { s.seen.Store(by, now) }, err
}

// ForgetRunners deletes runners that no kept row refers to, in short transactions, and returns
// their number. No kept row refers to a runner if every kept task was created more than a day after
// the last record of the runner. The newest runner is kept.
func (s *Store) ForgetRunners(ctx context.Context) (gone int64, err error) {
	for {
		n, err := s.db.Writer().Exec(ctx, forgetRunnersSQL, ledger.Args{
			"before": s.now().Add(-seenSlack).UnixMilli(), "slack": seenSlack.Milliseconds(), "most": forgetChunk,
		})
		if gone += n; err != nil {
			return gone, fmt.Errorf("events: forget runners: %w", err)
		}
		if n < forgetChunk {
			return gone, nil
		}
	}
}

// Runner returns the runner with the number `*by`. For nil and for an unknown number it returns the
// zero Runner. A runner never changes, so Runner reads each stored runner only once. It still
// returns a runner that ForgetRunners has deleted since.
func (s *Store) Runner(ctx context.Context, by *int32) (Runner, error) {
	if by == nil {
		return Runner{}, nil
	}
	if known, ok := s.known.Load(*by); ok {
		r, _ := known.(Runner)
		return r, nil
	}
	var r Runner
	err := s.db.Read.WithContext(ctx).Table("rollcall.runners").Where("num = ?", *by).Take(&r).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return Runner{}, nil
	}
	if err != nil {
		return Runner{}, fmt.Errorf("events: runner %d: %w", *by, err)
	}
	s.known.Store(*by, r)
	return r, nil
}
