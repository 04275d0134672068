package worker

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
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Ref identifies an enqueued job.
type Ref struct {
	ID           string // "<task id>.1"; empty for an untracked kind
	TaskID       string // the task that holds this job alone
	Deduplicated bool   // an earlier job was returned: see Unique
}

// Enqueue adds one job, as a task of its own. It returns after the commit: from then on the job
// survives every fault, also a lost Redis. Arguments that break a rule of the kind are a *Failure
// that lists every fault; no job is added. After any other error the job may have been added, or
// may be added within 30 seconds. A repeated call is then safe only with Unique.
//
// Blanks around texts are removed, as in the cells of a file. A job of an untracked kind goes to
// the queue alone, with its key, tenant and time. Other options return ErrUntracked.
func (d *Definition[T]) Enqueue(ctx context.Context, c *Client, args T, opts ...EnqueueOption) (Ref, error) {
	w, row, err := d.prepare(c, args, opts)
	if err != nil {
		return Ref{}, err
	}
	if d.kind.Untracked {
		return Ref{}, c.push(ctx, d.kind, w, row)
	}
	if d.kind.Unique == 0 && w.parent == "" {
		return c.enqueueTogether(ctx, d.kind, w, row)
	}
	var ref Ref
	err = c.roomy(ctx, func() error {
		return c.db.InTx(ctx, func(tx ledger.Tx) (err error) {
			ref, err = c.addOne(ctx, tx, d.kind, w, row)
			return err
		})
	})
	if err != nil {
		return Ref{}, fmt.Errorf("worker: enqueue %s: %w", d.kind.Name, err)
	}
	c.wake(ctx)
	return ref, nil
}

// EnqueueTx adds one job inside tx, a transaction on the ledger's own database: a *gorm.DB inside
// Transaction, a *sql.Tx, or on Postgres a pgx.Tx. The job exists if and when tx commits. It is fed
// within a second of the commit, or at once after Client.Wake. On Postgres, EnqueueTx usually runs
// one statement. It runs more with Unique or Parent, and rarely to create a partition. After an
// error tx must be rolled back. With Unique, EnqueueTx waits for an open transaction that added a
// job with the same deduplication key. In a handler of DefineTx, tx may be the handler's
// transaction. EnqueueTx returns ErrNotJoinable if tx has none of these types or is not open.
//
// With Parent, tx locks the parent task until it ends, so that the parent is not done before the
// child exists. Other children of that parent, and the outcomes of its own jobs, wait meanwhile:
// make EnqueueTx the last statement of tx.
func (d *Definition[T]) EnqueueTx(
	ctx context.Context, c *Client, tx any, args T, opts ...EnqueueOption,
) (Ref, error) {
	w, row, err := d.prepare(c, args, opts)
	if err != nil {
		return Ref{}, err
	}
	if d.kind.Untracked {
		return Ref{}, fmt.Errorf("worker: enqueue %s: %w", d.kind.Name, ErrUntracked)
	}
	own, err := c.db.Join(tx)
	if err == nil {
		err = c.events.Partitions().EnsureIn(ctx, own)
	}
	var ref Ref
	if err == nil {
		ref, err = c.addOne(ctx, own, d.kind, w, row)
	}
	if ledger.Homeless(err) { // RoomNext makes the partition for the next transaction
		err = errors.Join(err, c.events.Partitions().EnsureNext(ctx))
	}
	if err != nil {
		return Ref{}, fmt.Errorf("worker: enqueue %s: %w", d.kind.Name, err)
	}
	return ref, nil
}

// prepare checks options and arguments before any write.
func (d *Definition[T]) prepare(c *Client, args T, opts []EnqueueOption) (w wish, row events.Draft, err error) {
	if w, err = c.wish(d.kind, opts); err != nil {
		return w, row, err
	}
	if row, err = d.draft(args, w.key); err != nil {
		return w, row, err
	}
	if row.Failure != nil {
		return w, row, &Failure{*row.Failure}
	}
	return w, row, nil
}

// push adds a job to the queue alone: its payload is its arguments, its key the tenant and the key
// of the job. Without a key, the job waits for no other job.
func (c *Client) push(ctx context.Context, kind Kind, w wish, row events.Draft) error {
	if w.name != "" || w.parent != "" || w.priority != 0 || len(w.labels) > 0 {
		return fmt.Errorf("worker: enqueue %s: %w: it has no name, parent, priority and labels",
			kind.Name, ErrUntracked)
	}
	key := cmp.Or(row.Key, uuid.NewString())
	err := c.queue.Push(ctx, queue.Job{
		Queue: kind.Name, Key: w.tenant + "/" + key, Payload: row.Params, RunAt: w.at,
		Score: float64(c.opt.Now().UnixMicro()),
	})
	if err != nil {
		return fmt.Errorf("worker: enqueue %s: %w", kind.Name, err)
	}
	return nil
}

// addOne adds a task of one job. With Unique, it returns an existing task instead.
func (c *Client) addOne(ctx context.Context, tx ledger.Tx, kind Kind, w wish, row events.Draft) (Ref, error) {
	s := &single{task: c.newSingle(kind, w), kind: kind, row: row}
	once := tasks.Once{Window: kind.Unique}
	if kind.Unique > 0 {
		once.Key = onceKey(s.task, row)
	}
	old, err := c.tasks.Once(ctx, tx, once, func() (added bool, err error) {
		err = c.addSingles(ctx, tx, []*single{s}, once.Key, w.parent)
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
	return refOf(s.task), c.tasks.Adopt(ctx, tx, s.task)
}

// refOf returns the Ref of the only job of a task.
func refOf(t *tasks.Task) Ref { return Ref{ID: events.NewID(t.Num, 1).JobID(t.ID), TaskID: t.ID} }

// newSingle returns a new task of one job, not yet added.
func (c *Client) newSingle(kind Kind, w wish) *tasks.Task {
	t := c.newTask(kind, w)
	t.Status, t.TotalIsFinal, t.Total, t.Enqueue = tasks.Running, true, 1, 1
	return t
}

func (c *Client) newTask(kind Kind, w wish) *tasks.Task {
	return &tasks.Task{
		ID: tasks.NewID(), Tenant: w.tenant, Kind: kind.Name, Type: tasks.Batch, Name: w.name,
		Priority: w.priority, Labels: w.labels, ParentID: w.parent, RunAt: w.runAt(),
	}
}

// onceKey returns the deduplication key of arguments of a kind and tenant.
func onceKey(t *tasks.Task, row events.Draft) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{t.Tenant, t.Kind, string(row.Params)}, "\x00")))
	return "job:" + hex.EncodeToString(sum[:])
}
