package web

import (
	"fmt"
	"math"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
)

// taskView is a task as the contract shows it.
type taskView struct {
	tasks.Served
	CreatedBy   string         `json:"created_by" doc:"The id of a key, or 'local'."`
	Priority    int            `json:"priority"`
	ParentID    *string        `json:"parent_id,omitempty"`
	Children    *childrenView  `json:"children,omitempty" doc:"The tasks that this one waits for."`
	RunAt       *string        `json:"run_at,omitempty" doc:"Not before." schema:"time"`
	ScheduleID  *string        `json:"schedule_id,omitempty" doc:"The schedule that made it." schema:"format=uuid"`
	PlannedAt   *string        `json:"planned_at,omitempty" doc:"What the schedule planned it for; absent if somebody did not want to wait." schema:"time"`
	Progress    progressView   `json:"progress"`
	Errors      []errorView    `json:"errors" schema:"maxItems=20"`
	ErrorGroups []groupView    `json:"error_groups"`
	Problem     *tasks.Problem `json:"problem"`
	Source      *sourceView    `json:"source"`
	Options     map[string]any `json:"options" doc:"Those of 'ImportOptions' that say how it was read." schema:"null"`
	Warnings    []string       `json:"warnings"`
	Result      resultView     `json:"result" doc:"The file that an export has made."`
	ExpiresAt   *string        `json:"expires_at" schema:"time"`
	Version     int64          `json:"version"`

	Deduplicated bool `json:"deduplicated,omitempty" doc:"It was there already."`

	Links map[string]string `json:"links" schema:"ref=Links"`
}

// childrenView counts the tasks that this one waits for.
type childrenView struct {
	Total int64 `json:"total"`
	Done  int64 `json:"done"`
}

type progressView struct {
	Processed int64    `json:"processed"`
	Percent   *int64   `json:"percent" doc:"Floored; 100 only when done, null while rows are added." schema:"maximum=100;minimum=0"`
	RatePerS  *float64 `json:"rate_per_s"`
	EtaS      *int64   `json:"eta_s"`
	Phase     string   `json:"phase" schema:"enum=waiting|reading|processing|paused|canceling|done"`
	Message   *string  `json:"message"`
}

type sourceView struct {
	FileID  string         `json:"file_id"`
	Name    string         `json:"name"`
	Sheet   *string        `json:"sheet"`
	Size    int64          `json:"size" doc:"Bytes."`
	SHA256  string         `json:"sha256"`
	Columns []tasks.Column `json:"columns" schema:"null"`

	Format    string  `json:"format" schema:"enum=xlsx|csv|tsv|jsonl|json|"`
	Encoding  *string `json:"encoding"`   // of a text
	Delimiter *string `json:"delimiter"`  // of a text
	HeaderRow *int    `json:"header_row"` // null without headings
}

type resultView struct {
	FileID    *string `json:"file_id"`
	Name      *string `json:"name,omitempty"`
	Size      *int64  `json:"size,omitempty" doc:"Bytes."`
	SHA256    *string `json:"sha256,omitempty" doc:"Hex."`
	Rows      *int64  `json:"rows,omitempty" doc:"Without headings."`
	ExpiredAt *string `json:"expired_at,omitempty" doc:"When it was deleted." schema:"time"`
}

// viewResult is the file that a task has made.
func viewResult(r *tasks.Result) resultView {
	if r.ResultID == "" {
		return resultView{}
	}
	return resultView{
		&r.ResultID, &r.ResultName, &r.ResultSize, &r.ResultSHA256, &r.ResultRows, instant(r.ResultPurgedAt),
	}
}

type groupView struct {
	Code     string        `json:"code"`
	Title    string        `json:"title" doc:"The code in words."`
	Column   *string       `json:"column"`
	Status   events.Status `json:"status"`
	Count    int64         `json:"count"`
	FirstRow int           `json:"first_row"`
	Open     int64         `json:"open"`
	Fixed    int64         `json:"fixed"`
	Skipped  int64         `json:"skipped"`
	Print    *string       `json:"fingerprint" doc:"Names the system faults of one type and text. Only for 'ops:read': other callers get all faults of a code as one group. A task has about 50; further faults share 'other'."`
	Fault    *string       `json:"fault" doc:"Type and text of the first such fault, for 'ops:read'."`
}

// viewTask shows a task without its errors, as in a list.
func viewTask(t *tasks.Task, now time.Time) taskView {
	v := taskView{
		Served: t.Served(), CreatedBy: t.CreatedBy, Priority: t.Priority, ParentID: optional(t.ParentID),
		RunAt: instant(t.RunAt), ScheduleID: optional(t.ScheduleID), PlannedAt: instant(t.PlannedAt),
		Progress: viewProgress(t, now), Problem: t.Problem, Options: t.Options, Warnings: list(t.Warnings),
		Result: viewResult(&t.Result), Errors: []errorView{}, ErrorGroups: []groupView{},
		ExpiresAt: instant(t.ExpiresAt), Version: t.Version, Links: links(t.ID),
	}
	if t.Children > 0 {
		v.Children = &childrenView{t.Children, t.ChildrenDone}
	}
	if t.FileID != "" {
		v.Source = &sourceView{
			t.FileID, t.FileName, optional(t.FileSheet), t.FileSize, t.FileSHA256, t.Columns,
			t.FileFormat, optional(t.FileEncoding), optional(t.FileDelimiter), nil,
		}
		if t.HeaderRow > 0 {
			v.Source.HeaderRow = &t.HeaderRow
		}
	}
	return v
}

func links(id string) map[string]string {
	self := "/api/v1/tasks/" + id
	return map[string]string{
		"self": self, "events": self + "/events", "errors": self + "/errors",
		"error_groups": self + "/error-groups", "stream": self + "/stream", "result": self + "/result",
	}
}

// viewProgress is how far a task has come. The percentage is floored, is 100
// only when nothing is left to do, and is not told while rows are still being
// read. The rate is that of the first round: later ones may be days apart.
func viewProgress(t *tasks.Task, now time.Time) progressView {
	p := progressView{Processed: t.Processed(), Phase: phase(t.Status)}
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
		p.Message = optional(t.Progress.Text)
	}
	end := now.UnixMilli()
	if done {
		end = t.FinishedAt
	}
	took := end - t.StartedAt
	if t.StartedAt > 0 && took > 0 && p.Processed > 0 && t.Status != tasks.Paused && t.Round == 1 {
		rate := float64(p.Processed*10_000/took) / 10
		p.RatePerS = &rate
		if rate > 0 && t.TotalIsFinal && !done {
			eta := int64(float64(t.Total-p.Processed)/rate) + 1
			p.EtaS = &eta
		}
	}
	return p
}

// exportMessage tells how many rows are written, and what holds an export up.
func exportMessage(t *tasks.Task) *string {
	text := fmt.Sprintf("%d rows written", t.Progress.Done)
	if t.Progress.Text != "" {
		text += ". " + t.Progress.Text
	}
	return &text
}

// ofOneJob is the percentage of the only job of a task, floored.
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

// retryAfter is when to poll again: often at first, then by what is left.
func retryAfter(t *tasks.Task, p progressView, now time.Time) string {
	seconds := int64(1)
	switch {
	case t.Status == tasks.Paused:
		seconds = 5
	case now.UnixMilli()-t.CreatedAt < 10_000 || p.EtaS == nil:
	default:
		seconds = min(max(*p.EtaS/20, 1), 15)
	}
	return fmt.Sprint(seconds)
}

// How views show times and values that may be missing.
var (
	instant  = textutil.Instant
	optional = textutil.Optional[string]
	deref    = textutil.Deref[string]
)
