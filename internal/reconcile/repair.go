package reconcile

import (
	"context"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
)

// repairLost pushes a stray that Redis does not have, and records one in the morgue as an error.
// The ledger notes first that the job comes late: newer rows of its key may have finished, and
// then it does not run. repairLost reports whether it did anything: a row that has ended, or
// that feeders push again under a newer mark, is no stray.
func (s finder) repairLost(ctx context.Context, task lanes.Feed, one lostJob, now time.Time) (mended bool, err error) {
	e := &one.event
	if one.dead {
		made, err := s.events.Record(ctx, []events.Move{deadMove(e, now)})
		return err == nil && made[0], err
	}
	noted, err := s.events.NoteStray(ctx, e.ID, one.mark)
	if err != nil || !noted {
		return false, err
	}
	job := feed.JobOf(task, feed.AskFirst(one.mark), e)
	job.Redelivered = true
	return true, s.client.Push(ctx, job)
}

// deadMove is the move of an event whose job is in the morgue: the process died
// before it told the ledger, or an operator has sent it there.
func deadMove(e *events.Event, now time.Time) events.Move {
	return events.Move{
		ID: e.ID, Row: e.Row, From: e.Status, FromAttempt: e.Attempt,
		To: events.Error, Attempt: max(e.Attempt, 1), FinishedAt: now.UnixMilli(),
		Failure: rowschema.System(jobs.CodeCrashed, "given_up", ""),
		Notes: []events.Note{{
			At: now.UnixMilli(), Attempt: e.Attempt, Status: events.Error,
			Text: "found in the morgue, which the ledger had not been told of",
		}},
	}
}
