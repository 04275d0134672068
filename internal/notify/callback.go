package notify

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
)

// maxErr bounds the stored text of an error, in bytes.
const maxErr = 1 << 10

// errEnded means that a callback ended its goroutine instead of returning.
var errEnded = errors.New("the callback ended its goroutine")

// call makes one delivery attempt to a Go callback.
func (d *Deliverer) call(ctx context.Context, c *Claim) reply {
	kind, ok := d.kinds.Kind(c.Task.Kind)
	if !ok { // impossible: Due returns only callbacks of kinds in the registry
		return reply{aborted: true, err: "unknown kind"}
	}
	timed, cancel := context.WithTimeout(ctx, d.opt.CallbackTimeout)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		err := errEnded
		defer func() {
			if v := recover(); v != nil {
				err = fmt.Errorf("panic: %v", v)
				d.opt.Log.Error("a callback panicked", "task", c.Task.ID, "topic", c.Topic,
					"err", v, "stack", string(debug.Stack()))
			}
			ended <- err
		}()
		err = d.callKind(timed, kind, c)
	}()
	err := <-ended
	switch {
	case err == nil:
		return reply{}
	case ctx.Err() != nil:
		return reply{aborted: true, err: err.Error()}
	case errors.Is(timed.Err(), context.DeadlineExceeded):
		err = fmt.Errorf("took longer than %v: %w", d.opt.CallbackTimeout, err)
	}
	return reply{err: textutil.Truncate(err.Error(), maxErr)}
}

// callKind calls the Go callback for a notification. It returns nil if the kind no longer has this
// callback.
func (d *Deliverer) callKind(ctx context.Context, kind jobs.Kind, c *Claim) error {
	n := c.Notification()
	switch {
	case n.Topic == tasks.TopicFinished && kind.OnDone != nil:
		return d.callDone(ctx, &n, kind.OnDone)
	case n.Topic == tasks.TopicFirstFailure && kind.OnFirstFailure != nil:
		return d.callDone(ctx, &n, kind.OnFirstFailure)
	case n.Topic == tasks.TopicExhausted && kind.OnExhausted != nil:
		list, err := d.events.Exhausted(ctx, n.Task.Num, n.Seqs)
		if err != nil || len(list) == 0 {
			return err
		}
		kind.OnExhausted(ctx, deadOf(&n.Task, list))
	}
	return nil
}

// callDone calls a callback for a task. If rows of the task are failed or in error, it passes their
// error groups and the first of these rows.
func (d *Deliverer) callDone(ctx context.Context, n *Notification, f func(context.Context, jobs.TaskDone) error) error {
	done := doneOf(n)
	if n.Task.Counts.Failed+n.Task.Counts.Error == 0 {
		return f(ctx, done)
	}
	groups, err := d.events.Groups(ctx, n.Task.Num)
	if err != nil {
		return err
	}
	for _, g := range groups {
		done.Causes = append(done.Causes, jobs.Cause{
			Status: g.Status, Code: g.Code, Column: g.Col, Err: g.Fault, Count: g.Count, FirstRow: g.FirstRow,
		})
	}
	first, err := d.events.Bad(ctx, n.Task.Num, events.Filter{Limit: 1})
	if len(first) > 0 {
		done.First = &deadOf(&n.Task, first)[0]
	}
	if err != nil {
		return err
	}
	return f(ctx, done)
}

func doneOf(n *Notification) jobs.TaskDone {
	t := &n.Task
	return jobs.TaskDone{
		ID: n.ID(), At: time.UnixMilli(n.At).UTC(), TaskID: t.ID, Tenant: t.Tenant, Kind: t.Kind,
		Name: t.Name, Round: t.Round, Status: t.Status, Outcome: t.Outcome, Labels: t.Labels,
		Counts: t.Counts,
	}
}

func deadOf(t *tasks.Task, list []events.Event) []jobs.DeadJob {
	out := make([]jobs.DeadJob, len(list))
	for i := range list {
		e := &list[i]
		out[i] = jobs.DeadJob{
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
