package worker

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/enqueue"
)

// Ref is the identity of an enqueued job.
type Ref struct {
	ID           string // "<task id>.1"; empty for an untracked kind
	TaskID       string // task of the job, which has no other job; empty for an untracked kind
	Deduplicated bool   // Unique has found this earlier job
}

// Enqueue adds one job, as its own task. Once it returns nil, a tracked job survives crashes, and
// even the loss of Redis. Invalid args give a *Failure. After any other error the job may exist: repeat
// the call only with Unique.
func (d *Definition[T]) Enqueue(ctx context.Context, c *Client, args T, opts ...EnqueueOption) (Ref, error) {
	w, row, err := d.prepare(c, args, opts)
	if err != nil {
		return Ref{}, err
	}
	ref, err := c.inner.Add(ctx, d.kind, w, row)
	return refOf(ref), err
}

// EnqueueTx adds one job inside tx, a transaction on the ledger's database: a *gorm.DB inside Transaction,
// a *sql.Tx, a pgx.Tx, or a DefineTx handler's Tx. The job exists once tx commits, and is fed within a
// second, or at once after Client.Wake. After an error, roll tx back. The option Parent locks the parent
// task until tx ends, so call EnqueueTx last in tx.
func (d *Definition[T]) EnqueueTx(
	ctx context.Context, c *Client, tx any, args T, opts ...EnqueueOption,
) (Ref, error) {
	w, row, err := d.prepare(c, args, opts)
	if err != nil {
		return Ref{}, err
	}
	ref, err := c.inner.AddTx(ctx, enqueue.In{Tx: tx}, d.kind, w, row)
	return refOf(ref), err
}

func refOf(r enqueue.Ref) Ref { return Ref{ID: r.ID, TaskID: r.TaskID, Deduplicated: r.Deduplicated} }

// prepare checks the options and the arguments.
func (d *Definition[T]) prepare(c *Client, args T, opts []EnqueueOption) (w enqueue.TaskOptions, row events.Draft, err error) {
	if w, err = c.taskOptions(d.kind, opts); err != nil {
		return w, row, err
	}
	if row, err = d.draft(args, w.Key); err != nil {
		return w, row, err
	}
	if row.Failure != nil {
		return w, row, failureOf(row.Failure)
	}
	return w, row, nil
}

// Task adds a task of any number of rows, in chunks. Memory use is constant, and the first rows may run
// before the last are added. A row that breaks a rule fails alone. An error in `rows` fails the task;
// earlier rows still run.
func (d *Definition[T]) Task(
	ctx context.Context, c *Client, name string, rows iter.Seq2[T, error], opts ...EnqueueOption,
) (*TaskRef, error) {
	w, err := c.taskOptions(d.kind, append([]EnqueueOption{Name(name)}, opts...))
	if err != nil {
		return nil, err
	}
	task, err := c.inner.Begin(ctx, d.kind, w)
	if err != nil {
		return nil, err
	}
	defer func() { _ = task.End(ctx) }() // if rows panics
	if err = d.addAll(ctx, task, rows); err == nil {
		err = task.Close(ctx)
	}
	if err != nil {
		err = errors.Join(fmt.Errorf("worker: task of %s: %w", d.kind.Name, err), task.End(ctx))
	}
	return c.Find(task.Tenant, task.TaskID), err
}

func (d *Definition[T]) addAll(ctx context.Context, task *enqueue.Rows, rows iter.Seq2[T, error]) error {
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
		if err := task.Add(ctx, row); err != nil {
			return err
		}
	}
	return nil
}
