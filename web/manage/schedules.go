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

// ScheduleProblem returns the problem of an invalid cron expression or time zone of a schedule. It returns
// other errors unchanged.
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

// AddSchedule stores a new schedule and adds an audit entry.
func (s *Service) AddSchedule(ctx context.Context, sc *schedules.Schedule) error {
	if err := s.Schedules.Add(ctx, sc); err != nil {
		return ScheduleProblem(err)
	}
	_, err := s.Note(ctx, "create-schedule", sc.ID, nil, 1)
	return err
}

// SaveSchedule stores a changed schedule and adds an audit entry with the act: change, pause or resume.
// It returns the problem from StaleSchedule if another request has changed the schedule since the caller
// read it.
func (s *Service) SaveSchedule(ctx context.Context, sc *schedules.Schedule, act string) error {
	err := s.Schedules.Change(ctx, sc)
	if errors.Is(err, schedules.ErrChanged) {
		return StaleSchedule(sc)
	}
	if err != nil {
		return ScheduleProblem(err)
	}
	_, err = s.Note(ctx, act+"-schedule", sc.ID, nil, 1)
	return err
}

// PauseSchedule pauses or resumes a schedule and stores it like SaveSchedule. The caller that resumes a
// schedule becomes its maker.
func (s *Service) PauseSchedule(ctx context.Context, sc *schedules.Schedule, paused bool) error {
	sc.Paused = paused
	if paused {
		return s.SaveSchedule(ctx, sc, "pause")
	}
	sc.CreatedBy, sc.Maker = auth.Actor(ctx), auth.Caller(ctx).Key
	return s.SaveSchedule(ctx, sc, "resume")
}

// DeleteSchedule deletes a schedule and adds an audit entry. Tasks of the schedule remain.
func (s *Service) DeleteSchedule(ctx context.Context, sc *schedules.Schedule) error {
	if _, err := s.Note(ctx, "delete-schedule", sc.ID, nil, 1); err != nil {
		return err
	}
	return s.Schedules.Delete(ctx, sc.Tenant, sc.ID)
}

// StaleSchedule returns the problem that a request would overwrite a newer version of a schedule.
func StaleSchedule(sc *schedules.Schedule) *problem.Problem {
	p := problem.New(http.StatusPreconditionFailed, "SCHEDULE_CHANGED",
		"The schedule has changed since you read it. Read it again.")
	p.Version = int(sc.Version)
	return p
}
