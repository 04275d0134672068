package middleware

import (
	"context"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/queue"
)

// recordCrashed records in the ledger that jobs have ended in error. The queue has moved these jobs to the
// morgue after repeated crashes of their process. recordCrashed skips jobs whose handler returned an error:
// the recorder has recorded them, and users may have resubmitted them meanwhile.
func (t *tracker) recordCrashed(ctx context.Context, dead []queue.DeadJob) {
	var ids []events.ID
	rows := map[events.ID]jobs.Envelope{}
	for _, d := range dead {
		if env, err := jobs.Unpack(d.Payload); err == nil && d.Crashed {
			ids, rows[env.Event] = append(ids, env.Event), env
		}
	}
	if len(ids) == 0 {
		return
	}
	ctx, cancel := withTimeout(ctx)
	defer cancel()
	states, err := t.rec.ledger.States(ctx, ids)
	if err == nil {
		_, err = t.rec.ledger.RecordIn(ctx, t.rec.ledger.Point().Timeline, t.crashMoves(states, rows))
		t.rec.attest()
	}
	if err != nil {
		t.rec.opt.Log.Error("the end of jobs in the morgue is not recorded", "queue", t.kind.Name, "jobs", len(ids), "err", err)
	}
}

// crashMoves returns moves to Error for the jobs that have not ended in the ledger.
func (t *tracker) crashMoves(states map[events.ID]events.State, rows map[events.ID]jobs.Envelope) []events.Move {
	now := t.rec.opt.Now().UnixMilli()
	var out []events.Move
	for id, state := range states {
		if state.Status.AtRest() || state.TaskID != rows[id].TaskID {
			continue
		}
		out = append(out, events.Move{
			ID: id, TaskID: rows[id].TaskID, Row: rows[id].Row, From: state.Status, FromAttempt: state.Attempt,
			To: events.Error, Attempt: max(state.Attempt, 1), FinishedAt: now,
			Failure: rowschema.System(jobs.CodeCrashed, "crashed", ""),
			Notes: []events.Note{{
				At: now, Attempt: state.Attempt, Status: events.Error, Worker: t.rec.opt.Worker, Build: t.rec.opt.Build,
				Text: "moved to the morgue after crashes",
			}},
		})
	}
	return out
}
