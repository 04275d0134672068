package manage

import (
	"context"
	"errors"
	"net/http"

	"github.com/rollcall-dev/rollcall/internal/cron"
	"github.com/rollcall-dev/rollcall/internal/schedules"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// ScheduleProblem returns the problem of the time of a schedule; other errors stay as they are.
func ScheduleProblem(err error) error {
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

// SaveSchedule stores a changed schedule, unless another request has changed it since it was read.
func (s *Service) SaveSchedule(ctx context.Context, sc *schedules.Schedule) error {
	err := s.Schedules.Change(ctx, sc)
	if errors.Is(err, schedules.ErrChanged) {
		return StaleSchedule(sc)
	}
	return ScheduleProblem(err)
}

// PauseSchedule pauses or resumes a schedule, without storing it. A caller that resumes it becomes
// its maker: the schedule ends with that caller.
func (s *Service) PauseSchedule(ctx context.Context, sc *schedules.Schedule, paused bool) {
	if sc.Paused = paused; !paused {
		sc.CreatedBy, sc.Maker = auth.Actor(ctx), auth.Caller(ctx).Key
	}
}

// StaleSchedule returns the problem of a write over a newer version.
func StaleSchedule(sc *schedules.Schedule) *problem.Problem {
	p := problem.New(http.StatusPreconditionFailed, "SCHEDULE_CHANGED",
		"Somebody has changed the schedule since you read it. Read it again.")
	p.Version = int(sc.Version)
	return p
}
