package enqueue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/periodic"
	"github.com/rollcall-dev/rollcall/tasks"
)

// CodeBrokenOff is the code of a task whose program called Rows.End before Close had succeeded. If the
// program dies, the code is reconcile.CodeAbandoned.
const CodeBrokenOff = "ROWS_BROKEN_OFF"

// chunkBytes is the size of a chunk's arguments, in bytes, at which Add commits the chunk. Add also
// commits a smaller chunk if it has Options.Chunk rows, or if 500 ms (linger) have passed since the
// last commit.
const (
	chunkBytes = 4 << 20
	linger     = 500 * time.Millisecond
)

// closeTimeout is the timeout of breakOff, which ignores the end of the caller's context.
const closeTimeout = 10 * time.Second

// Begin creates a task of any number of rows. The caller adds rows and then calls Close. The caller
// must also call End, even after an error of Add or Close.
func (c *Client) Begin(ctx context.Context, kind jobs.Kind, w TaskOptions) (a *Rows, err error) {
	err = c.submit(ctx, "task", kind, &w, func(ctx context.Context) (err error) {
		a, err = c.begin(ctx, kind, w)
		return err
	})
	return a, err
}

func (c *Client) begin(ctx context.Context, kind jobs.Kind, w TaskOptions) (*Rows, error) {
	if kind.Untracked {
		return nil, fmt.Errorf("worker: task of %s: %w", kind.Name, jobs.ErrUntracked)
	}
	if w.Key != nil {
		return nil, fmt.Errorf("worker: %s: %w: Key is for single jobs; each row of a task has its own key", kind.Name, ErrOption)
	}
	t := c.newTask(kind, w)
	t.Status = tasks.Splitting
	claim, err := c.tasks.CreateHeld(ctx, t, tasks.Terms{Keep: c.opt.Keep, Quotas: true}, c.opt.Claim)
	if err != nil {
		return nil, fmt.Errorf("worker: task of %s: %w", kind.Name, err)
	}
	a := &Rows{
		Tenant: t.Tenant, TaskID: t.ID,
		client: c, unordered: kind.Unordered, num: t.Num, claim: claim, last: time.Now(),
	}
	a.stop = a.keep(ctx)
	return a, nil
}

// Rows is a task to which a program adds rows. It holds a claim on the task, so no other process
// ends the task meanwhile.
type Rows struct {
	Tenant, TaskID string

	stop      func() // ends the renewal of the claim
	client    *Client
	unordered bool // of the kind
	num       int64
	claim     tasks.Claim
	known     int64 // number of committed rows
	rows      []events.Draft
	bytes     int
	last      time.Time // of the last commit
	closed    bool      // the task accepts no more rows from this Rows
	failed    error     // the first error of Add or Close; the rows of its chunk are not in the task
}

// Add adds a row. Rows are committed in chunks. After an error of Add or Close, the rows of the chunk are
// lost, and all further calls of Add and Close return the error. Only End can then end the task.
func (a *Rows) Add(ctx context.Context, row events.Draft) error {
	if a.failed != nil {
		return a.failed
	}
	a.rows = append(a.rows, row)
	a.bytes += len(row.Params)
	full := len(a.rows) >= a.client.opt.Chunk || a.bytes >= chunkBytes
	if !full && time.Since(a.last) < linger {
		return nil
	}
	return a.commit(ctx, events.Chunk{})
}

// Close commits the remaining rows. After success, the task accepts no more rows.
func (a *Rows) Close(ctx context.Context) error {
	if a.failed != nil {
		return a.failed
	}
	return a.commit(ctx, events.Chunk{Final: true})
}

// End ends the task with a problem, unless Close has succeeded or another process has ended the task.
// After an error, End may be called again.
func (a *Rows) End(ctx context.Context) error {
	a.stop()
	return a.breakOff(ctx)
}

// commit calls send, and keeps the error for later calls of Add and Close.
func (a *Rows) commit(ctx context.Context, c events.Chunk) error {
	a.failed = a.send(ctx, c)
	return a.failed
}

func (a *Rows) send(ctx context.Context, c events.Chunk) error {
	c.Unordered = a.unordered
	c.Num, c.Claim, c.TTL, c.Count = a.num, int64(a.claim), a.client.opt.Claim, true
	c.Rows, a.rows, a.bytes = a.rows, nil, 0
	c.After, a.last = a.known, time.Now()
	if err := a.client.limitRows(ctx, a.Tenant, &c); err != nil {
		return err
	}
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

// breakOff ends the task with a problem, unless the task is closed.
func (a *Rows) breakOff(ctx context.Context) error {
	if a.closed {
		return nil
	}
	a.rows = nil
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	return a.send(ctx, events.Chunk{Final: true, Problem: &tasks.Problem{
		Code:   CodeBrokenOff,
		Detail: "The program that added the rows stopped with an error. Rows that were already added run.",
	}})
}

// keep renews the claim until `ctx` ends or the caller calls `end`. It ignores errors: if the claim is
// lost, the commit of the next chunk returns an error.
func (a *Rows) keep(ctx context.Context) (end func()) {
	return periodic.Beside(ctx, a.client.opt.Claim/3, func(ctx context.Context) {
		_ = a.client.tasks.RenewSplit(ctx, a.num, a.claim, a.client.opt.Claim)
	})
}
