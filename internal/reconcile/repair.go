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

// repairLost pushes a lost job again. Before the push it records that the job may be outdated. The
// job then does not run if a newer row of its key has finished. If the job is in the morgue,
// repairLost ends its row with the status error, and pushes nothing. repairLost reports whether it
// repaired the job. It repairs nothing if the row has ended meanwhile, or if feeders push the row
// again under a newer mark.
func (s finder) repairLost(ctx context.Context, task lanes.Feed, lost lostJob, now time.Time) (mended bool, err error) {
	e := &lost.event
	if lost.dead {
		made, err := s.events.Record(ctx, []events.Move{deadMove(e, now)})
		return err == nil && made[0], err
	}
	noted, err := s.events.NoteStray(ctx, e.ID, lost.mark)
	if err != nil || !noted {
		return false, err
	}
	job := feed.JobOf(task, feed.AskFirst(lost.mark), e)
	job.Redelivered = true
	return true, s.client.Push(ctx, job)
}

// deadMove returns the events.Move that ends an event with the status error, because its job is in the
// morgue. Either a worker died before it recorded the end, or an operator has moved the job to the morgue.
func deadMove(e *events.Event, now time.Time) events.Move {
	return events.Move{
		ID: e.ID, Row: e.Row, From: e.Status, FromAttempt: e.Attempt,
		To: events.Error, Attempt: max(e.Attempt, 1), FinishedAt: now.UnixMilli(),
		Failure: rowschema.System(jobs.CodeCrashed, "given_up", ""),
		Notes: []events.Note{{
			At: now.UnixMilli(), Attempt: e.Attempt, Status: events.Error,
			Text: "the job was found in the morgue, and its end was not recorded",
		}},
	}
}
