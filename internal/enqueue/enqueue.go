package enqueue

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Ref is a reference to an enqueued job.
type Ref struct {
	ID           string // "<task id>.1"; empty for an untracked kind
	TaskID       string // the task that holds this job alone
	Deduplicated bool   // an earlier job was returned
	Event        events.ID
}

// Add adds one job, in a task of its own. If the kind is unique, and an unfinished job with equal
// arguments was added within kind.Unique, Add returns that job instead. A job of an untracked kind goes
// to the queue without a task, and `ref` is the zero Ref.
func (c *Client) Add(ctx context.Context, kind jobs.Kind, w TaskOptions, row events.Draft) (ref Ref, err error) {
	err = c.submit(ctx, "job", kind, &w, func(ctx context.Context) (err error) {
		ref, err = c.add(ctx, kind, w, row)
		return err
	})
	return ref, err
}

// submit runs the function `add` within the middlewares of the registry. The middlewares may change
// the name, labels and priority in `w`.
func (c *Client) submit(
	ctx context.Context, source string, kind jobs.Kind, w *TaskOptions, add func(context.Context) error,
) error {
	s := jobs.Submission{
		Source: source, Kind: kind.Name, Tenant: w.Tenant, Name: w.Name, Labels: w.Labels, Priority: w.Priority,
	}
	return c.kinds.Submit(ctx, &s, func(ctx context.Context, s *jobs.Submission) error {
		w.Name, w.Labels, w.Priority = s.Name, s.Labels, s.Priority
		if complaint := w.complaint(); complaint != "" {
			return fmt.Errorf("worker: %s: %w: %s", kind.Name, ErrOption, complaint)
		}
		return add(ctx)
	})
}

func (c *Client) add(ctx context.Context, kind jobs.Kind, w TaskOptions, row events.Draft) (Ref, error) {
	if kind.Untracked {
		return Ref{}, c.push(ctx, kind, w, row)
	}
	bound, err := c.bound(ctx, c.db.Reader(), w.Tenant)
	if err != nil {
		return Ref{}, fmt.Errorf("worker: enqueue %s: %w", kind.Name, err)
	}
	if !bound && kind.Unique == 0 && w.Parent == "" && len(w.After) == 0 {
		return c.enqueueTogether(ctx, kind, w, row)
	}
	var ref Ref
	err = c.events.Partitions().Retry(ctx, func() error {
		return c.db.InTx(ctx, func(tx ledger.Tx) (err error) {
			ref, err = c.addWithin(ctx, tx, bound, kind, w, row)
			return err
		})
	})
	if err != nil {
		return Ref{}, fmt.Errorf("worker: enqueue %s: %w", kind.Name, err)
	}
	c.wake(ctx)
	return ref, nil
}

// In is a transaction of the caller, of a type that worker.Definition.EnqueueTx accepts.
type In struct{ Tx any }

// AddTx adds one job in a transaction of the caller, like Add. It does not wake the feeder: the caller
// may call Wake after the commit. It returns jobs.ErrUntracked for an untracked kind.
func (c *Client) AddTx(ctx context.Context, in In, kind jobs.Kind, w TaskOptions, row events.Draft) (ref Ref, err error) {
	err = c.submit(ctx, "job", kind, &w, func(ctx context.Context) (err error) {
		ref, err = c.addTx(ctx, in, kind, w, row)
		return err
	})
	return ref, err
}

func (c *Client) addTx(ctx context.Context, in In, kind jobs.Kind, w TaskOptions, row events.Draft) (Ref, error) {
	if kind.Untracked {
		return Ref{}, fmt.Errorf("worker: enqueue %s: %w", kind.Name, jobs.ErrUntracked)
	}
	own, err := c.db.Join(in.Tx)
	if err == nil {
		err = c.events.Partitions().EnsureIn(ctx, own)
	}
	bound := false
	if err == nil {
		bound, err = c.bound(ctx, own, w.Tenant)
	}
	var ref Ref
	if err == nil {
		ref, err = c.addWithin(ctx, own, bound, kind, w, row)
	}
	if ledger.NoPartition(err) { // EnsureNext makes the partition for the next transaction
		err = errors.Join(err, c.events.Partitions().EnsureNext(ctx))
	}
	if err != nil {
		return Ref{}, fmt.Errorf("worker: enqueue %s: %w", kind.Name, err)
	}
	return ref, nil
}

