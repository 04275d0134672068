package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/schedules"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/intake"
	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/route"
	"github.com/rollcall-dev/rollcall/web/view"
)

// scheduleRequest is the body of POST /schedules and of PATCH /schedules/{id}. A missing field keeps its
// default value or, in a PATCH, its stored value.
type scheduleRequest struct {
	Name     *string         `json:"name"`
	Cron     *string         `json:"cron"`
	TimeZone *string         `json:"time_zone"`
	CatchUp  *string         `json:"catch_up"`
	Request  json.RawMessage `json:"request"`
}

// createSchedule serves POST /schedules.
func (s *Handlers) createSchedule(c *gin.Context) error {
	sc := &schedules.Schedule{
		Tenant: request.Tenant(c), CreatedBy: request.Actor(c), Maker: request.Caller(c).Key, TimeZone: "UTC", CatchUp: schedules.CatchUpSkip,
	}
	if err := s.readSchedule(c, sc); err != nil {
		return err
	}
	if err := s.Manage.AddSchedule(c.Request.Context(), sc); err != nil {
		return err
	}
	c.Header("Location", "/api/v1/schedules/"+sc.ID)
	return answerSchedule(c, http.StatusCreated, sc)
}

// readSchedule copies the fields of a request into a schedule, and checks the schedule.
func (s *Handlers) readSchedule(c *gin.Context, sc *schedules.Schedule) error {
	req := request.Body[scheduleRequest](c)
	setIfGiven(&sc.Name, req.Name)
	setIfGiven(&sc.Cron, req.Cron)
	setIfGiven(&sc.TimeZone, req.TimeZone)
	setIfGiven(&sc.CatchUp, req.CatchUp)
	if len(req.Request) > 0 {
		sc.Request = string(req.Request)
	}
	return s.Intake.CheckSchedule(c.Request.Context(), sc, request.NewTask(c))
}

// setIfGiven stores the trimmed `text` in `at`. It does nothing if `text` is nil.
func setIfGiven(at, text *string) {
	if text != nil {
		*at = strings.TrimSpace(*text)
	}
}

// listSchedules serves GET /schedules.
func (s *Handlers) listSchedules(c *gin.Context) error {
	return request.Listing[schedules.Schedule, view.Schedule]{
		Read: func(ctx context.Context, before int64, limit int) ([]schedules.Schedule, error) {
			return s.Schedules.List(ctx, request.Tenant(c), before, limit)
		},
		Num: func(sc *schedules.Schedule) int64 { return sc.Num }, View: view.OfSchedule,
	}.Serve(c, s.Cursors.ListPage)
}

// getSchedule serves GET /schedules/{id}.
func (s *Handlers) getSchedule(c *gin.Context, sc *schedules.Schedule) error {
	return answerSchedule(c, http.StatusOK, sc)
}

// patchSchedule serves PATCH /schedules/{id}. The request must have If-Match. The changed schedule does
// not catch up on start times that it missed before the change.
func (s *Handlers) patchSchedule(c *gin.Context) error {
	if input.NoIfMatch(c.Request.Header) {
		return errScheduleVersion
	}
	sc, err := s.Find.ScheduleOf(c)
	if err != nil {
		return err
	}
	if !input.IfMatch(c.Request.Header, scheduleTag(sc)) {
		return manage.StaleSchedule(sc)
	}
	if err := s.readSchedule(c, sc); err != nil {
		return err
	}
	if err := s.Manage.SaveSchedule(c.Request.Context(), sc, "change"); err != nil {
		return err
	}
	return answerSchedule(c, http.StatusOK, sc)
}

// pauseSchedule returns the handler of POST /schedules/{id}/pause or /resume. Pausing a paused schedule
// is a no-op; the response has the unchanged schedule.
func (s *Handlers) pauseSchedule(paused bool) route.Handler {
	return s.Find.ForSchedule(func(c *gin.Context, sc *schedules.Schedule) error {
		if sc.Paused == paused {
			return answerSchedule(c, http.StatusOK, sc)
		}
		if err := s.Manage.PauseSchedule(c.Request.Context(), sc, paused); err != nil {
			return err
		}
		return answerSchedule(c, http.StatusOK, sc)
	})
}

// deleteSchedule serves DELETE /schedules/{id}. If the request has an If-Match without the current
// version, it deletes nothing. It does not delete tasks that the schedule has started.
func (s *Handlers) deleteSchedule(c *gin.Context, sc *schedules.Schedule) error {
	if h := c.Request.Header; !input.NoIfMatch(h) && !input.IfMatch(h, scheduleTag(sc)) {
		return manage.StaleSchedule(sc)
	}
	if err := s.Manage.DeleteSchedule(c.Request.Context(), sc); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}

// runSchedule serves POST /schedules/{id}/run. It starts a task now, even if the schedule is paused.
func (s *Handlers) runSchedule(c *gin.Context, sc *schedules.Schedule) error {
	u := request.NewTask(c)
	t, old, err := s.Intake.Run(c.Request.Context(), schedules.Run{Schedule: sc}, u)
	if err != nil {
		return intake.AtMember("/request", err)
	}
	return s.respond(c, t, old)
}

var errScheduleVersion = problem.New(http.StatusPreconditionRequired, "IF_MATCH_REQUIRED",
	"Send the ETag of the schedule that you read as If-Match.")

func scheduleTag(sc *schedules.Schedule) string { return fmt.Sprintf(`"%d"`, sc.Version) }

func answerSchedule(c *gin.Context, status int, sc *schedules.Schedule) error {
	c.Header("ETag", scheduleTag(sc))
	request.JSON(c, status, view.OfSchedule(sc))
	return nil
}
