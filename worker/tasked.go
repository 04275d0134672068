package worker

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/periodic"
	"github.com/rollcall-dev/rollcall/tasks"
)

// CodeBrokenOff is the code of a task whose program stopped before the last row.
const CodeBrokenOff = "ROWS_BROKEN_OFF"

// chunkBytes bounds the arguments of a chunk; one row may exceed it. linger is how long rows wait
// for a chunk to fill, while others arrive.
const (
	chunkBytes = 4 << 20
	linger     = 500 * time.Millisecond
)

// closeTimeout bounds the end of a task whose context has ended before.
const closeTimeout = 10 * time.Second

// Task adds a task of any number of rows. The rows are committed in chunks, so memory does not grow
// with them, and the first rows run before the last ones exist. A row that breaks a rule of the
// kind fails alone, as in a file. Task returns when all rows are in the ledger; see TaskRef.Wait
// for their end.
//
// An error of rows is returned with the task, which ends as failed with a problem. The task of a
// program that dies ends in the same way. Rows committed before stay, and run.
func (d *Definition[T]) Task(
	ctx context.Context, c *Client, name string, rows iter.Seq2[T, error], opts ...EnqueueOption,
) (*TaskRef, error) {
	w, err := c.wish(d.kind, append([]EnqueueOption{Name(name)}, opts...))
	if err != nil {
		return nil, err
	}
	if d.kind.Untracked {
		return nil, fmt.Errorf("worker: task of %s: %w", d.kind.Name, ErrUntracked)
	}
	if w.key != nil {
		return nil, fmt.Errorf("worker: %s: %w: rows of a task have a key each", d.kind.Name, ErrOption)
	}
	t := c.newTask(d.kind, w)
	t.Status = tasks.Splitting
	claim, err := c.tasks.CreateHeld(ctx, t, c.opt.Keep, c.opt.Claim)
	if err != nil {
		return nil, fmt.Errorf("worker: task of %s: %w", d.kind.Name, err)
	}
	a := &adder{client: c, unordered: d.kind.Unordered, num: t.Num, claim: claim, last: time.Now()}
	defer a.keep(ctx)()
	defer a.breakOff(ctx) // also after a panic of rows
	if err = addAll(ctx, d, a, rows); err == nil {
		err = a.send(ctx, events.Chunk{Final: true})
	}
	if err != nil {
		err = errors.Join(fmt.Errorf("worker: task of %s: %w", d.kind.Name, err), a.breakOff(ctx))
	}
	return c.Find(t.Tenant, t.ID), err
}

// addAll adds the rows of the sequence.
func addAll[T any](ctx context.Context, d *Definition[T], a *adder, rows iter.Seq2[T, error]) error {
	for args, err := range rows {
		if err == nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		row, err := d.draft(args, nil)
		if err != nil {
			return err
		}
		if err := a.add(ctx, row); err != nil {
			return err
		}
	}
	return nil
}

// adder adds rows to a task under a claim.
type adder struct {
	client    *Client
	unordered bool // of the kind
	num       int64
	claim     tasks.Claim
	known     int64 // number of the task's rows so far
	rows      []events.Draft
	bytes     int
	last      time.Time // of the last commit
	closed    bool      // final, or lost to another process
}

func (a *adder) add(ctx context.Context, row events.Draft) error {
	a.rows = append(a.rows, row)
	a.bytes += len(row.Params)
	full := len(a.rows) >= a.client.opt.Chunk || a.bytes >= chunkBytes
	if !full && time.Since(a.last) < linger {
		return nil
	}
	return a.send(ctx, events.Chunk{})
}

// send commits the collected rows.
func (a *adder) send(ctx context.Context, c events.Chunk) error {
	c.Unordered = a.unordered
	c.Num, c.Claim, c.TTL, c.Count = a.num, int64(a.claim), a.client.opt.Claim, true
	c.Rows, a.rows, a.bytes = a.rows, nil, 0
	c.After, a.last = a.known, time.Now()
	total, err := a.client.events.Append(ctx, c)
	if err != nil {
		a.closed = errors.Is(err, events.ErrClaimLost) // another process has ended the task
		return err
	}
	a.known = total
	a.closed = c.Final
	a.client.wake(ctx)
	return nil
}

// breakOff ends the task with a problem, unless it is closed.
func (a *adder) breakOff(ctx context.Context) error {
	if a.closed {
		return nil
	}
	a.closed, a.rows = true, nil
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	return a.send(ctx, events.Chunk{Final: true, Problem: &tasks.Problem{
		Code:   CodeBrokenOff,
		Detail: "The program that made the rows stopped with an error. Those made before were taken.",
	}})
}

// keep renews the claim until the returned function is called. If a renewal fails, the next chunk
// reports it.
func (a *adder) keep(ctx context.Context) (end func()) {
	return periodic.Beside(ctx, a.client.opt.Claim/3, func(ctx context.Context) {
		_ = a.client.tasks.RenewSplit(ctx, a.num, a.claim, a.client.opt.Claim)
	})
}
