package explain

import (
	"context"
	"slices"
	"time"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/view"
)

// explainQueue sets the reasons why the queue makes no progress, if it makes none. The argument `all` is
// the state of the whole queue. The argument `own` is the part that the caller may see, and receives the
// reasons. A tenant without rows in the queue receives only the reason that the queue is paused.
func (s *Service) explainQueue(ctx context.Context, lang string, all, own *manage.QueueState) (err error) {
	x := &explainer{s: s, in: locale.Printer(lang), now: s.Now(), out: []view.Reason{}}
	ctx, of := ctx, queueScope{idle: all.Length+own.Backlog == 0 && len(own.Waits) == 0}
	owner := auth.Caller(ctx).May(access.ServiceRead)
	if !owner {
		of.idle = own.Pushed+own.Backlog == 0 && len(own.Waits) == 0
	}
	switch {
	case owner || !of.idle:
		err = x.standstill(ctx, all, of)
	case all.Paused:
		x.add("QUEUE_PAUSED")
	}
	if err == nil && len(x.out) == 0 {
		err = x.notPushed(ctx, own, auth.Tenant(ctx))
	}
	own.Reasons = x.out
	return err
}

// queueScope is the part of a queue that standstill explains: the whole queue, or the shard of one row.
type queueScope struct {
	shard string // shard of the row; "" for the whole queue
	idle  bool   // no job of the scope needs a worker
}

// in reports whether the scope contains a shard.
func (s queueScope) in(shard string) bool { return s.shard == "" || s.shard == shard }

// queue adds the reasons why no row in the shard of this row is started.
func (x *explainer) queue(ctx context.Context, st *queue.KeyState) error {
	state, err := x.s.Manage.QueueState(ctx, x.t.Kind)
	if err != nil {
		return err
	}
	return x.standstill(ctx, &state, queueScope{shard: st.Shard, idle: st.Busy != nil})
}

// standstill adds the reasons why no job of a scope is started, or why no attempt ends.
func (x *explainer) standstill(ctx context.Context, state *manage.QueueState, of queueScope) error {
	before := len(x.out)
	if state.Paused {
		x.add("QUEUE_PAUSED")
	}
	if state.Nodes == 0 && !of.idle {
		x.add("NO_WORKER", "kind", state.Name)
	}
	if err := x.scripts(ctx, state.Name, of); err != nil {
		return err
	}
	unowned := slices.DeleteFunc(state.Stats.Unowned(), func(shard string) bool { return !of.in(shard) })
	if n := len(unowned); state.Nodes > 0 && n > 0 && !of.idle {
		x.add("SHARD_UNOWNED", "n", n, "kind", state.Name)
	}
	if len(x.out) > before {
		return nil
	}
	return x.progress(ctx, state)
}

// scripts adds one reason if a Redis script fails repeatedly. It ignores scripts of shards outside the
// scope, except the script that pushes rows.
func (x *explainer) scripts(ctx context.Context, name string, of queueScope) error {
	list, err := x.s.Queue.Admin().ScriptFaults(ctx, name, x.now.Add(-time.Hour))
	if err != nil {
		return manage.QueueProblem(err)
	}
	for _, f := range list {
		if f.Repeats(x.now) && (of.in(f.Shard) || f.Script == "push") {
			x.failing = true
			x.add("SCRIPT_FAILS", "script", f.Script, "kind", name).At = textutil.Instant(f.Since.UnixMilli())
			return nil
		}
	}
	return nil
}
