package rowacts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/reconcile"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/tasks"
)

// These are the codes of failed rows.
const (
	CodeGone    = "TASK_GONE"    // the task was deleted since the request
	CodeClosed  = "TASK_CLOSED"  // the rows of the task can no longer be changed
	CodeInvalid = "INVALID_CELL" // the change is not possible for the columns of the task
)

// Runner is the handler of the kind that Runner.Kind returns. The process sets the fields before it runs
// jobs.
type Runner struct {
	Tasks    *tasks.Store
	Kinds    *jobs.Registry
	Reviewer *review.Reviewer
	Canceler *reconcile.RowCanceler
	Wake     func(ctx context.Context) // called after rows were resubmitted or canceled
}

// Kind returns the kind whose jobs apply acts to the rows of a task.
func (r *Runner) Kind() jobs.Kind {
	k := jobs.Kind{Name: Name, Shards: 1, Weight: 1, MaxRetries: 25, BatchSize: 1, Unordered: true, Private: true, Run: r.run}
	k.Texts = map[string]map[string]string{}
	for lang, title := range titles {
		k.Texts[lang] = map[string]string{jobs.TitleText: title}
	}
	return k
}

// titles are the titles of the kind for users, by language.
var titles = map[string]string{
	"en": "Change to rows of many imports", "ru": "Изменение строк многих импортов",
	"vi": "Thay đổi dòng của nhiều lần nhập", "zh": "批量更改多个导入中的行",
}

// Counts holds the counts that a job of the kind Name stores as its result.
type Counts struct {
	Matched     int64 `json:"matched"`
	Done        int64 `json:"done,omitempty"`
	Resubmitted int64 `json:"resubmitted,omitempty"`
	Canceled    int64 `json:"canceled,omitempty"`
	Running     int64 `json:"running,omitempty"`
}

func (r *Runner) run(ctx context.Context, calls ...*jobs.Call) error {
	call := calls[0]
	var p params
	if err := json.Unmarshal(call.Params, &p); err != nil {
		return fmt.Errorf("rowacts: params of %s: %w", call.ID, err)
	}
	t, err := r.Tasks.Get(ctx, call.Tenant, p.Task)
	if errors.Is(err, tasks.ErrNotFound) || errors.Is(err, tasks.ErrExpired) {
		return failure(CodeGone, "The task was deleted meanwhile.")
	}
	if err != nil {
		return err
	}
	counts, err := r.apply(ctx, t, p.Order)
	if err != nil {
		return finalFailure(err)
	}
	result, err := json.Marshal(counts)
	call.Keep(result)
	return err
}

// apply applies an act to the rows of a task. It wakes the feeder even after an error.
func (r *Runner) apply(ctx context.Context, t *tasks.Task, o Order) (Counts, error) {
	defer r.Wake(ctx)
	if o.Cancel != nil {
		return r.cancel(ctx, t, o.Cancel)
	}
	out, err := r.Reviewer.Bulk(ctx, t, *o.Bulk)
	return Counts{Matched: int64(out.Matched), Done: int64(out.Done), Resubmitted: int64(out.Resubmitted)}, err
}

func (r *Runner) cancel(ctx context.Context, t *tasks.Task, c *Cancel) (Counts, error) {
	if t.Status.Done() || t.Status == tasks.Canceling {
		return Counts{}, nil // no row waits any more
	}
	kind, _ := r.Kinds.Kind(t.Kind)
	f := c.Filter
	f.Brief = c.Query == ""
	act := r.Canceler.Begin(reconcile.Selection{Filter: f, By: c.By, Detail: c.Detail})
	_, err := act.Add(ctx, t, review.Matcher(kind, c.Query))
	out, ended := act.End(ctx)
	return Counts{Matched: out.Matched, Canceled: out.Canceled, Running: out.Running}, errors.Join(err, ended)
}

// finalFailure returns the failure with which the row ends if no retry can fix the error, and otherwise the
// error.
func finalFailure(err error) error {
	var column *review.ColumnError
	switch {
	case errors.Is(err, events.ErrClosed), errors.Is(err, review.ErrKind):
		return failure(CodeClosed, "The rows of the task can no longer be changed.")
	case errors.As(err, &column):
		return failure(CodeInvalid, column.Error())
	}
	return err
}

func failure(code, message string) error {
	return &jobs.Failure{Failure: events.Failure{Code: code, Message: message}}
}
