package reconcile

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/periodic"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// ActCancelRows is the name of the act of a RowCanceler in the audit log of a task.
const ActCancelRows = "cancel-rows"

// Selection is a selection of waiting rows of a task.
type Selection struct {
	Filter events.Filter // its statuses and its page are ignored
	By     string        // the user
	Detail audit.Detail  // the request, for the audit log
	DryRun bool          // only count
}

// Match is a condition that rows must meet besides the filter of the Selection. It must not be nil.
type Match func(*events.Event) bool

// RowsCanceled holds the counts of an act of a RowCanceler.
type RowsCanceled struct {
	Matched  int64
	Canceled int64
	Running  int64 // not canceled, usually because a worker has fetched or run them; 0 for a dry run
}

// Add adds other counts.
func (c *RowsCanceled) Add(o RowsCanceled) {
	c.Matched, c.Canceled, c.Running = c.Matched+o.Matched, c.Canceled+o.Canceled, c.Running+o.Running
}

// RowCanceler is a canceler of single waiting rows. The other rows of their tasks still run. A row that
// is not in Redis is canceled at once. A row in Redis is canceled after CancelerOptions.Grace, unless a
// worker has fetched it. After this time, each worker reads the state of such a row before it runs the
// row. If the process dies, a repeated request cancels the remaining rows.
type RowCanceler struct {
	*Canceler
	log *audit.Log
}

// NewRowCanceler returns a canceler of single rows.
func NewRowCanceler(ts *tasks.Store, es *events.Store, c *queue.Client, opt CancelerOptions) *RowCanceler {
	canceler := NewCanceler(ts, es, c, opt)
	return &RowCanceler{canceler, audit.New(ts.DB(), canceler.opt.Now)}
}

// RowCancel is an act that cancels rows of one or several tasks. Call Add for each task, then End.
type RowCancel struct {
	canceler *RowCanceler
	sel      Selection
	list     []*rowsOfTask // tasks with matching rows
}

// rowsOfTask holds the rows of one task that a RowCancel cancels.
type rowsOfTask struct {
	task   *tasks.Task
	pushed []events.ID // rows in Redis, to be canceled by End
	entry  int64       // in the audit log
	out    RowsCanceled
}

// Begin returns a RowCancel for the selected rows. It changes no rows.
func (c *RowCanceler) Begin(sel Selection) *RowCancel { return &RowCancel{canceler: c, sel: sel} }

// rowsPage is the number of rows of a page, which one transaction cancels. fullPage is this number for rows
// that are read with their params, which may be large.
const (
	rowsPage = 1000
	fullPage = 100
)

// Add cancels the matching rows of a task that are not in Redis, and collects the others for End. In a dry
// run, it only counts. It returns the number of matching rows. Erased rows never match.
func (r *RowCancel) Add(ctx context.Context, t *tasks.Task, match Match) (matched int64, err error) {
	at := &rowsOfTask{task: t}
	f := r.sel.Filter
	f.Statuses, f.After, f.Limit = []events.Status{events.Enqueue}, 0, fullPage
	if f.Brief {
		f.Limit = rowsPage
	}
	for {
		page, err := r.canceler.events.List(ctx, t.Num, f)
		if err != nil {
			return at.out.Matched, err
		}
		if rows := matching(page, match); len(rows) > 0 {
			if at.out.Matched == 0 {
				r.list = append(r.list, at)
			}
			at.out.Matched += int64(len(rows))
			if err := r.addPage(ctx, at, rows); err != nil {
				return at.out.Matched, err
			}
		}
		if len(page) < f.Limit {
			return at.out.Matched, nil
		}
		f.After = page[len(page)-1].ID.Seq()
	}
}

func matching(page []events.Event, match Match) (out []events.Event) {
	for i := range page {
		if e := &page[i]; !e.Erased() && match(e) {
			out = append(out, *e)
		}
	}
	return out
}

// addPage cancels the rows of a page that are not in Redis. Before the first page of a task, it begins
// the entry in the audit log.
func (r *RowCancel) addPage(ctx context.Context, at *rowsOfTask, rows []events.Event) (err error) {
	if r.sel.DryRun {
		return nil
	}
	if at.entry == 0 {
		at.entry, err = r.canceler.log.Begin(ctx, audit.Entry{
			Subject: audit.Task(at.task.Num), Actor: r.sel.By, Act: ActCancelRows, Touched: audit.InProgress, Detail: r.sel.Detail,
		})
		if err != nil {
			return err
		}
	}
	return r.canceler.withdraw(ctx, at, rows, r.sel.By, false)
}

// End cancels the collected rows, and returns the counts of the act. It waits for CancelerOptions.Grace
// if there are such rows. Call it even after an error of Add, because it also finishes the entries in
// the audit log.
func (r *RowCancel) End(ctx context.Context) (out RowsCanceled, err error) {
	if err = r.waitForWorkers(ctx); err == nil {
		for _, at := range r.list {
			if err = errors.Join(err, r.cancelPushed(ctx, at)); err != nil {
				break
			}
		}
	}
	for _, at := range r.list {
		if at.out.Running = at.out.Matched - at.out.Canceled; r.sel.DryRun {
			at.out.Running = 0
		}
		out.Add(at.out)
		if at.entry > 0 {
			err = errors.Join(err, r.canceler.log.Finish(context.WithoutCancel(ctx), at.entry, at.out.Canceled, audit.Detail{}))
		}
	}
	return out, err
}

// waitForWorkers makes workers check the state of the collected rows before they run the rows. It
// returns when the workers of all processes do so.
func (r *RowCancel) waitForWorkers(ctx context.Context) error {
	checked := map[string]bool{}
	for _, at := range r.list {
		if len(at.pushed) == 0 || checked[at.task.Tenant] {
			continue
		}
		if err := r.canceler.tasks.CheckPushed(ctx, at.task.Num); err != nil { // applies to the whole tenant
			return err
		}
		checked[at.task.Tenant] = true
	}
	if len(checked) > 0 {
		periodic.Pause(ctx, r.canceler.opt.Grace)
	}
	return ctx.Err()
}

// cancelPushed cancels the collected rows of a task.
func (r *RowCancel) cancelPushed(ctx context.Context, at *rowsOfTask) error {
	for ids := at.pushed; len(ids) > 0; {
		part := ids[:min(len(ids), rowsPage)]
		ids = ids[len(part):]
		seqs := make([]int64, len(part))
		for i, id := range part {
			seqs[i] = id.Seq()
		}
		rows, err := r.canceler.events.Some(ctx, at.task.Num, seqs)
		if err == nil {
			err = r.canceler.withdraw(ctx, at, rows, r.sel.By, true)
		}
		if err != nil {
			return fmt.Errorf("reconcile: cancel pushed rows of task %d: %w", at.task.Num, err)
		}
	}
	return nil
}

// claimPause is the pause between two tries to claim a lane that another process has claimed.
// claimTries is the maximum number of tries.
const (
	claimPause = 5 * time.Millisecond
	claimTries = 6000
)
