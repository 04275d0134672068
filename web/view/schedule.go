package view

import (
	"cmp"
	"encoding/json"

	"github.com/rollcall-dev/rollcall/internal/schedules"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Schedule is a schedule as the contract shows it.
type Schedule struct {
	ID         string          `json:"id" schema:"format=uuid"`
	Name       string          `json:"name"`
	Kind       string          `json:"kind"`
	Type       string          `json:"type"`
	Cron       string          `json:"cron"`
	TimeZone   string          `json:"time_zone"`
	CatchUp    string          `json:"catch_up" schema:"enum=skip|once|all"`
	Request    json.RawMessage `json:"request" schema:"ref=ScheduledRequest"`
	Paused     bool            `json:"paused"`
	NextRunAt  *string         `json:"next_run_at" doc:"Planned time of the next run; null while the schedule is paused." schema:"time"`
	LastRunAt  *string         `json:"last_run_at" doc:"Time at which the last task was created." schema:"time"`
	LastTaskID *string         `json:"last_task_id"`
	Problem    *RunProblem     `json:"problem" doc:"Reason why the last run could not start; null after a run has started."`
	CreatedBy  string          `json:"created_by" doc:"The user who created or last resumed the schedule; its tasks get this 'created_by'."`
	CreatedAt  *string         `json:"created_at" schema:"time"`
	UpdatedAt  *string         `json:"updated_at" schema:"time"`
	Version    int64           `json:"version" doc:"Version of the fields that users can change; also the ETag."`
	Links      Links           `json:"links" schema:"ref=Links"`
}

// RunProblem is the reason why a scheduled run could not start.
type RunProblem struct {
	Code    string  `json:"code" doc:"Code that 'POST /api/v1/tasks' would return."`
	Detail  string  `json:"detail"`
	Tries   int     `json:"tries"`
	RetryAt *string `json:"retry_at" doc:"Time of the next attempt of this run; null: the run was given up." schema:"time"`
}

// OfSchedule returns the view of a schedule.
func OfSchedule(sc *schedules.Schedule) Schedule {
	self := "/api/v1/schedules/" + sc.ID
	v := Schedule{
		ID: sc.ID, Name: sc.Name, Cron: sc.Cron, TimeZone: sc.TimeZone, CatchUp: sc.CatchUp,
		Request: json.RawMessage(sc.Request), Paused: sc.Paused, LastRunAt: textutil.Instant(sc.LastRunAt),
		LastTaskID: textutil.Optional(sc.LastTaskID), CreatedBy: sc.CreatedBy,
		CreatedAt: textutil.Instant(sc.CreatedAt), UpdatedAt: textutil.Instant(sc.UpdatedAt), Version: sc.Version,
		Links: Links{"self": self, "run": self + "/run"},
	}
	var what struct{ Kind, Type string }
	_ = json.Unmarshal(v.Request, &what) // the JSON was validated when it was received
	v.Kind, v.Type = what.Kind, cmp.Or(what.Type, tasks.Import)
	if !sc.Paused {
		v.NextRunAt = textutil.Instant(sc.NextRunAt)
	}
	if p := sc.Problem; p != nil {
		v.Problem = &RunProblem{Code: p.Code, Detail: p.Detail, Tries: sc.Failures}
		if sc.Failures > 0 {
			v.Problem.RetryAt = textutil.Instant(sc.DueAt)
		}
	}
	return v
}
