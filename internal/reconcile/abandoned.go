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

// CodeAbandoned is the code of the problem of a task whose program died before all rows were added.
const CodeAbandoned = "ABANDONED"

// closeTTL is how long an AbandonedCloser has the claim on a task. If its process dies, another process
// closes the task after this time.
const closeTTL = 20 * time.Second

// AbandonedOptions holds the settings of an AbandonedCloser. The zero value is valid.
type AbandonedOptions struct {
	// Every is the interval between two searches for abandoned tasks. Default 5s.
	Every time.Duration

	// Log receives a record for each task that was closed, and errors. Default: none.
	Log *slog.Logger
}

// AbandonedCloser is a loop that closes tasks whose programs died before all rows were added. The claim of
// such a program has expired. The added rows run, and the task gets a problem. Any number of processes may
// run an AbandonedCloser. A task that is kept open over HTTP has no claim and stays open.
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

// Run calls Close at each interval until ctx ends.
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
				Detail: fmt.Sprintf("The program that added the rows stopped responding after %d rows. These rows run.",
					t.Total),
			},
		})
		if errors.Is(err, events.ErrClaimLost) { // another process ends the task
			continue
		}
		if err != nil {
			return err
		}
		c.opt.Log.Warn("closed a task that its program abandoned", "task", t.ID, "rows", t.Total)
	}
}
