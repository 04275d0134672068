package events

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// groupsAtOnce is how many GroupTx of a process are open at once on Postgres. More would not be
// faster, and would take the connections of other callers. On SQLite one is open at once, so that
// other writers wait for one at most.
const groupsAtOnce = 4

// errRefused ends a GroupTx in which a move was refused.
var errRefused = errors.New("a move was refused")

// GroupTx is a transaction that holds the effects of handlers and the moves of their jobs:
// both are committed, or neither. It serves one goroutine at a time.
type GroupTx struct {
	*ledger.Held
	store *Store
	ended bool
}

// Begin starts a GroupTx. It waits for a free place, and on SQLite for other writers. The
// GroupTx is rolled back when ctx ends; the caller ends it in any case.
func (s *Store) Begin(ctx context.Context) (*GroupTx, error) {
	select {
	case s.groupsOpen <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("events: begin a group: %w", context.Cause(ctx))
	}
	held, err := s.db.Begin(ctx)
	if err != nil {
		<-s.groupsOpen
		return nil, fmt.Errorf("events: begin a group: %w", err)
	}
	return &GroupTx{Held: held, store: s}, nil
}

// OneWriter reports whether the ledger allows one writer at a time. Other writers then wait for its
// end.
func (s *Store) OneWriter() bool { return s.db.Pool == nil }

// Rollback ends the group without effect. After the end of the group it is a no-op.
func (g *GroupTx) Rollback() {
	if g.ended {
		return
	}
	g.ended = true
	g.Held.Rollback()
	<-g.store.groupsOpen
}

// Record makes the moves, as Store.RecordIn does in a turn, and commits them with the effects. If the
// ledger refuses a move, Record commits nothing, and made shows the refused move. The job has ended
// elsewhere, so its effects must not be committed. After an error nothing is committed, unless the
// answer of the database was lost. Record ends the group.
func (g *GroupTx) Record(ctx context.Context, turn int64, moves []Move) (made []bool, err error) {
	defer g.Rollback()
	s := g.store
	first, err := unique(moves)
	if err != nil {
		return nil, err
	}
	noted := func() {}
	err = s.witness.CommitHeld(ctx, turn, g.Held, func(tx ledger.Tx) (err error) {
		if noted, err = s.alive(ctx, tx, first); err != nil {
			return err
		}
		if made, err = s.record(ctx, tx, first, len(moves)); err != nil {
			return err
		}
		if slices.Contains(made, false) {
			return errRefused
		}
		return nil
	})
	if errors.Is(err, errRefused) {
		return made, nil
	}
	if err != nil {
		return nil, fmt.Errorf("events: record %d moves and effects: %w", len(moves), Unfit(err))
	}
	noted()
	return made, nil
}
