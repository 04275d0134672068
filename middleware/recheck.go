package middleware

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"github.com/rollcall-dev/rollcall/events"
)

// recheck is a check of a job that may have run before. Many checks come at once after the death of a
// node or a wipe of Redis, so they are answered in groups.
type recheck struct {
	x      *run
	drop   bool          // its task is being canceled, so it must not run
	past   events.State  // its state in the ledger
	newer  *events.State // a newer row of its key that has finished, so it must not run
	older  *events.State // an older row of its key that has died, so it must not run
	wrote  events.Move   // the last move sent to the ledger for it
	answer chan error    // errAtRest, another fault, or nil: the run may go on
}

// lostText is the note of a run whose process ended without an outcome.
const lostText = "lost: the process ended without an outcome, so the effect may stand"

var (
	errAtRest = errors.New("at rest")
	errTaken  = errors.New("another run was faster")
	errAway   = errors.New("the ledger does not answer")
)

// claim checks in the ledger whether a job may run. If so, it writes the event as working at once,
// which fences a run presumed dead.
func (r *Recorder) claim(ctx context.Context, x *run) error {
	q := &recheck{x: x, answer: make(chan error, 1)}
	r.mu.Lock()
	r.rechecks = append(r.rechecks, q)
	r.mu.Unlock()
	r.wake.Signal()
	select {
	case err := <-q.answer:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-r.ctx.Done():
		return errAway
	}
}

// readRechecks reads the states of the jobs of a group. It returns the jobs that may run, and the
// ended jobs, which have no answer yet.
func (r *Recorder) readRechecks(rechecks []*recheck) (open, resting []*recheck) {
	if len(rechecks) == 0 {
		return nil, nil
	}
	xs := make([]*run, len(rechecks))
	for i, q := range rechecks {
		xs[i] = q.x
	}
	states, ok := r.states(xs)
	newer, found := r.newer(xs, states)
	ok = ok && found
	for _, q := range rechecks {
		state := states[q.x.id]
		switch {
		case !ok:
			q.answer <- errAway
		case state.TaskID != q.x.task || state.Status.Rest(), // deleted, or from another ledger
			q.x.moved(state): // the current job is fed under its new key
			resting = append(resting, q)
		case state.Stop < 0 && q.x.stops && !state.Canceling:
			q.answer <- errBefore
		default:
			q.past = state
			q.x.repaired(state)
			q.drop = state.Canceling
			if by, is := newer[state.Newer]; is && !q.x.unordered {
				q.newer = &by
			}
			if by, is := newer[state.Stop]; is && q.x.stops {
				q.older = &by
			}
			q.x.from, q.x.attempt, q.x.begun = state.Status, state.Attempt, r.opt.Now()
			q.x.spared = state.Spared
			open = append(open, q)
		}
	}
	return open, resting
}

// moved reports whether the job is an old copy from before a user changed the key of the row.
func (x *run) moved(s events.State) bool {
	return s.Resubmitted && cmp.Or(s.Key, x.call.ID) != x.call.Key
}

// repaired updates the params of the run from the row: the job may be a copy from before an edit.
func (x *run) repaired(s events.State) {
	if s.Resubmitted {
		x.call.Params = json.RawMessage(s.Params)
	}
}

// tell sends the result of the commit to the waiting claim.
func (q *recheck) tell(made bool) {
	switch {
	case !made:
		q.answer <- errTaken
	case q.drop, q.newer != nil, q.older != nil:
		q.answer <- errAtRest
	default:
		q.x.workingNoted = true
		q.answer <- nil
	}
}

// made reports whether a commit whose answer was lost has written the job as working, by this
// process and for this run.
func (q *recheck) made(now events.State, by events.Runner) bool {
	return q.wrote.To == events.Working && now.Status == events.Working && now.Attempt == q.wrote.Attempt &&
		now.StartedAt == q.wrote.StartedAt && now.Runner == by
}

// lost returns the note of a run presumed dead, or none if there was no such run.
func (q *recheck) lost() []events.Note {
	if q.past.Status != events.Working {
		return nil
	}
	return []events.Note{{
		At: q.x.begun.UnixMilli(), Attempt: q.past.Attempt, Status: events.Enqueue,
		Text: lostText, Worker: q.past.Worker, Build: q.past.Build,
		Ended: &events.Ending{
			Outcome: events.Loss, QueuedAt: q.past.QueuedAt, StartedAt: q.past.StartedAt,
		},
	}}
}

// move returns the move that fences a run presumed dead. A job of a task that is being canceled is
// canceled. A job presumed dead is first enqueued again, since it may have run.
func (q *recheck) move() events.Move {
	m := q.x.announcement()
	m.Notes = q.lost()
	switch {
	case !q.drop && q.newer != nil:
		return q.x.superseded(m, q.newer)
	case !q.drop && q.older != nil:
		return q.x.stopped(m, q.older)
	case !q.drop:
		return m
	}
	m.Attempt, m.StartedAt, m.QueuedAt = m.FromAttempt, 0, 0
	m.To = events.Enqueue
	if m.From == events.Enqueue {
		m.To, m.FinishedAt = events.Canceled, q.x.begun.UnixMilli()
		m.Notes = q.unconfirmed()
	}
	return m
}

// unconfirmed returns the note of a canceled job that a dead process may have run without writing it
// as working. It returns none if no process can have run the job.
func (q *recheck) unconfirmed() []events.Note {
	if !q.x.doubted {
		return nil
	}
	return []events.Note{{
		At: q.x.begun.UnixMilli(), Attempt: q.x.attempt + 1, Status: events.Canceled,
		Text:  "canceled, but a process that ended may have run it, so the effect may stand",
		Ended: &events.Ending{Outcome: events.Loss},
	}}
}
