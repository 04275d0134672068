package web

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/schedules"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
)

var (
	errScheduleVersion = problem.New(http.StatusPreconditionRequired, "IF_MATCH_REQUIRED",
		"Say which version you have seen: send the ETag of the schedule as If-Match.")
)

// staleSchedule refuses to overwrite what somebody else has done.
func staleSchedule(sc *schedules.Schedule) *problem.Problem {
	p := problem.New(http.StatusPreconditionFailed, "SCHEDULE_CHANGED",
		"Somebody has changed the schedule since you read it. Read it again.")
	p.Version = int(sc.Version)
	return p
}

// scheduleView is a schedule as the contract shows it.
type scheduleView struct {
	ID         string            `json:"id" schema:"format=uuid"`
	Name       string            `json:"name"`
	Kind       string            `json:"kind"`
	Type       string            `json:"type"`
	Cron       string            `json:"cron"`
	TimeZone   string            `json:"time_zone"`
	CatchUp    string            `json:"catch_up" schema:"enum=skip|once|all"`
	Request    json.RawMessage   `json:"request" schema:"ref=ScheduledRequest"`
	Paused     bool              `json:"paused"`
	NextRunAt  *string           `json:"next_run_at" doc:"By plan; null while it is paused." schema:"time"`
	LastRunAt  *string           `json:"last_run_at" doc:"When a task was made last." schema:"time"`
	LastTaskID *string           `json:"last_task_id"`
	Problem    *runProblem       `json:"problem" doc:"Why the last run that was tried could not be started; null once one has been."`
	CreatedBy  string            `json:"created_by" doc:"Who made it, or resumed it last. Its tasks have it from here."`
	CreatedAt  *string           `json:"created_at" schema:"time"`
	UpdatedAt  *string           `json:"updated_at" schema:"time"`
	Version    int64             `json:"version" doc:"Of what people can change. The ETag."`
	Links      map[string]string `json:"links" schema:"ref=Links"`
}

// runProblem is why a run could not be started.
type runProblem struct {
	Code    string  `json:"code" doc:"As 'POST /api/v1/tasks' would answer."`
	Detail  string  `json:"detail"`
	Tries   int     `json:"tries"`
	RetryAt *string `json:"retry_at" doc:"Null once the run was given up." schema:"time"`
}

func viewSchedule(sc *schedules.Schedule) scheduleView {
	self := "/api/v1/schedules/" + sc.ID
	v := scheduleView{
		ID: sc.ID, Name: sc.Name, Cron: sc.Cron, TimeZone: sc.TimeZone, CatchUp: sc.CatchUp,
		Request: json.RawMessage(sc.Request), Paused: sc.Paused, LastRunAt: instant(sc.LastRunAt),
		LastTaskID: optional(sc.LastTaskID), CreatedBy: sc.CreatedBy,
		CreatedAt: instant(sc.CreatedAt), UpdatedAt: instant(sc.UpdatedAt), Version: sc.Version,
		Links: map[string]string{"self": self, "run": self + "/run"},
	}
	var what struct{ Kind, Type string }
	_ = json.Unmarshal(v.Request, &what) // it was read when it came
	v.Kind, v.Type = what.Kind, cmp.Or(what.Type, tasks.Import)
	if !sc.Paused {
		v.NextRunAt = instant(sc.NextRunAt)
	}
	if p := sc.Problem; p != nil {
		v.Problem = &runProblem{Code: p.Code, Detail: p.Detail, Tries: sc.Failures}
		if sc.Failures > 0 {
			v.Problem.RetryAt = instant(sc.DueAt)
		}
	}
	return v
}

func scheduleTag(sc *schedules.Schedule) string { return fmt.Sprintf(`"%d"`, sc.Version) }

func tellSchedule(c *gin.Context, status int, sc *schedules.Schedule) error {
	c.Header("ETag", scheduleTag(sc))
	c.JSON(status, viewSchedule(sc))
	return nil
}
