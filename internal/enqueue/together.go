package enqueue

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/groupcommit"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// togetherJobs is the greatest number of jobs that one transaction adds. togetherTimeout bounds the
// transaction.
const (
	togetherJobs    = 100
	togetherTimeout = 30 * time.Second
)

func (c *Client) newGroup() *groupcommit.Group[*single] {
	return groupcommit.New(groupcommit.Options[*single]{
		Most: togetherJobs, Timeout: togetherTimeout, Commit: c.commitSingles,
	})
}

// enqueueTogether adds a job in one transaction with jobs of concurrent callers. Only one of these
// callers wakes the feeder.
func (c *Client) enqueueTogether(ctx context.Context, kind jobs.Kind, w TaskOptions, row events.Draft) (Ref, error) {
	s := &single{task: c.newSingle(kind, w), kind: kind, row: row}
	if err := c.group.Do(ctx, s); err != nil {
		return Ref{}, fmt.Errorf("worker: enqueue %s: %w", kind.Name, err)
	}
	if s.rung.CompareAndSwap(false, true) {
		c.wake(ctx)
	}
	return refOf(s.task), nil
}

// commitSingles adds jobs in one transaction. On Postgres, the transaction is a single statement.
func (c *Client) commitSingles(ctx context.Context, list []*single) (rolledBack bool, err error) {
	rung := new(atomic.Bool)
	for _, s := range list {
		s.rung = rung
	}
	if c.db.Pool == nil {
		err = c.db.InTx(ctx, func(tx ledger.Tx) error {
			err := c.addSingles(ctx, tx, list, "", "")
			rolledBack = err != nil
			return err
		})
		return rolledBack, err
	}
	err = c.events.Partitions().Retry(ctx, func() error { return c.addSingles(ctx, c.db.Writer(), list, "", "") })
	return ledger.ValueRejected(err), err
}