// push adds a job of an untracked kind to the queue, without the ledger. The payload holds the arguments
// of the job. The key in the queue consists of the tenant and the key of the job. A job without a key
// gets a unique key, so that it does not wait for other jobs. push returns jobs.ErrUntracked for options
// that need a task: name, parent, After, priority and labels.
func (c *Client) push(ctx context.Context, kind jobs.Kind, w TaskOptions, row events.Draft) error {
	if w.Name != "" || w.Parent != "" || len(w.After) > 0 || w.Priority != 0 || len(w.Labels) > 0 {
		return fmt.Errorf("worker: enqueue %s: %w: it has no name, parent, After, priority or labels",
			kind.Name, jobs.ErrUntracked)
	}
	key := cmp.Or(row.Key, uuid.NewString())
	err := c.queue.Push(ctx, queue.Job{
		Queue: kind.Name, Key: w.Tenant + "/" + key, Payload: row.Params, RunAt: w.At,
		Score: float64(c.opt.Now().UnixMicro()),
	})
	if err != nil {
		return fmt.Errorf("worker: enqueue %s: %w", kind.Name, err)
	}
	return nil
}

// addOne adds a task with one job. If an unfinished task with equal arguments was added within kind.Unique,
// addOne returns the job of that task instead.
func (c *Client) addOne(ctx context.Context, tx ledger.Tx, kind jobs.Kind, w TaskOptions, row events.Draft) (Ref, error) {
	s := &single{task: c.newSingle(kind, w), kind: kind, row: row}
	once := tasks.Dedup{Window: kind.Unique}
	if kind.Unique > 0 {
		once.Key = onceKey(s.task, row)
	}
	old, err := c.tasks.AddUnlessDuplicate(ctx, tx, once, func() (added bool, err error) {
		err = c.addSingles(ctx, tx, []*single{s}, once.Key, w.Parent)
		return s.task.Num != 0, err
	})
	if err != nil {
		return Ref{}, err
	}
	if old != nil {
		ref := refOf(old)
		ref.Deduplicated = true
		return ref, nil
	}
	if err := c.tasks.Adopt(ctx, tx, s.task); err != nil {
		return Ref{}, err
	}
	return refOf(s.task), c.tasks.Follow(ctx, tx, s.task)
}

func refOf(t *tasks.Task) Ref {
	id := events.NewID(t.Num, 1)
	return Ref{ID: id.JobID(t.ID), TaskID: t.ID, Event: id}
}

// newSingle returns a new task with one job. It does not add the task.
func (c *Client) newSingle(kind jobs.Kind, w TaskOptions) *tasks.Task {
	t := c.newTask(kind, w)
	t.Status, t.TotalIsFinal, t.Total, t.Enqueue = tasks.Running, true, 1, 1
	return t
}

func (c *Client) newTask(kind jobs.Kind, w TaskOptions) *tasks.Task {
	return &tasks.Task{
		ID: tasks.NewID(), Tenant: w.Tenant, Kind: kind.Name, Type: tasks.Batch, Name: w.Name,
		Priority: w.Priority, Labels: w.Labels, ParentID: w.Parent, RunAt: w.runAt(),
		After: w.After, AfterWell: w.Well,
	}
}

// onceKey returns the deduplication key for a job, made of its tenant, kind and arguments.
func onceKey(t *tasks.Task, row events.Draft) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{t.Tenant, t.Kind, string(row.Params)}, "\x00")))
	return "job:" + hex.EncodeToString(sum[:])
}
