package worker

import (
	"context"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/groupcommit"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

// togetherJobs is the most jobs of a transaction, togetherCommits the most transactions at
// once, and togetherTimeout the longest time of one.
const (
	togetherJobs    = 32
	togetherCommits = 2
	togetherTimeout = 30 * time.Second
)

// single is one job that is enqueued as a task of its own.
type single struct {
	task *tasks.Task
	kind Kind
	row  events.Draft
}

func (c *Client) newGroup() *groupcommit.Group[*single] {
	return groupcommit.New(groupcommit.Options[*single]{
		Most: togetherJobs, AtOnce: togetherCommits, Timeout: togetherTimeout, Commit: c.commitSingles,
	})
}

// enqueueTogether adds a job in one transaction with those that other callers add now.
func (c *Client) enqueueTogether(ctx context.Context, kind Kind, w wish, row events.Draft) (Ref, error) {
	s := &single{task: c.newSingle(kind, w), kind: kind, row: row}
	if err := c.group.Do(ctx, s); err != nil {
		return Ref{}, fmt.Errorf("worker: enqueue %s: %w", kind.Name, err)
	}
	c.wake(ctx)
	return refOf(s.task), nil
}

// commitSingles adds jobs in one transaction.
func (c *Client) commitSingles(ctx context.Context, list []*single) (rolledBack bool, err error) {
	err = c.db.GormTx(ctx, func(tx ledger.Gorm) error {
		err := c.addSingles(tx, list)
		rolledBack = err != nil
		return err
	})
	return rolledBack, err
}

func (c *Client) addSingles(tx ledger.Gorm, list []*single) error {
	ts, jobs := make([]*tasks.Task, len(list)), make([]events.Only, len(list))
	for i, s := range list {
		ts[i] = s.task
	}
	if err := c.tasks.CreateAll(tx, ts, c.opt.Keep); err != nil {
		return err
	}
	for i, s := range list {
		jobs[i] = only(s.task, s.kind, s.row)
	}
	return c.events.AddOnly(tx, jobs...)
}
