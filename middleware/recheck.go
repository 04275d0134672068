package middleware

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"github.com/rollcall-dev/rollcall/events"
)

// recheck is a check of a job that may have run before, by its state in the ledger. After the death of a
// node or a loss of Redis, many checks come at once, so the recorder answers them in groups.
type recheck struct {
	x      *run
	peek   bool          // a first check, before the job takes a permit; a second check follows
	drop   bool          // the task is being canceled, so the job must not run
	past   events.State  // state of the job in the ledger
	newer  *events.State // a newer row of the key that has finished, so the job must not run
	older  *events.State // an older row of the key with status Error, so the job must not run
	wrote  events.Move   // the last move sent to the ledger for it
	answer chan error    // nil if the run may go on, errAtRest, or another fault
}

// lostText is the text of the note about a run whose process ended without an outcome.
const lostText = "lost: the process ended without an outcome, so the handler may have taken effect"

var (
	errAtRest = errors.New("at rest")
	errTaken  = errors.New("another run has taken the job")
	errAway   = errors.New("the ledger does not answer")
)

// claim checks in the ledger whether a job may run, and returns nil if so. It then also writes the
// event as working, so that the ledger refuses later writes of a run presumed dead. If `peek` is
// true, or if the method `unfenced` returns true for the job, claim does not write the event as
// working.
func (r *Recorder) claim(ctx context.Context, x *run, peek bool) error {
	q := &recheck{x: x, peek: peek, answer: make(chan error, 1)}
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

// readRechecks reads the states of the jobs in a group's rechecks. The result `open` holds the
// rechecks that need a move. The result `resting` holds the rechecks of jobs that have ended, were
// deleted, or have an old key. After the commit, the recorder makes the queue remove these jobs.
// readRechecks itself answers the other rechecks.
func (r *Recorder) readRechecks(rechecks []*recheck) (open, resting []*recheck) {
	if len(rechecks) == 0 {
		return nil, nil
	}
	xs := make([]*run, len(rechecks))
	for i, q := range rechecks {
		xs[i] = q.x
	}
	states, ok := r.states(xs)
	newer, found := r.newerStates(xs, states)
	ok = ok && found
	for _, q := range rechecks {
		state := states[q.x.id]
		switch {
		case !ok:
			q.answer <- errAway
		case state.TaskID != q.x.task || state.Status.AtRest(), // deleted, or from another ledger
			q.x.hasOldKey(state): // the current copy of the job has the new key
			resting = append(resting, q)
		case state.Stop < 0 && q.x.stops && !state.Canceling:
			q.answer <- errBefore
		default:
			q.past = state
			q.x.updateParams(state)
			q.drop = state.Canceling
			if by, is := newer[state.Newer]; is && !q.x.unordered {
				q.newer = &by
			}
			if by, is := newer[state.Stop]; is && q.x.stops {
				q.older = &by
			}
			q.x.from, q.x.attempt, q.x.begun = state.Status, state.Attempt, r.opt.Now()
			q.x.spared = state.Spared
			if !q.mustNotRun() && (q.peek || q.x.unfenced(state)) {
				q.answer <- nil
				continue
			}
			open = append(open, q)
		}
	}
	return open, resting
}

// unfenced reports whether a job may run before its event is written as working. It returns true for pooled
// jobs. A pooled job waits for its handler, and would count as working meanwhile. The writes and the outcome
// of a pooled job are one transaction, so the ledger refuses both if another run has recorded an outcome.
// unfenced returns false for a job that is already working in the ledger. It also returns false for a
// resubmitted job, whose row may still change.
func (x *run) unfenced(s events.State) bool {
	return x.pooled && s.Status == events.Enqueue && !s.Resubmitted
}

// hasOldKey reports whether the job is an old copy of a resubmitted job, pushed before a user
// changed the key of its row.
func (x *run) hasOldKey(s events.State) bool {
	return s.Resubmitted && cmp.Or(s.Key, x.call.ID) != x.call.Key
}

// updateParams replaces the params of a resubmitted job by the params of the row. The job may have
// been pushed before a user edited the row.
func (x *run) updateParams(s events.State) {
	if s.Resubmitted {
		x.call.Params = json.RawMessage(s.Params)
	}
}

// reply ends the waiting call of the method `claim`. The argument `made` reports whether the ledger has made
// the move.
func (q *recheck) reply(made bool) {
	switch {
	case !made:
		q.answer <- errTaken
	case q.mustNotRun():
		q.answer <- errAtRest
	default:
		q.x.workingNoted = true
		q.answer <- nil
	}
}

// mustNotRun reports whether the task of the job is being canceled, or another row supersedes or stops the
// job.
func (q *recheck) mustNotRun() bool { return q.drop || q.newer != nil || q.older != nil }

// made reports whether an earlier commit, whose response was lost, has written the job as working
// for this run of this process.
func (q *recheck) made(now events.State, by events.Runner) bool {
	return q.wrote.To == events.Working && now.Status == events.Working && now.Attempt == q.wrote.Attempt &&
		now.StartedAt == q.wrote.StartedAt && now.Runner == by
}

// lostNote returns a note about the run presumed dead. It returns nil if the job is not working in the
// ledger.
func (q *recheck) lostNote() []events.Note {
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

// move returns the move of a recheck. Normally the move writes the job as working. If another row
// supersedes or stops the job, the move ends the job. If the task is being canceled, the move cancels
// the job. A job of such a task that is working in the ledger first goes back to Enqueue.
func (q *recheck) move() events.Move {
	m := q.x.announcement()
	m.Notes = q.lostNote()
	switch {
	case !q.drop && q.newer != nil:
		return q.x.supersededMove(m, q.newer)
	case !q.drop && q.older != nil:
		return q.x.stoppedMove(m, q.older)
	case !q.drop:
		return m
	}
	m.Attempt, m.StartedAt, m.QueuedAt = m.FromAttempt, 0, 0
	m.To = events.Enqueue
	if m.From == events.Enqueue {
		m.To, m.FinishedAt = events.Canceled, q.x.begun.UnixMilli()
		m.Notes = q.unconfirmedNote()
	}
	return m
}

// unconfirmedNote returns a note about a canceled job that may have run in a process that died. It returns
// nil if no process can have run the job.
func (q *recheck) unconfirmedNote() []events.Note {
	if !q.x.doubted {
		return nil
	}
	return []events.Note{{
		At: q.x.begun.UnixMilli(), Attempt: q.x.attempt + 1, Status: events.Canceled,
		Text:  "canceled, but an earlier process may have run it, so the handler may have taken effect",
		Ended: &events.Ending{Outcome: events.Loss},
	}}
}
