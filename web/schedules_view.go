package web

import (
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/schedules"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

var errScheduleVersion = problem.New(http.StatusPreconditionRequired, "IF_MATCH_REQUIRED",
	"Say which version you have seen: send the ETag of the schedule as If-Match.")

// staleSchedule refuses to overwrite what somebody else has done.
func staleSchedule(sc *schedules.Schedule) *problem.Problem {
	p := problem.New(http.StatusPreconditionFailed, "SCHEDULE_CHANGED",
		"Somebody has changed the schedule since you read it. Read it again.")
	p.Version = int(sc.Version)
	return p
}

func scheduleTag(sc *schedules.Schedule) string { return fmt.Sprintf(`"%d"`, sc.Version) }

func tellSchedule(c *gin.Context, status int, sc *schedules.Schedule) error {
	c.Header("ETag", scheduleTag(sc))
	c.JSON(status, view.OfSchedule(sc))
	return nil
}
