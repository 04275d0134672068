package middleware

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"github.com/rollcall-dev/rollcall/events"
)

// ask is a question to the ledger about a job that may have run before. Many
// come at once when a node died or Redis was wiped, so they are answered in
// groups.
type ask struct {
	x      *run
	drop   bool          // its task is being canceled: it is not to run
	past   events.State  // where the ledger had it
	newer  *events.State // a newer row of its key that has finished: it is not to run
	wrote  events.Move   // the last move that was asked of the ledger for it
	answer chan error    // errAtRest, another fault, or nil: it is ours to run
}

// lostText is the note of a run whose process ended without an outcome.
const lostText = "lost: the process ended without an outcome, so the effect may stand"

var (
	errAtRest = errors.New("at rest")
	errTaken  = errors.New("another run was faster")
	errAway   = errors.New("the ledger does not answer")
)

// claim asks the ledger whether a job is to run. If so, the event has been
// written as working, at once, which fences the run that was given up for dead.
func (r *Recorder) claim(ctx context.Context, x *run) error {
	q := &ask{x: x, answer: make(chan error, 1)}
	r.mu.Lock()
	r.asked = append(r.asked, q)
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

// look reads where the jobs of a group stand. It returns those to be run, and those that
// are at rest, which have no answer yet.
func (r *Recorder) look(asked []*ask) (open, resting []*ask) {
	if len(asked) == 0 {
		return nil, nil
	}
	xs := make([]*run, len(asked))
	for i, q := range asked {
		xs[i] = q.x
	}
	states, ok := r.states(xs)
	newer, found := r.newer(xs, states)
	ok = ok && found
	for _, q := range asked {
		state := states[q.x.id]
		switch {
		case !ok:
			q.answer <- errAway
		case state.TaskID != q.x.task || state.Status.Rest(), // gone, or another ledger's
			q.x.moved(state): // what counts is fed under its key
			resting = append(resting, q)
		default:
			q.past = state
			q.x.repaired(state)
			q.drop = state.Canceling
			if by, is := newer[state.Newer]; is && !q.x.unordered {
				q.newer = &by
			}
			q.x.from, q.x.attempt, q.x.begun = state.Status, state.Attempt, r.opt.Now()
			q.x.spared = state.Spared
			open = append(open, q)
		}
	}
	return open, resting
}

// moved tells that the job is a copy of before a person gave the row another key.
func (x *run) moved(s events.State) bool {
	return s.Resubmitted && cmp.Or(s.Key, x.call.ID) != x.call.Key
}

// repaired gives the run what the row holds by now: the job may be a copy of before
// it was edited.
func (x *run) repaired(s events.State) {
	if s.Resubmitted {
		x.call.Params = json.RawMessage(s.Params)
	}
}

// tell answers after the commit.
func (q *ask) tell(made bool) {
	switch {
	case !made:
		q.answer <- errTaken
	case q.drop, q.newer != nil:
		q.answer <- errAtRest
	default:
		q.x.announced = true
		q.answer <- nil
	}
}

// made reports whether a commit whose answer was lost has written the job as working, by a runner
// and for this run.
func (q *ask) made(now events.State, by events.Runner) bool {
	return q.wrote.To == events.Working && now.Status == events.Working && now.Attempt == q.wrote.Attempt &&
		now.StartedAt == q.wrote.StartedAt && now.Runner == by
}

// lost is the note of a run that was given up for dead; none if there was no such run.
func (q *ask) lost() []events.Note {
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

// move fences a run given up for dead. A job of a task that is being canceled
// is canceled; one that was given up goes back before, since it may have run.
func (q *ask) move() events.Move {
	m := q.x.announcement()
	m.Notes = q.lost()
	switch {
	case !q.drop && q.newer != nil:
		return q.x.superseded(m, q.newer)
	case !q.drop:
		return m
	}
	m.Attempt, m.StartedAt, m.QueuedAt = m.FromAttempt, 0, 0
	m.To = events.Enqueue
	if m.From == events.Enqueue {
		m.To, m.FinishedAt = events.Canceled, q.x.begun.UnixMilli()
		m.Notes = q.doubted()
	}
	return m
}

// doubted is the note of a canceled job that an ended process may have run: its run was
// too short to be announced. None if no process can have run the job.
func (q *ask) doubted() []events.Note {
	if !q.x.doubted {
		return nil
	}
	return []events.Note{{
		At: q.x.begun.UnixMilli(), Attempt: q.x.attempt + 1, Status: events.Canceled,
		Text:  "canceled, but a process that ended may have run it, so the effect may stand",
		Ended: &events.Ending{Outcome: events.Loss},
	}}
}
