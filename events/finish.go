package events

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/textutil"
)

//go:embed sql/finish.sql
var finishSQL string

// FinishIn ends a job as finish, and moves the counts of its task, inside a
// transaction of the caller: see ledger.DB.Join for what it may be. Of the
// move, Attempt tells the run; where the event stands is found out. ErrStale
// means that the run is not the job's any more: roll back.
func (s *Store) FinishIn(ctx context.Context, tx any, m Move) error {
	own, err := s.db.Join(tx)
	if err != nil {
		return fmt.Errorf("events: finish %d: %w", m.ID, err)
	}
	if m.Since.Turn != s.Point().Turn {
		return fmt.Errorf("events: finish %d: %w", m.ID, ErrStale)
	}
	m.To = Finish
	noted, err := s.alive(ctx, own, []Move{m})
	if err != nil {
		return fmt.Errorf("events: finish %d: %w", m.ID, err)
	}
	// The recorder may move it from the first to the second between two looks.
	for _, from := range []State{{Status: Enqueue, Attempt: m.Attempt - 1}, {Status: Working, Attempt: m.Attempt}} {
		m.From, m.FromAttempt = from.Status, from.Attempt
		n, err := own.Exec(ctx, finishSQL, map[string]any{
			"id": int64(m.ID), "from": string(m.From), "from_attempt": m.FromAttempt, "attempt": m.Attempt,
			"result": textutil.Optional(string(m.Result)), "note": textutil.Optional(m.note()),
			"started_at": m.StartedAt, "finished_at": m.FinishedAt, "by": m.By,
			"witness": m.witness(), "seen": m.Since.Seen,
		})
		if err == nil && n > 0 {
			err = s.count(ctx, own, []change{m.change()})
		}
		if err == nil && n > 0 && m.Forget {
			err = forget(ctx, own, m.ID, m.ID)
		}
		if err != nil {
			return fmt.Errorf("events: finish %d: %w", m.ID, unfit(err))
		}
		if n > 0 {
			noted() // before the commit of the caller; after a rollback the next note comes in an hour
			return nil
		}
	}
	return fmt.Errorf("events: finish %d: %w", m.ID, ErrStale)
}

// witness is the name of the count that the ledger must have; empty if nothing was counted.
func (m *Move) witness() string {
	if m.Since.Seen == 0 {
		return ""
	}
	return m.Since.Name
}
