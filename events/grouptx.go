package events

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// groupsAtOnce is the maximum number of GroupTx that a process has open at once on Postgres. More
// would not be faster, and would take connections from other callers. On SQLite only one is open at
// once, so that another writer waits for at most one GroupTx.
const groupsAtOnce = 4

// errRefused rolls back a GroupTx in which a move was refused.
var errRefused = errors.New("the state machine rejected a move")

// GroupTx is a transaction that contains the effects of handlers and the moves of their jobs. It is not
// safe for concurrent use.
type GroupTx struct {
	*ledger.ManualTx
	store *Store
	ended bool
}

// Begin starts a GroupTx. On Postgres it waits while groupsAtOnce of them are open. On SQLite it waits
// while one is open or another writer writes. On SQLite, the GroupTx is rolled back when `ctx` ends; on
// Postgres, only when the context of a running statement ends. The caller must always call Record or
// Rollback.
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
	return &GroupTx{ManualTx: held, store: s}, nil
}

// OneWriter reports whether the ledger allows only one writer at a time, as SQLite does.
func (s *Store) OneWriter() bool { return s.db.Pool == nil }

// Rollback rolls back the group. After Record or Rollback it is a no-op.
func (g *GroupTx) Rollback() {
	if g.ended {
		return
	}
	g.ended = true
	g.ManualTx.Rollback()
	<-g.store.groupsOpen
}

// Record makes moves like Store.RecordIn, and commits them with the effects of the handlers. If the
// ledger refuses a move, for example because another run has ended the job, Record commits nothing. The
// result `made` is then false for the refused moves. The other moves are not made either, although
// `made` is true for them. After an error nothing is committed, unless the connection was lost during
// the commit. Record ends the GroupTx.
func (g *GroupTx) Record(ctx context.Context, timeline int64, moves []Move) (made []bool, err error) {
	defer g.Rollback()
	s := g.store
	first, err := unique(moves)
	if err != nil {
		return nil, err
	}
	done := func() {}
	err = s.witness.CommitHeld(ctx, timeline, g.ManualTx, func(tx ledger.Tx) (err error) {
		if done, err = s.recordAlive(ctx, tx, first); err != nil {
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
		return nil, fmt.Errorf("events: record %d moves and effects: %w", len(moves), ValueRejected(err))
	}
	done()
	return made, nil
}
