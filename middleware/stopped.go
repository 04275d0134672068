package middleware

import (
	"errors"
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/queue"
)

// errBefore means that an older row of the key is still written as working although its run is over.
// Whether that row has died will be written later.
var errBefore = errors.New("the end of an older row of the key is not known yet")

// single keeps the first of the deliveries of a key, for a kind that stops keys or has versions. The
// others go back and are fetched after the outcome of the first is committed, so that the ledger has
// this outcome.
func (t *tracker) single(list []*queue.Delivery) []*queue.Delivery {
	if !t.kind.StopKey && !t.versioned || len(list) < 2 {
		return list
	}
	for _, d := range list[1:] {
		d.Resolve(queue.Outcome{Kind: queue.Return})
	}
	return list[:1]
}

// asksFirst reports whether another row of the key may stop a run: a row that has died, or a row with
// a greater version.
func (t *tracker) asksFirst(x *run) bool {
	return (t.kind.StopKey || t.versioned) && x.call.Key != x.call.ID
}

// stopped returns the move of a row that does not run because an older row of its key has died: m
// with this outcome.
func (x *run) stopped(m events.Move, older *events.State) events.Move {
	m.Attempt, m.StartedAt, m.QueuedAt = m.FromAttempt, 0, 0
	m.To, m.FinishedAt = events.Error, x.begun.UnixMilli()
	m.Failure = rowschema.Stopped(jobs.CodeStopped, older.Row, older.ID.Num() == x.id.Num())
	text := fmt.Sprintf("stopped behind %s, which has died", older.ID.JobID(older.TaskID))
	m.Notes = append(m.Notes, x.note(x.begun, events.Error, text))
	return m
}
