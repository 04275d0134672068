package reconcile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/periodic"
	"github.com/rollcall-dev/rollcall/tasks"
)

// CodeAbandoned is the code of a task whose program died before it had added
// all rows.
const CodeAbandoned = "ABANDONED"

// closeTTL is how long a closer that has died keeps a task from the others.
const closeTTL = 20 * time.Second

// AbandonedOptions tunes a Closer. The zero value works.
type AbandonedOptions struct {
	// Every is how often to look. Default 5s.
	Every time.Duration

	// Log gets one record per task that was closed, and faults. Default: none.
	Log *slog.Logger
}

// AbandonedCloser ends tasks that a program adds rows to and has abandoned: their claim
// ran out. The rows that are there run; the task ends as failed, with a problem.
// Any number of processes may run one. Tasks that are held open over HTTP have
// no claim and stay open.
type AbandonedCloser struct {
	tasks  *tasks.Store
	events *events.Store
	opt    AbandonedOptions
}

// NewAbandonedCloser returns a closer.
func NewAbandonedCloser(ts *tasks.Store, es *events.Store, opt AbandonedOptions) *AbandonedCloser {
	opt.Every = cmp.Or(opt.Every, 5*time.Second)
	opt.Log = cmp.Or(opt.Log, slog.New(slog.DiscardHandler))
	return &AbandonedCloser{ts, es, opt}
}

// Run looks again and again until ctx ends.
func (c *AbandonedCloser) Run(ctx context.Context) {
	periodic.Loop{Every: c.opt.Every, Log: c.opt.Log, Failed: "closing abandoned tasks failed"}.Run(ctx, c.Close)
}

// Close ends all tasks that are abandoned now.
func (c *AbandonedCloser) Close(ctx context.Context) error {
	for {
		t, claim, err := c.tasks.ClaimAbandoned(ctx, closeTTL)
		if err != nil || t == nil {
			return err
		}
		_, err = c.events.Append(ctx, events.Chunk{
			Num: t.Num, Claim: int64(claim), Final: true, Problem: &tasks.Problem{
				Code: CodeAbandoned,
				Detail: fmt.Sprintf("The program that made the rows stopped without a word after %d of them.",
					t.Total),
			},
		})
		if err != nil && !errors.Is(err, events.ErrClaimLost) {
			return err
		}
		c.opt.Log.Warn("closed a task that its program abandoned", "task", t.ID, "rows", t.Total)
	}
}
