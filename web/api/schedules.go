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

// scheduleRequest is the body of POST /schedules and of PATCH /schedules/{id}. Missing fields stay
// unchanged.
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
	if err := s.Schedules.Add(c.Request.Context(), sc); err != nil {
		return manage.ScheduleProblem(err)
	}
	c.Header("Location", "/api/v1/schedules/"+sc.ID)
	return tellSchedule(c, http.StatusCreated, sc)
}

// readSchedule reads the fields of a schedule from a request.
func (s *Handlers) readSchedule(c *gin.Context, sc *schedules.Schedule) error {
	req := request.Body[scheduleRequest](c)
	given(&sc.Name, req.Name)
	given(&sc.Cron, req.Cron)
	given(&sc.TimeZone, req.TimeZone)
	given(&sc.CatchUp, req.CatchUp)
	if len(req.Request) > 0 {
		sc.Request = string(req.Request)
	}
	return s.Intake.CheckSchedule(c.Request.Context(), sc, request.NewTask(c))
}

// given copies a text to at, unless the text is nil.
func given(at, text *string) {
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
	return tellSchedule(c, http.StatusOK, sc)
}

// patchSchedule serves PATCH /schedules/{id}. From then on the schedule runs by its plan, without the
// runs that it missed before.
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
	return s.changeSchedule(c, sc)
}

func (s *Handlers) changeSchedule(c *gin.Context, sc *schedules.Schedule) error {
	if err := s.Manage.SaveSchedule(c.Request.Context(), sc); err != nil {
		return err
	}
	return tellSchedule(c, http.StatusOK, sc)
}

// pauseSchedule serves POST /schedules/{id}/pause and /resume. Pausing a paused schedule is a no-op
// and returns it unchanged.
func (s *Handlers) pauseSchedule(paused bool) route.Handler {
	return s.Find.ForSchedule(func(c *gin.Context, sc *schedules.Schedule) error {
		if sc.Paused == paused {
			return tellSchedule(c, http.StatusOK, sc)
		}
		s.Manage.PauseSchedule(c.Request.Context(), sc, paused)
		return s.changeSchedule(c, sc)
	})
}

// deleteSchedule serves DELETE /schedules/{id}. Its tasks stay.
func (s *Handlers) deleteSchedule(c *gin.Context, sc *schedules.Schedule) error {
	if h := c.Request.Header; !input.NoIfMatch(h) && !input.IfMatch(h, scheduleTag(sc)) {
		return manage.StaleSchedule(sc)
	}
	if err := s.Schedules.Delete(c.Request.Context(), sc.Tenant, sc.ID); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}

// runSchedule serves POST /schedules/{id}/run: it starts a run outside the plan, also for a paused
// schedule.
func (s *Handlers) runSchedule(c *gin.Context, sc *schedules.Schedule) error {
	u := request.NewTask(c)
	t, old, err := s.Intake.Run(c.Request.Context(), schedules.Run{Schedule: sc}, u)
	if err != nil {
		return intake.AtMember("/request", err)
	}
	return s.respond(c, t, old)
}

var errScheduleVersion = problem.New(http.StatusPreconditionRequired, "IF_MATCH_REQUIRED",
	"Say which version you have seen: send the ETag of the schedule as If-Match.")

func scheduleTag(sc *schedules.Schedule) string { return fmt.Sprintf(`"%d"`, sc.Version) }

func tellSchedule(c *gin.Context, status int, sc *schedules.Schedule) error {
	c.Header("ETag", scheduleTag(sc))
	request.JSON(c, status, view.OfSchedule(sc))
	return nil
}
