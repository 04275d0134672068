package tasks

import (
	"cmp"
	"context"

	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// These are the actions on a task in its audit log. Package internal/decisions writes the actions on its
// rows.
const (
	ActCreate = "create" // not in the table of the log; Creation returns it
	ActPause  = "pause"
	ActResume = "resume"
	ActCancel = "cancel"
)

// system is the actor of actions without a user, such as canceling a child with its parent.
const system = "system"

// As returns a store that writes to the audit log under the given actor. The store that New returns
// writes under the actor "system".
func (s *Store) As(actor string) *Store {
	own := *s
	own.actor = actor
	return &own
}

// Creation returns the first entry of a task's audit log: its creation. The table of the log does
// not contain this entry.
func Creation(t *Task) audit.Entry {
	return audit.Entry{
		Subject: audit.Task(t.Num), At: t.CreatedAt, Actor: cmp.Or(t.CreatedBy, t.Tenant), Act: ActCreate,
	}
}

// note writes an action on a task to the audit log of the task.
func (s *Store) note(ctx context.Context, tx ledger.Tx, num int64, act string) error {
	return audit.Write(ctx, tx, audit.Entry{
		Subject: audit.Task(num), At: s.now().UnixMilli(), Actor: cmp.Or(s.actor, system), Act: act,
	})
}
