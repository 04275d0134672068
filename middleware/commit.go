package middleware

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/queue"
)

// The pauses between attempts while the ledger is unreachable.
const (
	firstPause = 50 * time.Millisecond
	lastPause  = 2 * time.Second
)

// callTimeout bounds one call to the ledger.
const callTimeout = 30 * time.Second

// steps are the moves of a group, with a callback for the result of each.
type steps struct {
	moves []events.Move
	told  []func(made bool)
}

func (s *steps) add(m events.Move, told func(made bool)) {
	s.moves, s.told = append(s.moves, m), append(s.told, told)
}

// commit writes one group and releases its runs. It reports whether there may be more to commit at
// once.
func (r *Recorder) commit(g group) bool {
	if g.empty() {
		return false
	}
	defer g.heard()
	if !r.register() {
		return false
	}
	g.sign(r.by.Load())
	open, resting := r.readRechecks(g.rechecks)
	late := refusals{given: map[events.ID]bool{}}
	steps := r.steps(g, open, &late)
	if len(steps.moves)+len(resting) == 0 {
		return r.close(g, late)
	}
	made, err := r.record(g.turn, steps.moves)
	if errors.Is(err, events.ErrSetBack) {
		r.setBack(g, append(open, resting...))
		return true
	}
	if err != nil {
		return false // no run is released, so the jobs run again elsewhere
	}
	failpoint.Hit("committed")
	r.attest()
	for _, q := range resting {
		q.answer <- errAtRest
	}
	for i, told := range steps.told {
		told(made[i])
	}
	return r.close(g, late)
}

// close releases the runs of a group that was committed.
func (r *Recorder) close(g group, late refusals) bool {
	r.settle(late)
	for _, x := range g.ended {
		x.release()
	}
	r.opt.OnCommit()
	return true
}

// register registers this process in the ledger, once. It reports whether the process has a number.
func (r *Recorder) register() bool {
	return r.by.Load() != 0 || r.retryUntilDone("register", func() error {
		return r.introduce(callTimeout)
	})
}

// introduce makes one attempt to register this process in the ledger.
func (r *Recorder) introduce(timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(r.ctx, timeout)
	defer cancel()
	by, err := r.ledger.Register(ctx, r.opt.runner())
	r.by.Store(by)
	return err
}

// refusals holds the refused moves of a group, and the jobs of the group that a run may start.
type refusals struct {
	runs     []*run
	rechecks []*recheck
	given    map[events.ID]bool
}

// steps returns the moves of a group. It collects refused moves in late.
func (r *Recorder) steps(g group, open []*recheck, late *refusals) (out steps) {
	most := len(open) + len(g.workingNoted) + len(g.ended)
	out.moves, out.told = make([]events.Move, 0, most), make([]func(bool), 0, most)
	for _, q := range open {
		q.wrote = q.move()
		out.add(q.wrote, func(made bool) {
			if made {
				late.given[q.x.id] = true
				q.tell(true)
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

// settle ends the runs of refused moves. Another process has moved the event meanwhile, or a commit
// whose answer was lost has made the move. If a group checks a job more than once, only one run may
// start.
func (r *Recorder) settle(late refusals) {
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
		q.tell(ours)
	}
	for _, x := range late.runs {
		if ok {
			x.refuse(states[x.id])
		}
	}
}

// refuse ends a run whose outcome came late. A job that has ended or was deleted is done. Any other
// job runs again, after a check in the ledger. If the process has lost its lease, the queue accepts
// neither outcome. If the event is already in the target state of the move, a commit whose answer was
// lost has made it.
func (x *run) refuse(now events.State) {
	same := now.Status == x.wrote.To && now.Attempt == x.wrote.Attempt
	if x.wrote.To == events.Working { // the run goes on; its end settles it
		x.workingNoted = same
		return
	}
	if same {
		return
	}
	if now.ID == 0 || now.Status.Rest() {
		x.delivery.Resolve(queue.Outcome{Kind: queue.Done})
		return
	}
	x.delivery.Resolve(queue.Outcome{Kind: queue.Return, Redelivered: true})
}

// record writes moves. It returns errAway if the recorder gave up, and events.ErrSetBack if the ledger
// was set back.
func (r *Recorder) record(turn int64, moves []events.Move) (made []bool, err error) {
	begun := time.Now()
	var final error
	ok := r.retryUntilDone("record", func() (err error) {
		ctx, cancel := withTimeout(r.ctx)
		defer cancel()
		made, err = r.ledger.RecordIn(ctx, turn, moves)
		if final = err; errors.Is(err, events.ErrUnfit) || errors.Is(err, events.ErrSetBack) {
			return nil
		}
		return err
	})
	switch {
	case !ok:
		return nil, errAway
	case errors.Is(final, events.ErrUnfit):
		return r.recordOneByOne(turn, moves)
	}
	if final == nil {
		r.opt.OnGroup(len(moves), time.Since(begun))
	}
	return made, final
}

// recordOneByOne records a group with a move that the ledger cannot store: one by one, the unfit ones as
// faults without their texts.
func (r *Recorder) recordOneByOne(turn int64, moves []events.Move) (made []bool, err error) {
	if len(moves) > 1 {
		for _, m := range moves {
			one, err := r.record(turn, []events.Move{m})
			if err != nil {
				return nil, err
			}
			made = append(made, one...)
		}
		return made, nil
	}
	m := moves[0]
	if m.Failure != nil && m.Failure.Code == codeUnfit || m.To == events.Working {
		r.opt.Log.Error("the ledger refuses a move for good", "job", int64(m.ID))
		return []bool{false}, nil
	}
	m.To, m.Notes, m.Result, m.NextRunAt = events.Error, nil, nil, 0
	m.Failure = rowschema.System(codeUnfit, "unstorable", "")
	return r.record(turn, []events.Move{m})
}

// codeUnfit is the code of an outcome that the ledger cannot store.
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

// retryUntilDone repeats f until it succeeds or the recorder gives up. Repeating a commit whose answer was
// lost is harmless: its moves are refused, and the events have already ended.
func (r *Recorder) retryUntilDone(verb string, f func() error) bool {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		err := f()
		if err == nil {
			return true
		}
		r.opt.Log.Error("ledger does not answer", "verb", verb, "err", err)
		select {
		case <-r.ctx.Done():
			return false
		case <-time.After(pause):
		}
	}
}
