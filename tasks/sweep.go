package tasks

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/sweeping.sql
	sweepingSQL string
	//go:embed sql/swept.sql
	sweptSQL string
	//go:embed sql/sweep_groups.sql
	sweepGroupsSQL string
	//go:embed sql/sweep_audit.sql
	sweepAuditSQL string
	//go:embed sql/sweep_acts.sql
	sweepActsSQL string
	//go:embed sql/sweep_notices.sql
	sweepNoticesSQL string
)

// Left is the value of column sweep. It states which records of a purged task Sweep has still to delete.
// 0 means none.
type Left int16

// These are the values of Left.
const (
	LeftRecords Left = 1 // audit log, undo records, error groups, notifications
	LeftRows    Left = 2 // these records, and the rows
)

// Remains is a purged task with records to delete.
type Remains struct {
	Num  int64
	Left Left
}

// sweepChunk is the maximum number of records that one transaction deletes.
const sweepChunk = 1000

// Sweeping returns purged tasks with records to delete, in the order of their numbers. It returns at
// most `most` tasks, with numbers above `after`.
func (s *Store) Sweeping(ctx context.Context, after int64, most int) ([]Remains, error) {
	args := ledger.Args{"after": after, "most": most}
	out, err := ledger.List(ctx, s.db.Reader(), sweepingSQL, args, func(scan ledger.Scan, r *Remains) error {
		return scan(&r.Num, &r.Left)
	})
	if err != nil {
		return nil, fmt.Errorf("tasks: sweeping: %w", err)
	}
	return out, nil
}

// Sweep deletes the remaining records of a purged task, in short transactions. It calls `eraseRows`
// to delete the records of package events and, with LeftRows, the rows. Sweep may be repeated, and
// may run in several processes at once.
func (s *Store) Sweep(ctx context.Context, r Remains, eraseRows func(ctx context.Context, num int64, rows bool) error) error {
	whole := r.Left == LeftRows
	if err := eraseRows(ctx, r.Num, whole); err != nil {
		return err
	}
	args := ledger.Args{"num": r.Num, "subject": audit.Task(r.Num), "whole": whole, "most": sweepChunk}
	for _, text := range []string{sweepGroupsSQL, sweepAuditSQL, sweepActsSQL, sweepNoticesSQL} {
		if err := s.sweep(ctx, text, args); err != nil {
			return fmt.Errorf("tasks: sweep task %d: %w", r.Num, err)
		}
	}
	return s.exec(ctx, "sweep", sweptSQL, ledger.Args{"num": r.Num})
}

// sweep repeats a statement that deletes up to sweepChunk records, until all are deleted.
func (s *Store) sweep(ctx context.Context, text string, args ledger.Args) error {
	for {
		n, err := s.db.Writer().Exec(ctx, text, args)
		if err != nil || n < sweepChunk {
			return err
		}
	}
}
