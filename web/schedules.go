package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/cron"
	"github.com/rollcall-dev/rollcall/internal/schedules"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

// scheduleRequest is the body of POST /schedules and of PATCH /schedules/{id}.
// What is not given stays as it is.
type scheduleRequest struct {
	Name     *string         `json:"name"`
	Cron     *string         `json:"cron"`
	TimeZone *string         `json:"time_zone"`
	CatchUp  *string         `json:"catch_up"`
	Request  json.RawMessage `json:"request"`
}

// createSchedule serves POST /schedules.
func (s *Server) createSchedule(c *gin.Context) error {
	sc := &schedules.Schedule{
		Tenant: s.tenant(c), CreatedBy: s.actor(c), Maker: caller(c).Key, TimeZone: "UTC", CatchUp: schedules.CatchUpSkip,
	}
	if err := s.readSchedule(c, sc); err != nil {
		return err
	}
	if err := s.opt.Schedules.Add(c.Request.Context(), sc); err != nil {
		return planProblem(err)
	}
	c.Header("Location", "/api/v1/schedules/"+sc.ID)
	return tellSchedule(c, http.StatusCreated, sc)
}

// readSchedule reads what a request says of a schedule.
func (s *Server) readSchedule(c *gin.Context, sc *schedules.Schedule) error {
	req := taken[scheduleRequest](c)
	given(&sc.Name, req.Name)
	given(&sc.Cron, req.Cron)
	given(&sc.TimeZone, req.TimeZone)
	given(&sc.CatchUp, req.CatchUp)
	if len(req.Request) > 0 {
		sc.Request = string(req.Request)
	}
	return s.checkSchedule(c, sc)
}

// given takes a text over, if it came.
func given(at, text *string) {
	if text != nil {
		*at = strings.TrimSpace(*text)
	}
}

// checkSchedule finds what no schedule can have, but for its time.
func (s *Server) checkSchedule(c *gin.Context, sc *schedules.Schedule) error {
	switch {
	case sc.Name == "" || !textutil.IsLine(sc.Name):
		return problem.BadField("name", "name must be one line of 1 to 255 characters.")
	case sc.Cron == "":
		return problem.BadField("cron", "cron is missing. Send a schedule, for example \"30 9 * * 1-5\".")
	case !slices.Contains([]string{schedules.CatchUpSkip, schedules.CatchUpOnce, schedules.CatchUpAll}, sc.CatchUp):
		return problem.BadField("catch_up", "catch_up is skip, once or all.")
	case sc.Request == "" || sc.Request == "null":
		return problem.BadField("request", "request is missing. Send the body of POST /tasks.")
	}
	u := s.newRequest(c)
	u.DryRun = true
	err := s.checkScheduled(c.Request.Context(), sc.Request, u)
	return errors.Join(atMember("/request", err), s.ingest.Drop(c.Request.Context(), u))
}

// planProblem is what is wrong with the time of a schedule.
func planProblem(err error) error {
	switch {
	case errors.Is(err, cron.ErrZone):
		return problem.BadField("time_zone", "This time zone does not exist. Send an IANA name, for example Europe/Berlin.")
	case errors.Is(err, cron.ErrNever):
		return problem.BadField("cron", "cron names a time that never occurs.")
	case errors.Is(err, cron.ErrSpec):
		return problem.BadField("cron", "cron is minute, hour, day of month, month and day of week, "+
			"as in \"30 9 * * 1-5\", or one of @hourly, @daily, @weekly, @monthly and @yearly.")
	}
	return err
}

// listSchedules serves GET /schedules.
func (s *Server) listSchedules(c *gin.Context) error {
	return listing[schedules.Schedule, view.Schedule]{
		read: func(ctx context.Context, before int64, limit int) ([]schedules.Schedule, error) {
			return s.opt.Schedules.List(ctx, s.tenant(c), before, limit)
		},
		num: func(sc *schedules.Schedule) int64 { return sc.Num }, view: view.OfSchedule,
	}.serve(s, c)
}

// getSchedule serves GET /schedules/{id}.
func (s *Server) getSchedule(c *gin.Context, sc *schedules.Schedule) error {
	return tellSchedule(c, http.StatusOK, sc)
}

// patchSchedule serves PATCH /schedules/{id}. From then on it runs by its plan:
// what it missed before is forgotten.
func (s *Server) patchSchedule(c *gin.Context) error {
	if input.NoIfMatch(c.Request.Header) {
		return errScheduleVersion
	}
	sc, err := s.scheduleOf(c)
	if err != nil {
		return err
	}
	if !input.IfMatch(c.Request.Header, scheduleTag(sc)) {
		return staleSchedule(sc)
	}
	if err := s.readSchedule(c, sc); err != nil {
		return err
	}
	return s.changeSchedule(c, sc)
}

func (s *Server) changeSchedule(c *gin.Context, sc *schedules.Schedule) error {
	if err := s.saveSchedule(c.Request.Context(), sc); err != nil {
		return err
	}
	return tellSchedule(c, http.StatusOK, sc)
}

// saveSchedule writes what was changed of a schedule, unless somebody else has
// changed it.
func (s *Server) saveSchedule(ctx context.Context, sc *schedules.Schedule) error {
	err := s.opt.Schedules.Change(ctx, sc)
	if errors.Is(err, schedules.ErrChanged) {
		return staleSchedule(sc)
	}
	return planProblem(err)
}

// pauseSchedule serves POST /schedules/{id}/pause and /resume. Who asks for what
// is so already gets it as it is.
func (s *Server) pauseSchedule(paused bool) handler {
	return s.forSchedule(func(c *gin.Context, sc *schedules.Schedule) error {
		if sc.Paused == paused {
			return tellSchedule(c, http.StatusOK, sc)
		}
		s.turnSchedule(c, sc, paused)
		return s.changeSchedule(c, sc)
	})
}

// turnSchedule pauses a schedule or has it go on. A caller that resumes it becomes its maker: it
// ends with that caller, as if the caller had made it.
func (s *Server) turnSchedule(c *gin.Context, sc *schedules.Schedule, paused bool) {
	if sc.Paused = paused; !paused {
		sc.CreatedBy, sc.Maker = s.actor(c), caller(c).Key
	}
}

// deleteSchedule serves DELETE /schedules/{id}. Its tasks stay.
func (s *Server) deleteSchedule(c *gin.Context, sc *schedules.Schedule) error {
	if h := c.Request.Header; !input.NoIfMatch(h) && !input.IfMatch(h, scheduleTag(sc)) {
		return staleSchedule(sc)
	}
	if err := s.opt.Schedules.Delete(c.Request.Context(), sc.Tenant, sc.ID); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}
