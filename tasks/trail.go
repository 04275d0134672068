package tasks

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/note_act.sql
	noteActSQL string
	//go:embed sql/trail.sql
	trailSQL string
	//go:embed sql/purge_audit.sql
	purgeAuditSQL string
)

// What was done to a task. Package events notes what was done to its rows:
// patch, fix, open, skip and resubmit.
const (
	ActCreate = "create" // not noted: the task's row tells when and by whom
	ActPause  = "pause"
	ActResume = "resume"
	ActCancel = "cancel"
)

// system is who does what no person asked for, such as cancelling a child with
// its parent.
const system = "system"

// Entry is one act in the audit of a task.
type Entry struct {
	Num    int64  // grows with time; the cursor of a page
	At     int64  // unix ms
	Actor  string // who
	Act    string
	Seq    int64  // the row; 0 if it is about several, or about the task
	Rows   int64  // how many rows
	Detail string // JSON; empty: nothing to add
}

// As is the store for what somebody does: the audit names them. The store that
// New returned is for what no person asked for.
func (s *Store) As(actor string) *Store {
	own := *s
	own.actor = actor
	return &own
}

// Trail returns what was done to the task with number num, newest first, up to
// limit entries with numbers below before; 0 is no bound.
func (s *Store) Trail(ctx context.Context, num, before int64, limit int) (out []Entry, err error) {
	if before == 0 {
		before = 1 << 62
	}
	err = s.db.View(ctx, func(tx ledger.Tx) error {
		out = nil
		return tx.Query(ctx, trailSQL, ledger.Args{"num": num, "before": before, "most": limit},
			func(scan ledger.Scan) error {
				var e Entry
				err := scan(&e.Num, &e.At, &e.Actor, &e.Act, &e.Seq, &e.Rows, &e.Detail)
				out = append(out, e)
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("tasks: trail of %d: %w", num, err)
	}
	return out, nil
}

// note notes an act on a task.
func (s *Store) note(ctx context.Context, tx ledger.Tx, num int64, act string) error {
	actor := s.actor
	if actor == "" {
		actor = system
	}
	_, err := tx.Exec(ctx, noteActSQL, ledger.Args{
		"num": num, "now": s.now().UnixMilli(), "by": actor, "act": act,
	})
	return err
}
