package events

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/record.sql
	recordSQL string
	//go:embed sql/record_plain.sql
	recordPlainSQL string
	//go:embed sql/unresolve.sql
	unresolveSQL string
	//go:embed sql/supersede.sql
	supersedeSQL string
	//go:embed sql/count_resolved.sql
	countResolvedSQL string
)

// errIllegal means that Move.Legal returns false for a move, which is a bug of the caller.
var errIllegal = errors.New("move is not allowed by the state machine")

// Record makes the moves that still apply and updates the counts of their tasks, in one transaction. It
// ends a task if all its jobs are then at rest. The result `made` reports for each move whether it was
// made. A late move changes no event and no count. Of several moves of one event, Record tries only the
// first. Without moves, it makes an empty commit. After an error, it has made no move, unless the
// connection was lost during the commit. It returns ErrSetBack if the ledger lacks commits of this
// process, or if a task number now belongs to another task. It returns ErrValueRejected if the database
// rejects a value.
func (s *Store) Record(ctx context.Context, moves []Move) (made []bool, err error) {
	return s.RecordIn(ctx, s.Point().Timeline, moves)
}

// RecordIn is like Record, for moves that the caller decided while the field Timeline of Point had the
// given value. It also returns ErrSetBack if the ledger was set back since then.
func (s *Store) RecordIn(ctx context.Context, timeline int64, moves []Move) (made []bool, err error) {
	first, err := unique(moves)
	if err != nil {
		return nil, err
	}
	done := func() {}
	err = s.witness.InTimeline(ctx, timeline, func(tx ledger.Tx) (err error) {
		if len(first) == 0 {
			return nil
		}
		if done, err = s.recordAlive(ctx, tx, first); err != nil {
			return err
		}
		made, err = s.record(ctx, tx, first, len(moves))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("events: record %d moves: %w", len(moves), ValueRejected(err))
	}
	done()
	return made, nil
}

// record makes the moves that still apply, and updates error groups, resolutions, counts and tasks. The
// result has `n` items. The item with the index Move.at reports whether that move was made.
func (s *Store) record(ctx context.Context, tx ledger.Tx, first []Move, n int) ([]bool, error) {
	if err := revoke(ctx, tx, first); err != nil {
		return nil, err
	}
	left, err := leaving(ctx, tx, first)
	if err != nil {
		return nil, err
	}
	if first, err = boundPrints(ctx, tx, first); err != nil {
		return nil, err
	}
	done, err := s.move(ctx, tx, first)
	if err != nil {
		return nil, err
	}
	made := make([]bool, n)
	changes := make([]change, 0, len(done))
	for _, m := range done {
		made[m.at] = true
		c := m.change()
		if l, ok := left[m.ID]; ok {
			c.left = &l
		}
		changes = append(changes, c)
		if m.Forget && m.To.AtRest() {
			if err := ForgetCheckpoints(ctx, tx, m.ID, m.ID); err != nil {
				return nil, err
			}
		}
	}
	if err := resolve(ctx, tx, changes); err != nil {
		return nil, err
	}
	if err := s.count(ctx, tx, changes); err != nil {
		return nil, err
	}
	return made, s.groups(ctx, tx, changes)
}

// resolve deletes the resolutions of rows that are no longer bad, and stores the resolution of
// superseded rows.
func resolve(ctx context.Context, tx ledger.Tx, changes []change) error {
	by := resolved{}
	var left, superseded []int64
	for _, c := range changes {
		id := int64(NewID(c.num, c.seq))
		if c.left != nil && c.left.resolution != "" {
			by.move(c.num, c.left.resolution, "")
			left = append(left, id)
		}
		if c.res == Superseded {
			by.move(c.num, "", c.res)
			superseded = append(superseded, id)
		}
	}
	if err := each(ctx, tx, unresolveSQL, left); err != nil {
		return err
	}
	if err := each(ctx, tx, supersedeSQL, superseded); err != nil {
		return err
	}
	return by.count(ctx, tx)
}

func each(ctx context.Context, tx ledger.Tx, text string, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	_, err := ledger.Bulk(ctx, tx, text, ledger.Args{"ids": ids})
	return err
}

// ValueRejected adds ErrValueRejected to an error with which the database rejects a value. It returns other errors,
// and nil, unchanged.
func ValueRejected(err error) error {
	if ledger.ValueRejected(err) {
		return fmt.Errorf("%w: %w", ErrValueRejected, err)
	}
	return err
}

// unique returns the first move of each event, in a form that the ledger can store. It returns
// errIllegal if a move is illegal.
func unique(moves []Move) ([]Move, error) {
	seen := make(map[ID]bool, len(moves))
	out := make([]Move, 0, len(moves))
	for i, m := range moves {
		if !m.Legal() {
			return nil, fmt.Errorf("events: record %d: %s to %s: %w", m.ID, m.From, m.To, errIllegal)
		}
		if m.Failure != nil || m.To.Bad() {
			f := m.failure().Clean()
			m.Failure = &f
		}
		m.end()
		if !seen[m.ID] {
			seen[m.ID] = true
			m.at = i
			out = append(out, m)
		}
	}
	return out, nil
}

// move updates the events and returns the moves that were made.
func (s *Store) move(ctx context.Context, tx ledger.Tx, moves []Move) (made []Move, err error) {
	plain, rest := shapes(moves)
	made = make([]Move, 0, len(moves))
	for _, group := range plain {
		if made, err = applyMoves(ctx, tx, recordPlainSQL, plainColumns(group), group, made); err != nil {
			return nil, err
		}
	}
	if len(rest) == 0 {
		return made, nil
	}
	return applyMoves(ctx, tx, recordSQL, columns(rest), rest, made)
}

// applyMoves runs a statement for moves. It appends the applied moves to the argument `made`, and
// returns the result.
func applyMoves(
	ctx context.Context, tx ledger.Tx, text string, args ledger.Args, moves, made []Move,
) ([]Move, error) {
	done, err := ledger.Bulk(ctx, tx, text, args)
	for i := range done {
		if done[i] {
			made = append(made, moves[i])
		}
	}
	return made, err
}
