package tasks

import (
	"cmp"
	"context"

	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// The acts on a task in its audit log. Package events writes the acts on its rows: patch, fix, open,
// skip and resubmit.
const (
	ActCreate = "create" // not in the log: see Task.Creation
	ActPause  = "pause"
	ActResume = "resume"
	ActCancel = "cancel"
)

// system is the actor of acts without a user, such as canceling a child with its parent.
const system = "system"

// As returns a store whose acts have the given actor in the audit log. The actor of the
// store that New returns is "system".
func (s *Store) As(actor string) *Store {
	own := *s
	own.actor = actor
	return &own
}

// Creation returns the oldest entry of the task's audit log.
func Creation(t *Task) audit.Entry {
	return audit.Entry{
		Subject: audit.Task(t.Num), At: t.CreatedAt, Actor: cmp.Or(t.CreatedBy, t.Tenant), Act: ActCreate,
	}
}

// note writes an act on a task to its audit log.
func (s *Store) note(ctx context.Context, tx ledger.Tx, num int64, act string) error {
	return audit.Write(ctx, tx, audit.Entry{
		Subject: audit.Task(num), At: s.now().UnixMilli(), Actor: cmp.Or(s.actor, system), Act: act,
	})
}
