package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/drafts"
	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// maxJobs is the greatest number of rows that one request may add to an open task.
const maxJobs = 1000

var errNotOpen = problem.New(http.StatusConflict, "TASK_NOT_OPEN",
	"The task accepts no rows: it is closed or canceled, or its rows come from a file.")

// addJobs serves POST /tasks/{id}/jobs, which adds rows to an open task. It commits all valid rows in
// one transaction. The response lists the faults of the invalid rows.
func (s *Handlers) addJobs(c *gin.Context) error {
	t, kind, err := s.openTask(c)
	if err != nil {
		return err
	}
	rows := drafts.NewJSONRows(kind, s.Limits)
	var drafts []events.Draft
	req, err := s.Intake.ReadRequest(request.NewBody(c), func(n int, text []byte) error {
		if n == maxJobs {
			return problem.New(http.StatusRequestEntityTooLarge, "TOO_MANY_ROWS", fmt.Sprintf(
				"A request may add at most %d rows.", maxJobs)).At("/rows")
		}
		drafts = append(drafts, rows.Draft(n+1, text))
		return nil
	})
	if err != nil {
		return err
	}
	if _, ok := req["rows"]; !ok || len(drafts) == 0 {
		return problem.New(http.StatusUnprocessableEntity, "NO_ROWS", `There are no rows: send them in "rows".`).
			At("/rows")
	}
	if err := request.IdempotentOf(c).Seal(c.Request.Context()); err != nil {
		return err
	}
	return s.answerJobs(c, t, drafts)
}

// answerJobs adds the valid rows of drafts, and answers with the id or the faults of each row.
func (s *Handlers) answerJobs(c *gin.Context, t *tasks.Task, drafts []events.Draft) error {
	views, good := make([]view.Job, len(drafts)), []events.Draft(nil)
	for i, d := range drafts {
		if views[i] = (view.Job{Index: i, Errors: faultsOf(i, d.Failure, s.Locale.Localizer(c, t))}); d.Failure == nil {
			good = append(good, d)
		}
	}
	if len(good) > 0 {
		total, err := s.append(c, t, good)
		if err != nil {
			return err
		}
		seq := total - int64(len(good))
		for i := range views {
			if views[i].Errors == nil {
				seq++
				views[i].ID = events.NewID(t.Num, seq).JobID(t.ID)
			}
		}
	}
	request.JSON(c, http.StatusAccepted, view.Jobs{Items: views, Accepted: len(good), Rejected: len(views) - len(good), Links: view.TaskLinks(t.ID)})
	return nil
}

// append adds rows to a task and returns the new total of the task. Rows that an earlier request
// with the same Idempotency-Key has added are not added again.
func (s *Handlers) append(c *gin.Context, t *tasks.Task, rows []events.Draft) (int64, error) {
	attempt := request.IdempotentOf(c)
	if attempt.Done() {
		return attempt.Total()
	}
	if most := s.Intake.MaxRows(); t.Total+int64(len(rows)) > int64(most) {
		return 0, problem.New(http.StatusUnprocessableEntity, "TOO_MANY_ROWS",
			fmt.Sprintf("A task has at most %d rows. Close it, and open another.", most)).At("/rows")
	}
	if err := s.Intake.CheckQuota(c.Request.Context(), tasks.Usage{Rows: int64(len(rows))}); err != nil {
		return 0, err
	}
	chunk := events.Chunk{Num: t.Num, Rows: rows, Count: true, Also: attempt.Also()}
	if kind, ok := s.Kinds.Kind(t.Kind); ok {
		chunk.Unordered = kind.Unordered
	}
	if err := s.holdQuota(c.Request.Context(), t.Tenant, &chunk); err != nil {
		return 0, err
	}
	total, err := s.Events.Append(c.Request.Context(), chunk)
	if errors.Is(err, events.ErrClaimLost) {
		return 0, errNotOpen
	}
	if err != nil {
		return 0, err
	}
	failpoint.Hit("appended")
	s.Cache.Invalidate(t.Tenant, t.ID)
	s.Wake(c.Request.Context(), jobs.FeedTopic)
	return total, nil
}

// holdQuota makes the transaction of a chunk fail if the tenant would have more rows than its quota.
// The check also counts rows that other requests add at the same time.
func (s *Handlers) holdQuota(ctx context.Context, tenant string, c *events.Chunk) error {
	l, err := s.Tasks.Limits(ctx, tenant)
	if err != nil || l.Rows == 0 {
		return err
	}
	also := c.Also
	c.First = func(ctx context.Context, tx ledger.Tx) error { return s.Tasks.LockQuotas(ctx, tx, tenant) }
	c.Also = func(ctx context.Context, tx ledger.Tx, total int64) error {
		if err := s.Tasks.WithinRows(ctx, tx, tenant); err != nil || also == nil {
			return err
		}
		return also(ctx, tx, total)
	}
	return nil
}

// faultsOf returns the faults of a row; nil if f is nil. The argument `index` is the position of the row in
// the request, from 0.
func faultsOf(index int, f *events.Failure, v view.Localizer) []problem.Fault {
	if f == nil {
		return nil
	}
	fields := f.Fields
	if len(fields) == 0 {
		fields = []events.Field{{Column: f.Column, Code: f.Code, Message: f.Message, Args: f.Args}}
	}
	var out []problem.Fault
	for _, one := range v.Fields(fields) {
		at := fmt.Sprintf("/rows/%d", index)
		if one.Column != "" {
			at += "/" + problem.Pointer(one.Column)
		}
		out = append(out, problem.Fault{Pointer: at, Column: one.Column, Row: index + 1, Code: one.Code, Detail: one.Message})
	}
	return out
}

// openTask returns the task that the path names, and its kind. It returns errNotOpen if the task
// accepts no rows from requests. It also returns a closed task if an earlier request with the
// same Idempotency-Key has added the rows.
func (s *Handlers) openTask(c *gin.Context) (*tasks.Task, jobs.Kind, error) {
	t, err := s.Find.TaskOf(c)
	if err != nil {
		return nil, jobs.Kind{}, err
	}
	if t.Type != tasks.Batch || t.FileID != "" || t.TotalIsFinal && !request.IdempotentOf(c).Done() {
		return nil, jobs.Kind{}, errNotOpen
	}
	kind, err := s.Ingest.Kind(t.Kind)
	return t, kind, err
}

// closeTask serves POST /tasks/{id}/close, after which the task accepts no more rows. Closing a closed
// task is a no-op.
func (s *Handlers) closeTask(c *gin.Context, t *tasks.Task) error {
	ctx := c.Request.Context()
	if t.Type != tasks.Batch || t.FileID != "" {
		return errNotOpen
	}
	if !t.TotalIsFinal {
		_, err := s.Events.Append(ctx, events.Chunk{Num: t.Num, Final: true})
		if err != nil && !errors.Is(err, events.ErrClaimLost) {
			return err
		}
		if t, err = s.Tasks.Get(ctx, request.Tenant(c), t.ID); err != nil {
			return err
		}
	}
	if !t.TotalIsFinal { // a program, not a client, adds the rows
		return errNotOpen
	}
	s.Cache.Invalidate(t.Tenant, t.ID)
	s.created(c, t, false)
	return nil
}
