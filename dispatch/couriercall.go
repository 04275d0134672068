package dispatch

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// maxFault bounds what is kept of a callback's error, in bytes.
const maxFault = 1 << 10

// errEnded is what a callback that ends its goroutine comes to.
var errEnded = errors.New("the callback ended its goroutine")

// call makes one try of a Go callback.
func (c *Courier) call(ctx context.Context, p *tasks.Parcel) result {
	kind, ok := c.kinds.Kind(p.Task.Kind)
	if !ok { // Due names only kinds of the registry
		return result{broken: true, err: "unknown kind"}
	}
	timed, cancel := context.WithTimeout(ctx, c.opt.CallbackTimeout)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		err := errEnded
		defer func() {
			if v := recover(); v != nil {
				err = fmt.Errorf("panic: %v", v)
				c.opt.Log.Error("a callback panicked", "task", p.Task.ID, "topic", p.Topic,
					"err", v, "stack", string(debug.Stack()))
			}
			ended <- err
		}()
		err = c.tell(timed, kind, p)
	}()
	err := <-ended
	switch {
	case err == nil:
		return result{}
	case ctx.Err() != nil:
		return result{broken: true, err: err.Error()}
	case errors.Is(timed.Err(), context.DeadlineExceeded):
		err = fmt.Errorf("took longer than %v: %w", c.opt.CallbackTimeout, err)
	}
	return result{err: textutil.Truncate(err.Error(), maxFault)}
}

// tell calls the callback that a notice is for. A kind that has it no more has
// nothing to be told.
func (c *Courier) tell(ctx context.Context, kind worker.Kind, p *tasks.Parcel) error {
	n := p.Notice()
	switch {
	case n.Topic == tasks.TopicFinished && kind.OnDone != nil:
		return c.notify(ctx, &n, kind.OnDone)
	case n.Topic == tasks.TopicFirstFailure && kind.OnFirstFailure != nil:
		return c.notify(ctx, &n, kind.OnFirstFailure)
	case n.Topic == tasks.TopicExhausted && kind.OnExhausted != nil:
		list, err := c.events.Exhausted(ctx, n.Task.Num, n.Seqs)
		if err != nil || len(list) == 0 {
			return err
		}
		kind.OnExhausted(ctx, deadOf(&n.Task, list))
	}
	return nil
}

// notify calls a callback for a task and passes the error groups of its failed rows.
func (c *Courier) notify(ctx context.Context, n *tasks.Notice, f func(context.Context, worker.TaskDone) error) error {
	done := doneOf(n)
	if n.Task.Counts.Failed+n.Task.Counts.Error == 0 {
		return f(ctx, done)
	}
	groups, err := c.events.Groups(ctx, n.Task.Num)
	if err != nil {
		return err
	}
	for _, g := range groups {
		done.Causes = append(done.Causes, worker.Cause{
			Status: g.Status, Code: g.Code, Column: g.Col, Err: g.Fault, Count: g.Count, FirstRow: g.FirstRow,
		})
	}
	first, err := c.events.Bad(ctx, n.Task.Num, events.Filter{Limit: 1})
	if len(first) > 0 {
		done.First = &deadOf(&n.Task, first)[0]
	}
	if err != nil {
		return err
	}
	return f(ctx, done)
}

func doneOf(n *tasks.Notice) worker.TaskDone {
	t := &n.Task
	return worker.TaskDone{
		ID: n.ID(), At: time.UnixMilli(n.At).UTC(), TaskID: t.ID, Tenant: t.Tenant, Kind: t.Kind,
		Name: t.Name, Round: t.Round, Status: t.Status, Outcome: t.Outcome, Labels: t.Labels,
		Counts: t.Counts,
	}
}

func deadOf(t *tasks.Task, list []events.Event) []worker.DeadJob {
	out := make([]worker.DeadJob, len(list))
	for i := range list {
		e := &list[i]
		out[i] = worker.DeadJob{
			EventID: e.ID.JobID(t.ID), TaskID: t.ID, Tenant: t.Tenant, Kind: t.Kind, Key: e.Key,
			Row: e.Row, Attempt: e.Attempt, Params: []byte(e.Params),
			Code: textutil.Deref(e.Code), Message: textutil.Deref(e.Message),
		}
		if fault := e.LastFault(); fault != nil && e.Print != nil {
			out[i].Err, out[i].Stack = fault.Text, fault.Stack
			if fault.Ended != nil {
				out[i].ErrType = fault.Ended.Type
			}
		}
	}
	return out
}

// jitter is a tenth more or less than 1.
func jitter() float64 { return 0.9 + rand.Float64()/5 }
