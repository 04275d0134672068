package middleware

import (
	"errors"
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/queue"
)

// errBefore means that an older row of the key still has the status Working in the ledger, so its
// outcome is not known.
var errBefore = errors.New("the outcome of an older row of the key is not known yet")

// keepFirst returns only the first delivery of a key if the kind has the option StopKey, or
// versions. Otherwise it returns all deliveries. The omitted deliveries go back to the queue. The
// queue delivers them after the commit of the first outcome, so that the ledger has this outcome.
func (t *tracker) keepFirst(list []*queue.Delivery) []*queue.Delivery {
	if !t.kind.StopKey && !t.versioned || len(list) < 2 {
		return list
	}
	for _, d := range list[1:] {
		d.Resolve(queue.Outcome{Kind: queue.Return})
	}
	return list[:1]
}

// needsCheck reports whether a run needs a check in the ledger because another row of its key may
// stop it. This can be a row in status Error, or a row with a greater version.
func (t *tracker) needsCheck(x *run) bool {
	return (t.kind.StopKey || t.versioned) && x.call.Key != x.call.ID
}

// stoppedMove returns a copy of `m` that ends the row in Error, because an older row of its key is in
// Error.
func (x *run) stoppedMove(m events.Move, older *events.State) events.Move {
	m.Attempt, m.StartedAt, m.QueuedAt = m.FromAttempt, 0, 0
	m.To, m.FinishedAt = events.Error, x.begun.UnixMilli()
	m.Failure = rowschema.Stopped(jobs.CodeStopped, older.Row, older.ID.Num() == x.id.Num())
	text := fmt.Sprintf("stopped, because the older row %s of its key is in error", older.ID.JobID(older.TaskID))
	m.Notes = append(m.Notes, x.note(x.begun, events.Error, text))
	return m
}
