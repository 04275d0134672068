package tasks

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/internal/cron"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/move_schedule.sql
	moveScheduleSQL string
	//go:embed sql/note_run.sql
	noteRunSQL string
	//go:embed sql/fail_run.sql
	failRunSQL string
)

// skipGrace is how late a run is started that would be skipped.
const skipGrace = 5 * time.Minute

// maxCatchUp is how many runs are caught up with.
const maxCatchUp = 100

// What is waited after a run could not be started: at first, and at most.
const (
	firstRetry = time.Minute
	lastRetry  = time.Hour
)

// Run is one run of a schedule.
type Run struct {
	Schedule *Schedule // as it was read
	Planned  int64     // what it was planned for; 0: somebody does not want to wait
	Next     int64     // what the run after it is planned for

	// Seen is the last task of the schedule that the user saw before a run by hand: the run
	// starts only if no other run has started since. Nil: it starts in any case.
	Seen *string
}

// Due returns up to most runs that are to be started now, those that wait the
// longest first, one of each schedule. What a schedule is to skip is skipped.
func (s *Schedules) Due(ctx context.Context, most int) ([]Run, error) {
	now := s.now()
	var list []Schedule
	err := s.db.Read.WithContext(ctx).Where("due_at <= ? AND NOT paused", now.UnixMilli()).
		Order("due_at").Limit(most).Find(&list).Error
	if err != nil {
		return nil, fmt.Errorf("tasks: due schedules: %w", err)
	}
	var out []Run
	for i := range list {
		run, err := list[i].due(now)
		switch {
		case err != nil: // a zone that a newer program does not know any more
			err = s.Fail(ctx, run, Problem{Code: "INVALID_FIELD", Detail: err.Error()})
		case run.Planned == 0:
			err = move(s.db.Write.WithContext(ctx), run, "", 0)
		default:
			out = append(out, run)
		}
		if err != nil && !errors.Is(err, ErrChanged) {
			return nil, fmt.Errorf("tasks: due schedule %s: %w", list[i].ID, err)
		}
	}
	return out, nil
}

// due is the run that a schedule is to start now; nothing is planned by it if
// that is to be skipped.
func (sc *Schedule) due(now time.Time) (Run, error) {
	p, err := cron.Parse(sc.Cron, sc.TimeZone)
	if err != nil {
		return Run{Schedule: sc}, err
	}
	most := 1
	if sc.CatchUp == CatchUpAll {
		most = maxCatchUp
	}
	first := time.UnixMilli(sc.NextRunAt)
	if times := p.Recent(first, now, most); len(times) > 0 { // else a zone has changed its rules
		first = times[0]
	}
	if sc.CatchUp == CatchUpSkip && now.Sub(first) > skipGrace {
		return Run{Schedule: sc, Next: p.Next(now).UnixMilli()}, nil
	}
	return Run{Schedule: sc, Planned: first.UnixMilli(), Next: p.Next(first).UnixMilli()}, nil
}

// Start adds the task of a run as CreateOnce does, once for each planned time:
// ErrChanged if that was started already, or the schedule is not as it was read, or another
// run has started since r.Seen.
func (s *Schedules) Start(ctx context.Context, r Run, t *Task, terms Terms) (old *Task, err error) {
	t.ScheduleID, t.PlannedAt = r.Schedule.ID, r.Planned
	var again bool // the clock was set back since it was started
	err = s.db.GormTx(ctx, func(tx ledger.Gorm) error {
		started := s.now().UnixMilli()
		if again, err = ran(tx, r); err != nil {
			return err
		}
		if again {
			return move(tx, r, "", 0)
		}
		if r.Planned > 0 { // who comes second waits here for the first
			if err := move(tx, r, t.ID, started); err != nil {
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
		noted := tx.Exec(ledger.Plain(noteRunSQL), map[string]any{
			"num": r.Schedule.Num, "started": started, "task": made.ID, "seen": r.Seen,
		})
		if noted.Error == nil && noted.RowsAffected == 0 && r.Seen != nil {
			return ErrChanged
		}
		return noted.Error
	})
	if err == nil && again {
		err = ErrChanged
	}
	if err != nil {
		return nil, fmt.Errorf("tasks: start schedule %s: %w", r.Schedule.ID, err)
	}
	return old, nil
}

// ran tells whether the time that a run was planned for has its task already.
func ran(tx ledger.Gorm, r Run) (bool, error) {
	var n int64
	if r.Planned == 0 {
		return false, nil
	}
	err := tx.Model(&Task{}).Where("schedule_id = ? AND planned_at = ? AND planned_at > 0", r.Schedule.ID, r.Planned).
		Count(&n).Error
	return n > 0, err
}

// move has a schedule go on to the run after r; started is when the task was
// made, in unix ms, 0 if none was.
func move(tx ledger.Gorm, r Run, task string, started int64) error {
	res := tx.Exec(ledger.Plain(moveScheduleSQL), map[string]any{
		"num": r.Schedule.Num, "seen": r.Schedule.NextRunAt, "version": r.Schedule.Version,
		"next": r.Next, "task": task, "started": started,
	})
	if res.Error == nil && res.RowsAffected == 0 {
		return ErrChanged
	}
	return res.Error
}

// Fail notes why a run could not be started. It is tried again after a minute,
// and after twice as long each time, up to an hour. ErrChanged is that of Start.
func (s *Schedules) Fail(ctx context.Context, r Run, p Problem) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	pause := min(firstRetry<<min(r.Schedule.Failures, 10), lastRetry)
	res := s.db.Write.WithContext(ctx).Exec(ledger.Plain(failRunSQL), map[string]any{
		"num": r.Schedule.Num, "seen": r.Schedule.NextRunAt, "version": r.Schedule.Version,
		"due": s.now().Add(pause).UnixMilli(), "problem": string(text),
	})
	if err = res.Error; err == nil && res.RowsAffected == 0 {
		err = ErrChanged
	}
	if err != nil {
		return fmt.Errorf("tasks: fail schedule %s: %w", r.Schedule.ID, err)
	}
	return nil
}
