package middleware

import (
	"context"
	"errors"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/worker"
)

// The pauses between tries on a ledger that is away.
const (
	firstPause = 50 * time.Millisecond
	lastPause  = 2 * time.Second
)

// callTimeout bounds one call to the ledger.
const callTimeout = 30 * time.Second

// step is a move of a group, and what is done once it is made or refused.
type step struct {
	move events.Move
	told func(made bool)
}

// commit writes one group and lets go of its runs. It tells whether there may
// be more to commit at once.
func (r *Recorder) commit(g group) bool {
	if g.empty() {
		return false
	}
	if !r.register() {
		return false
	}
	g.sign(r.by.Load())
	var refused []*run
	steps := r.steps(g, &refused)
	moves := make([]events.Move, len(steps))
	for i, st := range steps {
		moves[i] = st.move
	}
	made, ok := r.record(moves)
	if !ok {
		return false // given up: nothing is released, the jobs run again elsewhere
	}
	failpoint.Hit("committed")
	for i, st := range steps {
		st.told(made[i])
	}
	r.settle(refused)
	for _, x := range g.ended {
		x.release()
	}
	r.opt.Committed()
	return true
}

// register has the ledger number this process, once. It reports whether the number is
// known.
func (r *Recorder) register() bool {
	return r.by.Load() != 0 || r.insist("register", func() error {
		return r.introduce(callTimeout)
	})
}

// introduce tries once to have the ledger number this process.
func (r *Recorder) introduce(timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(r.ctx, timeout)
	defer cancel()
	by, err := r.ledger.Register(ctx, r.opt.runner())
	r.by.Store(by)
	return err
}

// steps are the moves of a group. Those of ended runs that are refused are
// gathered in refused.
func (r *Recorder) steps(g group, refused *[]*run) []step {
	var out []step
	for _, q := range r.look(g.asked) {
		out = append(out, step{q.move(), q.tell})
	}
	for _, x := range g.announced {
		x.wrote = x.announcement()
		out = append(out, step{x.wrote, func(made bool) {
			if x.announced = made; !made {
				*refused = append(*refused, x)
			}
		}})
	}
	for _, x := range g.ended {
		m, ok := x.move()
		if !ok {
			continue
		}
		x.wrote = m
		out = append(out, step{m, func(made bool) {
			if !made {
				*refused = append(*refused, x)
			}
		}})
	}
	return out
}

// settle looks after the moves that were refused: someone else has moved the
// event on meanwhile.
func (r *Recorder) settle(refused []*run) {
	if len(refused) == 0 {
		return
	}
	states, ok := r.states(refused)
	if !ok {
		return
	}
	for _, x := range refused {
		x.refuse(states[x.id])
	}
}

// refuse gives up a run whose outcome came late. What is at rest, or gone, is
// done; anything else runs again, asking the ledger first. The queue takes
// neither from a process that has lost its lease. An event that is where the
// move was to bring it was moved by a commit whose answer was lost.
func (x *run) refuse(now events.State) {
	same := now.Status == x.wrote.To && now.Attempt == x.wrote.Attempt
	if x.wrote.To == events.Working { // it runs on: its end will tell
		x.announced = same
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

func (r *Recorder) record(moves []events.Move) (made []bool, ok bool) {
	if len(moves) == 0 {
		return nil, true
	}
	unfit, begun := false, time.Now()
	ok = r.insist("record", func() (err error) {
		ctx, cancel := withTimeout(r.ctx)
		defer cancel()
		made, err = r.ledger.Record(ctx, moves)
		if unfit = errors.Is(err, events.ErrUnfit); unfit {
			return nil
		}
		return err
	})
	if ok && unfit {
		return r.sieve(moves)
	}
	r.opt.Grouped(len(moves), time.Since(begun))
	return made, ok
}

// sieve records a group of which the ledger cannot hold all: one by one, the
// unfit ones as faults without their texts, so that they hold up nothing.
func (r *Recorder) sieve(moves []events.Move) (made []bool, ok bool) {
	if len(moves) > 1 {
		for _, m := range moves {
			one, ok := r.record([]events.Move{m})
			if !ok {
				return nil, false
			}
			made = append(made, one...)
		}
		return made, true
	}
	m := moves[0]
	if m.Failure != nil && m.Failure.Code == codeUnfit || m.To == events.Working {
		r.opt.Log.Error("the ledger refuses a move for good", "job", int64(m.ID))
		return []bool{false}, true
	}
	m.To, m.Notes, m.Result, m.NextRunAt = events.Error, nil, nil, 0
	m.Failure = worker.SystemFailure(codeUnfit, "unstorable", "")
	return r.record([]events.Move{m})
}

// codeUnfit is the code of an outcome that the ledger cannot hold.
const codeUnfit = "OUTCOME_NOT_STORABLE"

func (r *Recorder) states(xs []*run) (states map[events.ID]events.State, ok bool) {
	ids := make([]events.ID, len(xs))
	for i, x := range xs {
		ids[i] = x.id
	}
	ok = r.insist("ask", func() (err error) {
		ctx, cancel := withTimeout(r.ctx)
		defer cancel()
		states, err = r.ledger.States(ctx, ids)
		return err
	})
	return states, ok
}

// insist repeats f until it succeeds or the recorder gives up. A commit whose
// answer was lost is harmless to repeat: its moves are refused, and the events
// found at rest.
func (r *Recorder) insist(verb string, f func() error) bool {
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
