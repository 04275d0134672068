package middleware

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/internal/periodic"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/queue"
)

// firstPause and lastPause are the shortest and the longest pause between two tries of a call to
// the ledger.
const (
	firstPause = 50 * time.Millisecond
	lastPause  = 2 * time.Second
)

// callTimeout bounds a call to the ledger that has no shorter timeout.
const callTimeout = 30 * time.Second

// steps holds the moves of a group, and a callback for each move. After the commit, the recorder
// calls each callback, and passes to it whether the ledger has made the move.
type steps struct {
	moves     []events.Move
	callbacks []func(made bool)
}

func (s *steps) add(m events.Move, done func(made bool)) {
	s.moves, s.callbacks = append(s.moves, m), append(s.callbacks, done)
}

// commit writes one group to the ledger and releases its ended runs. It returns false if the group
// is empty, or if the recorder gives up on an unreachable ledger. Otherwise the caller continues
// with the next group.
func (r *Recorder) commit(g group) bool {
	if g.empty() {
		return false
	}
	defer g.endAnnouncements()
	if !r.register() {
		return false
	}
	g.setProcess(r.by.Load())
	open, resting := r.readRechecks(g.rechecks)
	late := refusals{given: map[events.ID]bool{}}
	steps := r.steps(g, open, &late)
	if len(steps.moves)+len(resting) == 0 {
		return r.releaseGroup(g, late)
	}
	made, err := r.record(g.timeline, steps.moves)
	if errors.Is(err, events.ErrSetBack) {
		r.setBack(g, append(open, resting...))
		return true
	}
	if err != nil {
		return false // no run is released, so the jobs run again later
	}
	failpoint.Hit("committed")
	r.attest()
	for _, q := range resting {
		q.answer <- errAtRest
	}
	for i, done := range steps.callbacks {
		done(made[i])
	}
	return r.releaseGroup(g, late)
}

// releaseGroup handles the refused moves of a committed group, and releases its ended runs. It
// returns true.
func (r *Recorder) releaseGroup(g group, late refusals) bool {
	r.endRefused(late)
	for _, x := range g.ended {
		x.release()
	}
	r.opt.OnCommit()
	return true
}

// register registers this process in the ledger if it is not registered yet. It returns false if the
// recorder gives up.
func (r *Recorder) register() bool {
	return r.by.Load() != 0 || r.retryUntilDone("register", func() error {
		return r.tryRegister(callTimeout)
	})
}

// tryRegister tries once to register this process in the ledger.
func (r *Recorder) tryRegister(timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(r.ctx, timeout)
	defer cancel()
	by, err := r.ledger.Register(ctx, r.opt.runner())
	r.by.Store(by)
	return err
}

// refusals holds the runs and rechecks of a group whose moves the ledger has refused. The map `given`
// holds the jobs that a recheck has allowed to run. A group may recheck several runs of a job, of which
// only one may start.
type refusals struct {
	runs     []*run
	rechecks []*recheck
	given    map[events.ID]bool
}

// steps returns the moves of a group and their callbacks. If the ledger refuses a move, the callback
// adds the run or recheck to `late`.
func (r *Recorder) steps(g group, open []*recheck, late *refusals) (out steps) {
	most := len(open) + len(g.workingNoted) + len(g.ended)
	out.moves, out.callbacks = make([]events.Move, 0, most), make([]func(bool), 0, most)
	for _, q := range open {
		q.wrote = q.move()
		out.add(q.wrote, func(made bool) {
			if made {
				late.given[q.x.id] = true
				q.reply(true)
			} else {
				late.rechecks = append(late.rechecks, q)
			}
		})
	}
	for _, x := range g.workingNoted {
		x.wrote = x.announcement()
		out.add(x.wrote, func(made bool) {
			if x.workingNoted = made; !made {
				late.runs = append(late.runs, x)
			}
		})
	}
	for _, x := range g.ended {
		m, ok := x.move()
		if !ok {
			continue
		}
		x.wrote = m
		out.add(m, func(made bool) {
			if !made {
				late.runs = append(late.runs, x)
			}
		})
	}
	return out
}

