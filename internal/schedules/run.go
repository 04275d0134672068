package schedules

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/internal/cron"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

var (
	//go:embed sql/advance.sql
	advanceSQL string
	//go:embed sql/record_run.sql
	recordRunSQL string
	//go:embed sql/record_failure.sql
	recordFailureSQL string
)

// skipGrace is how late a run may start under CatchUpSkip.
const skipGrace = 5 * time.Minute

// maxCatchUp is the maximum number of missed runs that CatchUpAll starts.
const maxCatchUp = 100

// minDelay is the first delay after a run that could not start, and maxDelay the longest.
const (
	minDelay = time.Minute
	maxDelay = time.Hour
)

// Run is one run of a schedule.
type Run struct {
	Schedule *Schedule // the schedule when it was read
	Planned  int64     // its planned time; 0 if a user starts it now
	Next     int64     // the planned time of the run after it

	// Seen is the last task of the schedule that the user saw before starting a run by hand. The
	// run starts only if no other run has started since. If Seen is nil, the run starts in any
	// case.
	Seen *string
}

// Due returns up to `limit` due runs, at most one per schedule, the longest waiting first. It skips
// runs that CatchUpSkip drops. The list is empty only if no run is due.
func (s *Store) Due(ctx context.Context, limit int) ([]Run, error) {
	for {
		runs, read, err := s.someDue(ctx, limit)
		if err != nil || len(runs) > 0 || read < limit {
			return runs, err
		}
	}
}

// someDue reads up to `limit` due schedules. It returns their runs and the number of schedules that
// it has read. If CatchUpSkip drops a run, it advances the schedule instead. If this program lacks
// the time zone of a schedule, it records the failure instead.
func (s *Store) someDue(ctx context.Context, limit int) (out []Run, read int, err error) {
	now := s.now()
	var list []Schedule
	err = s.db.Read.WithContext(ctx).Where("due_at <= ? AND NOT paused", now.UnixMilli()).
		Order("due_at").Limit(limit).Find(&list).Error
	if err != nil {
		return nil, 0, fmt.Errorf("schedules: due: %w", err)
	}
	for i := range list {
		run, err := list[i].due(now)
		switch {
		case err != nil: // a time zone that a newer program lacks
			err = s.RecordFailure(ctx, run, tasks.Problem{Code: "INVALID_FIELD", Detail: err.Error()})
		case run.Planned == 0:
			err = advance(s.db.Write.WithContext(ctx), run, "", 0)
		default:
			out = append(out, run)
		}
		if err != nil && !errors.Is(err, ErrChanged) {
			return nil, 0, fmt.Errorf("schedules: due %s: %w", list[i].ID, err)
		}
	}
	return out, len(list), nil
}

// due returns the due run of a schedule. If CatchUpSkip drops the run, Run.Planned is 0.
func (sc *Schedule) due(now time.Time) (Run, error) {
	p, err := cron.Parse(sc.Cron, sc.TimeZone)
	if err != nil {
		return Run{Schedule: sc}, err
	}
	limit := 1
	if sc.CatchUp == CatchUpAll {
		limit = maxCatchUp
	}
	first := time.UnixMilli(sc.NextRunAt)
	if times := p.Recent(first, now, limit); len(times) > 0 { // empty if the rules of the time zone have changed
		first = times[0]
	}
	if sc.CatchUp == CatchUpSkip && now.Sub(first) > skipGrace {
		return Run{Schedule: sc, Next: p.Next(now).UnixMilli()}, nil
	}
	return Run{Schedule: sc, Planned: first.UnixMilli(), Next: p.Next(first).UnixMilli()}, nil
}

// Start creates the task of a run, at most one per planned time. If a task with the same deduplication
// key exists, Start returns that task as `old`. It returns ErrChanged if the run was already started, or
// if the schedule has changed since the caller read it. If r.Seen is set, it also returns ErrChanged if
// the schedule has a later task.
func (s *Store) Start(ctx context.Context, r Run, t *tasks.Task, terms tasks.Terms) (old *tasks.Task, err error) {
	t.ScheduleID, t.PlannedAt = r.Schedule.ID, r.Planned
	var again bool // the clock was set back since the run was started
	err = s.db.GormTx(ctx, func(tx ledger.Gorm) error {
		started := s.now().UnixMilli()
		if again, err = hasTask(tx, r); err != nil {
			return err
		}
		if again {
			return advance(tx, r, "", 0)
		}
		if r.Planned > 0 { // a second process waits here for the first
			if err := advance(tx, r, t.ID, started); err != nil {
				return err
			}
		}
		if old, err = s.tasks.CreateIn(tx, t, terms); err != nil {
			return err
		}
		if old == nil && r.Planned > 0 {
			return nil
		}
		made := t
		if old != nil {
			made = old
		}
		recorded := tx.Exec(ledger.Plain(recordRunSQL), map[string]any{
			"num": r.Schedule.Num, "started": started, "task": made.ID, "seen": r.Seen,
		})
		if recorded.Error == nil && recorded.RowsAffected == 0 && r.Seen != nil {
			return ErrChanged
		}
		return recorded.Error
	})
	if err == nil && again {
		err = ErrChanged
	}
	if err != nil {
		return nil, fmt.Errorf("schedules: start %s: %w", r.Schedule.ID, err)
	}
	return old, nil
}

// hasTask reports whether the planned time of a run already has its task.
func hasTask(tx ledger.Gorm, r Run) (bool, error) {
	var n int64
	if r.Planned == 0 {
		return false, nil
	}
	err := tx.Model(&tasks.Task{}).Where("schedule_id = ? AND planned_at = ? AND planned_at > 0", r.Schedule.ID, r.Planned).
		Count(&n).Error
	return n > 0, err
}

// advance makes the run that follows `r` the next run of its schedule. The argument `started` is
// the time at which the task of r was created, in unix ms; 0 if r has created no task.
func advance(tx ledger.Gorm, r Run, task string, started int64) error {
	res := tx.Exec(ledger.Plain(advanceSQL), map[string]any{
		"num": r.Schedule.Num, "seen": r.Schedule.NextRunAt, "version": r.Schedule.Version,
		"next": r.Next, "task": task, "started": started,
	})
	if res.Error == nil && res.RowsAffected == 0 {
		return ErrChanged
	}
	return res.Error
}

// RecordFailure stores why a run could not start. The run is due again after a minute. This delay
// doubles with each further failure, up to an hour. RecordFailure returns ErrChanged if the run was
// already started, or if the schedule has changed since the caller read it.
func (s *Store) RecordFailure(ctx context.Context, r Run, p tasks.Problem) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	delay := min(minDelay<<min(r.Schedule.Failures, 10), maxDelay)
	res := s.db.Write.WithContext(ctx).Exec(ledger.Plain(recordFailureSQL), map[string]any{
		"num": r.Schedule.Num, "seen": r.Schedule.NextRunAt, "version": r.Schedule.Version,
		"due": s.now().Add(delay).UnixMilli(), "problem": string(text),
	})
	if err = res.Error; err == nil && res.RowsAffected == 0 {
		err = ErrChanged
	}
	if err != nil {
		return fmt.Errorf("schedules: record failure of %s: %w", r.Schedule.ID, err)
	}
	return nil
}
