package events

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/runner.sql
var runnerSQL string

// Runner names a process that runs rows.
type Runner struct {
	Worker string // name of the process
	Build  string // version of its program; empty: unknown
}

// Register stores a runner, and returns its number for Move.By. Repeating it is
// harmless: the same runner keeps its number.
func (s *Store) Register(ctx context.Context, r Runner) (by int32, err error) {
	_, err = ledger.Row(ctx, s.db.Writer(), runnerSQL, ledger.Args{
		"worker": storable(r.Worker, maxName), "build": storable(r.Build, maxName), "now": s.now().UnixMilli(),
	}, &by)
	if err != nil {
		return 0, fmt.Errorf("events: register runner %q: %w", r.Worker, err)
	}
	return by, nil
}

// Runner returns the runner with a number, the zero Runner for nil. A runner never changes,
// so each is read once.
func (s *Store) Runner(ctx context.Context, by *int32) (Runner, error) {
	if by == nil {
		return Runner{}, nil
	}
	if known, ok := s.known.Load(*by); ok {
		r, _ := known.(Runner)
		return r, nil
	}
	var r Runner
	err := s.db.Read.WithContext(ctx).Table("runners").Where("num = ?", *by).Take(&r).Error
	if err != nil {
		return Runner{}, fmt.Errorf("events: runner %d: %w", *by, err)
	}
	s.known.Store(*by, r)
	return r, nil
}