// endRefused answers the rechecks whose moves were refused, and calls refuse for the runs. For example,
// another process has moved the event, or an earlier commit with a lost response has made the move. If a
// group rechecks a job more than once, at most one of the runs may start.
func (r *Recorder) endRefused(late refusals) {
	runs := slices.Clone(late.runs)
	for _, q := range late.rechecks {
		runs = append(runs, q.x)
	}
	if len(runs) == 0 {
		return
	}
	states, ok := r.states(runs)
	for _, q := range late.rechecks {
		ours := ok && !late.given[q.x.id] && q.made(states[q.x.id], r.opt.runner())
		if ours {
			late.given[q.x.id] = true
		}
		q.reply(ours)
	}
	for _, x := range late.runs {
		if ok {
			x.refuse(states[x.id])
		}
	}
}

// refuse handles a refused move of a run, according to the state of its event. If the move was to
// Working, the run goes on. If the event is already in the target state, an earlier commit with a lost
// response has made the move, and the outcome stays. If the job has ended or was deleted, the queue
// removes it. Otherwise the job goes back to the queue, and runs again after a check in the ledger.
func (x *run) refuse(now events.State) {
	same := now.Status == x.wrote.To && now.Attempt == x.wrote.Attempt
	if x.wrote.To == events.Working { // the run goes on, and a later move records its end
		x.workingNoted = same
		return
	}
	if same {
		return
	}
	if now.ID == 0 || now.Status.AtRest() {
		x.delivery.Resolve(queue.Outcome{Kind: queue.Done})
		return
	}
	x.delivery.Resolve(queue.Outcome{Kind: queue.Return, Redelivered: true})
}

// record writes moves to the ledger. It returns errAway if the recorder gives up, and
// events.ErrSetBack if the ledger was set back. If the ledger cannot store a move, record writes
// the moves one by one.
func (r *Recorder) record(timeline int64, moves []events.Move) (made []bool, err error) {
	begun := time.Now()
	var final error
	ok := r.retryUntilDone("record", func() (err error) {
		ctx, cancel := withTimeout(r.ctx)
		defer cancel()
		made, err = r.ledger.RecordIn(ctx, timeline, moves)
		if final = err; errors.Is(err, events.ErrValueRejected) || errors.Is(err, events.ErrSetBack) {
			return nil
		}
		return err
	})
	switch {
	case !ok:
		return nil, errAway
	case errors.Is(final, events.ErrValueRejected):
		return r.recordOneByOne(timeline, moves)
	}
	if final == nil {
		r.opt.OnGroup(len(moves), time.Since(begun))
	}
	return made, final
}

// recordOneByOne records the moves of a group one by one, after the ledger could not store at least one
// of them. If the ledger cannot store a move, recordOneByOne records a system fault in its place. It
// drops the move if the move leads to Working, or if the ledger cannot store the system fault either.
func (r *Recorder) recordOneByOne(timeline int64, moves []events.Move) (made []bool, err error) {
	if len(moves) > 1 {
		for _, m := range moves {
			one, err := r.record(timeline, []events.Move{m})
			if err != nil {
				return nil, err
			}
			made = append(made, one...)
		}
		return made, nil
	}
	m := moves[0]
	if m.Failure != nil && m.Failure.Code == codeUnfit || m.To == events.Working {
		r.opt.Log.Error("the ledger permanently rejects the new status of a job", "job", int64(m.ID))
		return []bool{false}, nil
	}
	m.To, m.Notes, m.Result, m.NextRunAt = events.Error, nil, nil, 0
	m.Failure = rowschema.System(codeUnfit, "unstorable", "")
	return r.record(timeline, []events.Move{m})
}

// codeUnfit is the failure code of an outcome that the ledger cannot store.
const codeUnfit = "OUTCOME_NOT_STORABLE"

func (r *Recorder) states(xs []*run) (states map[events.ID]events.State, ok bool) {
	ids := make([]events.ID, len(xs))
	for i, x := range xs {
		ids[i] = x.id
	}
	ok = r.retryUntilDone("ask", func() (err error) {
		ctx, cancel := withTimeout(r.ctx)
		defer cancel()
		states, err = r.ledger.States(ctx, ids)
		return err
	})
	return states, ok
}

// retryUntilDone repeats `f` until it succeeds, and then returns true. It returns false if the recorder
// gives up. If a response was lost, `f` may repeat a commit. The ledger then refuses the moves, since
// the events have already moved.
func (r *Recorder) retryUntilDone(verb string, f func() error) bool {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		err := f()
		if err == nil {
			return true
		}
		r.opt.Log.Error("ledger does not answer", "verb", verb, "err", err)
		if periodic.Pause(r.ctx, pause); r.ctx.Err() != nil {
			return false
		}
	}
}
