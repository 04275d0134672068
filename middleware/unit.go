package middleware

import (
	"context"
	"errors"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/queue"
)

// unit is one call of a DefineTx handler in a group. It has one job or, for a kind with the option
// Latest, all fetched jobs of a key.
type unit struct {
	runs  []*run
	chain *chain
	batch batch
	fetch context.Context // context of the batch; it ends when the process stops or loses the lease
	fresh []jobs.Call     // copies of the runs' calls, made before the first call of the handler
	ctx   context.Context // context of the last call
	back  bool            // the unit waits for an older job of its key

	undone bool // a rollback to a savepoint removed its writes
}

// chains returns the runnable jobs of a batch as chains, one for each key with such jobs.
func (t *tracker) chains(ctx context.Context, b batch) (out []*chain) {
	for _, list := range b.Keys() {
		xs, _ := t.take(ctx, b, t.keepFirst(t.dedupe(ctx, list)))
		n := 1
		if t.kind.Latest {
			n = max(len(xs), 1)
		}
		c := &chain{}
		for i := 0; i < len(xs); i += n {
			u := &unit{runs: xs[i : i+n : i+n], chain: c, batch: b, fetch: ctx}
			for _, x := range u.runs {
				x.behind = i > 0
				u.fresh = append(u.fresh, *x.call)
			}
			c.units = append(c.units, u)
		}
		if len(xs) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// stopped reports whether the unit must not start, because the process or its recorder stops, or the lease
// of the shard is lost.
func (u *unit) stopped(t *tracker) bool {
	return t.rec.drain.Load() || u.fetch.Err() != nil || t.rec.ctx.Err() != nil
}

// lost reports whether this node has lost the lease of the unit's shard.
func (u *unit) lost() bool { return errors.Is(context.Cause(u.fetch), queue.ErrLeaseLost) }

func (u *unit) key() string { return u.runs[0].delivery.Key }

// renew resets the unit for a new call of the handler with the transaction `tx`.
func (u *unit) renew(tx ledger.Tx) {
	u.undone, u.back = false, false
	for i, x := range u.runs {
		call := u.fresh[i]
		x.call, x.tx, x.returned, x.newer = &call, tx, false, nil
		x.text, x.fault, x.stack = "", "", ""
	}
}

// unblocksKey reports whether the last job of the unit ends or goes to the morgue, so that the next
// job of its key may run.
func (u *unit) unblocksKey() bool { return !u.back && u.runs[len(u.runs)-1].unblocksKey() }

// finished reports whether the outcome of every job is finish. Only the writes of such a unit may be
// committed.
func (u *unit) finished() bool {
	for _, x := range u.runs {
		if x.outcome.Kind != jobs.Finish {
			return false
		}
	}
	return true
}

// acked reports whether the outcome of the delivery makes the queue remove the job, or move it to
// the morgue.
func (x *run) acked() bool {
	o, _ := x.delivery.Outcome()
	return o.Kind == queue.Done || o.Kind == queue.Dead
}

// remove removes the runs in `late` from the unit. If a job of these runs stays in the queue, the rest
// of the chain waits.
func (u *unit) remove(late []*run) {
	for i := len(u.runs) - 1; i >= 0; i-- {
		if x := u.runs[i]; slices.Contains(late, x) {
			u.chain.waits = u.chain.waits || !x.acked()
			u.runs, u.fresh = slices.Delete(u.runs, i, i+1), slices.Delete(u.fresh, i, i+1)
		}
	}
}

// wait records that the unit waits for an older job of its key. It makes the jobs of the unit run
// again as if they had not started.
func (u *unit) wait() {
	u.back = true
	for _, x := range u.runs {
		x.requeue()
	}
}
