package view

import (
	"fmt"
	"math"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Task is a task as the contract shows it.
type Task struct {
	tasks.TaskJSON
	CreatedBy   string         `json:"created_by" doc:"Id of an API key, 'oidc:' and the name of a user, or 'local' without a credential."`
	Priority    int            `json:"priority"`
	ParentID    *string        `json:"parent_id,omitempty"`
	Children    *Children      `json:"children,omitempty" doc:"Numbers of the child tasks, for which this task waits."`
	After       *After         `json:"after,omitempty" doc:"Tasks that must end before this task starts."`
	RunAt       *string        `json:"run_at,omitempty" doc:"The task does not start before this time." schema:"time"`
	ScheduleID  *string        `json:"schedule_id,omitempty" doc:"Schedule that created the task." schema:"format=uuid"`
	PlannedAt   *string        `json:"planned_at,omitempty" doc:"Planned time of the run; absent for a manual run." schema:"time"`
	Progress    Progress       `json:"progress"`
	Errors      []RowError     `json:"errors" schema:"maxItems=20"`
	ErrorGroups []Group        `json:"error_groups"`
	Problem     *tasks.Problem `json:"problem"`
	Source      *Source        `json:"source"`
	Options     map[string]any `json:"options" doc:"Values of 'ImportOptions' with which the file was read." schema:"null"`
	Warnings    []string       `json:"warnings"`
	Result      Result         `json:"result" doc:"File that an export has written."`
	ExpiresAt   *string        `json:"expires_at" schema:"time"`
	Version     int64          `json:"version"`

	Deduplicated bool `json:"deduplicated,omitempty" doc:"Another request with the same file made the task: see 'options.dedup'. Absent if this request made it, also in an earlier attempt."`

	Links Links `json:"links" schema:"ref=Links"`
}

// After holds the tasks that must end before a task starts.
type After struct {
	Tasks   []string `json:"tasks" doc:"Ids of the tasks."`
	Outcome string   `json:"outcome" doc:"'success': the tasks must end with success." schema:"enum=any|success"`
	Waiting int64    `json:"waiting" doc:"Number of the tasks that have not ended with this outcome yet." schema:"minimum=0"`
}

// ofAfter returns the view of the tasks that must end before a task starts; nil if there are none.
func ofAfter(t *tasks.Task) *After {
	if len(t.After) == 0 {
		return nil
	}
	v := &After{t.After, "any", t.Awaits}
	if t.AfterWell {
		v.Outcome = "success"
	}
	return v
}

// Children holds the numbers of the child tasks that a task waits for.
type Children struct {
	Total int64 `json:"total"`
	Done  int64 `json:"done"`
}

// Progress is the progress of a task.
type Progress struct {
	Processed int64    `json:"processed"`
	Percent   *int64   `json:"percent" doc:"Floored percentage; 100 only when the task is done, null while rows are added." schema:"maximum=100;minimum=0"`
	RatePerS  *float64 `json:"rate_per_s"`
	EtaS      *int64   `json:"eta_s"`
	Phase     string   `json:"phase" schema:"enum=waiting|reading|processing|paused|canceling|done"`
	Message   *string  `json:"message"`
}

// Source is the file of a task, and the options with which it was read.
type Source struct {
	FileID  string         `json:"file_id"`
	Name    string         `json:"name"`
	Sheet   *string        `json:"sheet"`
	Size    int64          `json:"size" doc:"Size in bytes."`
	SHA256  string         `json:"sha256"`
	Columns []tasks.Column `json:"columns" schema:"null"`

	Format    string  `json:"format" schema:"enum=xlsx|csv|tsv|jsonl|json|"`
	Encoding  *string `json:"encoding"`   // only of a text file
	Delimiter *string `json:"delimiter"`  // only of a text file
	HeaderRow *int    `json:"header_row"` // null without headings
}

// Result is the file of an export. All its fields are nil if there is no file.
type Result struct {
	FileID    *string `json:"file_id"`
	Name      *string `json:"name,omitempty"`
	Size      *int64  `json:"size,omitempty" doc:"Size in bytes."`
	SHA256    *string `json:"sha256,omitempty" doc:"In hexadecimal."`
	Rows      *int64  `json:"rows,omitempty" doc:"Number of rows, without the headings."`
	ExpiredAt *string `json:"expired_at,omitempty" doc:"Time at which the file was deleted." schema:"time"`
}

// ofResult returns the view of the file that an export has written.
func ofResult(r *tasks.Result) Result {
	if r.ResultID == "" {
		return Result{}
	}
	return Result{
		&r.ResultID, &r.ResultName, &r.ResultSize, &r.ResultSHA256, &r.ResultRows, textutil.Instant(r.ResultPurgedAt),
	}
}

// Group is an error group of a task. Count is the number of its rows.
type Group struct {
	Code     string        `json:"code"`
	Title    string        `json:"title" doc:"Title of the code, in the language of the request."`
	Column   *string       `json:"column"`
	Status   events.Status `json:"status"`
	Count    int64         `json:"count"`
	FirstRow int           `json:"first_row"`
	Open     int64         `json:"open"`
	Fixed    int64         `json:"fixed"`
	Skipped  int64         `json:"skipped"`
	Print    *string       `json:"fingerprint" doc:"Fingerprint of the system faults of one type and text. Only for 'ops:read'; other callers receive all faults with the same code as one group. A task has about 50 fingerprints; further faults share 'other'."`
	Fault    *string       `json:"fault" doc:"Type and text of the first of these faults. Only for 'ops:read'."`
}

// OfTask returns the view of a task, without the errors of its rows.
func OfTask(t *tasks.Task, now time.Time) Task {
	v := Task{
		TaskJSON: t.JSON(), CreatedBy: t.CreatedBy, Priority: t.Priority, ParentID: textutil.Optional(t.ParentID),
		After: ofAfter(t), RunAt: textutil.Instant(t.RunAt), ScheduleID: textutil.Optional(t.ScheduleID), PlannedAt: textutil.Instant(t.PlannedAt),
		Progress: OfProgress(t, now), Problem: t.Problem, Options: t.Options, Warnings: NonNil(t.Warnings),
		Result: ofResult(&t.Result), Errors: []RowError{}, ErrorGroups: []Group{},
		ExpiresAt: textutil.Instant(t.ExpiresAt), Version: t.Version, Links: TaskLinks(t.ID),
	}
	if t.Children > 0 {
		v.Children = &Children{t.Children, t.ChildrenDone}
	}
	if t.FileID != "" {
		v.Source = &Source{
			t.FileID, t.FileName, textutil.Optional(t.FileSheet), t.FileSize, t.FileSHA256, t.Columns,
			t.FileFormat, textutil.Optional(t.FileEncoding), textutil.Optional(t.FileDelimiter), nil,
		}
		if t.HeaderRow > 0 {
			v.Source.HeaderRow = &t.HeaderRow
		}
	}
	return v
}

// TaskLinks returns the links of a task.
func TaskLinks(id string) Links {
	self := "/api/v1/tasks/" + id
	return Links{
		"self": self, "events": self + "/events", "errors": self + "/errors",
		"error_groups": self + "/error-groups", "stream": self + "/stream", "result": self + "/result",
	}
}

// OfProgress returns the progress of a task. The percentage is floored, and is 100 only when the task is
// done. It is nil until the total is final. After a resubmission the rate is nil, because the task may have
// been done for days.
func OfProgress(t *tasks.Task, now time.Time) Progress {
	p := Progress{Processed: t.Processed(), Phase: phase(t.Status)}
	done := t.Status.Done()
	if t.TotalIsFinal {
		percent := int64(100)
		switch {
		case t.Total == 1 && t.Progress.Total > 0 && !done && t.Type != tasks.Export:
			percent = ofOneJob(t.Progress)
		case t.Total > 0:
			percent = 100 * p.Processed / t.Total
		}
		if !done {
			percent = min(percent, 99)
		}
		p.Percent = &percent
	}
	switch {
	case t.Type == tasks.Export:
		p.Message = exportMessage(t)
	case t.Total == 1:
		p.Message = textutil.Optional(t.Progress.Text)
	}
	end := now.UnixMilli()
	if done {
		end = t.FinishedAt
	}
	took := end - t.StartedAt
	if t.StartedAt > 0 && took > 0 && p.Processed > 0 && t.Status != tasks.Paused && t.Round == 1 {
		rate := float64(p.Processed*10_000/took) / 10
		p.RatePerS = &rate
		if rate > 0 && t.TotalIsFinal && !done && !AwaitsRetry(t, now) {
			eta := int64(float64(t.Total-p.Processed)/rate) + 1
			p.EtaS = &eta
		}
	}
	return p
}

// stillAfter is the time without a change of the task's counts after which AwaitsRetry treats all waiting
// rows as waiting behind a retry. The rows of a fast handler end before the ledger records them as running,
// but each end changes a count.
const stillAfter = 5 * time.Second

// AwaitsRetry reports whether all unfinished rows of a task wait for a retry, or behind a row that does.
func AwaitsRetry(t *tasks.Task, now time.Time) bool {
	if t.Working > 0 || t.Retrying == 0 {
		return false
	}
	return t.Retrying == t.Enqueue || now.UnixMilli()-t.MovedAt >= stillAfter.Milliseconds()
}

// exportMessage returns a text with the number of rows that an export has written. If the export is
// delayed, the text also has the reason.
func exportMessage(t *tasks.Task) *string {
	text := fmt.Sprintf("%d rows written", t.Progress.Done)
	if t.Progress.Text != "" {
		text += ". " + t.Progress.Text
	}
	return &text
}

// ofOneJob returns the floored percentage of a task that has only one job.
func ofOneJob(p tasks.Progress) int64 {
	done, total := min(p.Done, p.Total), p.Total
	if total > math.MaxInt64/100 {
		return done / (total / 100)
	}
	return 100 * done / total
}

func phase(s tasks.Status) string {
	switch s {
	case tasks.Open:
		return "waiting"
	case tasks.Splitting:
		return "reading"
	case tasks.Running:
		return "processing"
	case tasks.Paused, tasks.Canceling:
		return string(s)
	}
	return "done"
}

// PollAfter returns the number of seconds until the next poll. It is 5 for a paused task without running
// rows. It is 1 for a paused task with running rows, in the first 10 seconds of a task, and while the
// remaining time is unknown. Otherwise, it is 5 % of the remaining time, from 1 to 15.
func PollAfter(t *tasks.Task, p Progress, now time.Time) string {
	seconds := int64(1)
	switch {
	case t.Status == tasks.Paused && t.Working == 0:
		seconds = 5
	case now.UnixMilli()-t.CreatedAt < 10_000 || p.EtaS == nil:
	default:
		seconds = min(max(*p.EtaS/20, 1), 15)
	}
	return fmt.Sprint(seconds)
}
