package tasks_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/cron"
	"github.com/rollcall-dev/rollcall/tasks"
)

// planner is a desk with schedules.
type planner struct {
	*desk
	schedules *tasks.Schedules
}

func planned(t *testing.T, story func(*planner)) {
	on(t, func(d *desk) {
		d.now.Store(time.Date(2026, 11, 21, 8, 30, 0, 0, time.UTC).UnixMilli())
		clock := func() time.Time { return time.UnixMilli(d.now.Load()) }
		story(&planner{d, tasks.NewSchedules(d.db, tasks.Options{Now: clock})})
	})
}

// daily is a schedule at 9 o'clock.
func (p *planner) daily(catchUp string) *tasks.Schedule {
	p.Helper()
	sc := &tasks.Schedule{
		Tenant: "acme", Name: "Every day", Cron: "0 9 * * *", TimeZone: "UTC", CatchUp: catchUp,
		Request: "{}", CreatedBy: "key",
	}
	p.fine(p.schedules.Add(p.Context(), sc))
	return sc
}

// start starts all runs that are due, and returns what they were planned for.
func (p *planner) start() (list []string) {
	p.Helper()
	runs, err := p.schedules.Due(p.Context(), 10)
	p.fine(err)
	for _, r := range runs {
		_, err := p.schedules.Start(p.Context(), r, sheet(nil), tasks.Terms{})
		p.fine(err)
		list = append(list, time.UnixMilli(r.Planned).UTC().Format("02 15:04"))
	}
	return list
}

func (p *planner) again(sc *tasks.Schedule) *tasks.Schedule {
	p.Helper()
	got, err := p.schedules.Get(p.Context(), sc.Tenant, sc.ID)
	p.fine(err)
	return got
}

// TestATimeHasOneTask has many processes find the same run due.
func TestATimeHasOneTask(t *testing.T) {
	planned(t, func(p *planner) {
		sc := p.daily(tasks.CatchUpSkip)
		if got := p.start(); got != nil {
			p.Fatalf("before its time, %v was started", got)
		}
		p.pass(30 * time.Minute)
		runs, err := p.schedules.Due(p.Context(), 10)
		p.fine(err)
		var made, changed atomic.Int64
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				_, err := p.schedules.Start(context.Background(), runs[0], sheet(nil), tasks.Terms{})
				switch {
				case err == nil:
					made.Add(1)
				case errors.Is(err, tasks.ErrChanged):
					changed.Add(1)
				default:
					p.Error(err)
				}
			})
		}
		wg.Wait()
		if made.Load() != 1 || changed.Load() != 7 {
			p.Errorf("%d tasks were made, %d were refused", made.Load(), changed.Load())
		}
		list, err := p.tasks.List(p.Context(), "acme", tasks.Filter{})
		p.fine(err)
		got := p.again(sc)
		if len(list) != 1 || list[0].ScheduleID != sc.ID || list[0].PlannedAt != sc.NextRunAt ||
			got.LastTaskID != list[0].ID || got.NextRunAt != sc.NextRunAt+24*3600_000 {
			p.Errorf("tasks %+v, schedule %+v", list, got)
		}
		// The ledger itself has no room for a second one.
		twin := sheet(nil)
		twin.ScheduleID, twin.PlannedAt = sc.ID, sc.NextRunAt
		if err := p.tasks.Create(p.Context(), twin, 0); err == nil {
			p.Error("a second task of the same time was added")
		}
	})
}

// TestAClockThatIsSetBack has a time come twice: it is gone past at its second coming.
func TestAClockThatIsSetBack(t *testing.T) {
	planned(t, func(p *planner) {
		sc := p.daily(tasks.CatchUpAll)
		p.pass(30 * time.Minute)
		p.start()
		p.pass(-10 * time.Minute)
		p.fine(p.schedules.Change(p.Context(), p.again(sc)))
		p.pass(10 * time.Minute)
		runs, err := p.schedules.Due(p.Context(), 10)
		p.fine(err)
		if len(runs) != 1 || runs[0].Planned != sc.NextRunAt {
			p.Fatalf("due are %+v", runs)
		}
		if _, err := p.schedules.Start(p.Context(), runs[0], sheet(nil), tasks.Terms{}); !errors.Is(err, tasks.ErrChanged) {
			p.Errorf("it was started again: %v", err)
		}
		if got := p.again(sc); got.NextRunAt != sc.NextRunAt+24*3600_000 || got.LastTaskID == "" || p.start() != nil {
			p.Errorf("it does not go on: %+v", got)
		}
	})
}

// TestCatchingUp has nobody there for three days.
func TestCatchingUp(t *testing.T) {
	tests := []struct {
		policy string
		late   time.Duration
		want   string
	}{
		{tasks.CatchUpSkip, 4 * time.Minute, "[24 09:00]"},
		{tasks.CatchUpSkip, 6 * time.Minute, "[]"},
		{tasks.CatchUpOnce, 6 * time.Hour, "[24 09:00]"},
		{tasks.CatchUpAll, 6 * time.Hour, "[21 09:00 22 09:00 23 09:00 24 09:00]"},
	}
	planned(t, func(p *planner) {
		for _, tt := range tests {
			p.now.Store(time.Date(2026, 11, 21, 8, 30, 0, 0, time.UTC).UnixMilli())
			sc := p.daily(tt.policy)
			p.now.Store(time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC).Add(tt.late).UnixMilli())
			got := []string{}
			for more := p.start(); more != nil; more = p.start() {
				got = append(got, more...)
			}
			if text := fmt.Sprint(got); text != tt.want {
				p.Errorf("%s, %v late: %s was started, want %s", tt.policy, tt.late, text, tt.want)
			}
			if next := time.UnixMilli(p.again(sc).NextRunAt).UTC(); next.Day() != 25 || next.Hour() != 9 {
				p.Errorf("%s: goes on at %v", tt.policy, next)
			}
			p.fine(p.schedules.Delete(p.Context(), "acme", sc.ID))
		}
		sc := p.daily(tasks.CatchUpAll)
		p.now.Store(time.Date(2027, 11, 24, 10, 0, 0, 0, time.UTC).UnixMilli())
		n := 0
		for p.start() != nil {
			n++
		}
		if n != 100 || p.again(sc).NextRunAt < p.now.Load() {
			p.Errorf("%d runs of a year were caught up with, want 100", n)
		}
	})
}

// TestARunThatCannotStart waits longer each time, tells why, and is forgotten by
// its schedule when it is changed.
func TestARunThatCannotStart(t *testing.T) {
	planned(t, func(p *planner) {
		sc := p.daily(tasks.CatchUpOnce)
		p.pass(30 * time.Minute)
		for _, pause := range []time.Duration{1, 2, 4, 8, 16, 32, 60, 60} {
			runs, err := p.schedules.Due(p.Context(), 10)
			p.fine(err)
			if len(runs) != 1 {
				p.Fatalf("%d runs are due, want 1", len(runs))
			}
			p.fine(p.schedules.Fail(p.Context(), runs[0], tasks.Problem{Code: "TASK_QUOTA"}))
			p.pass(pause*time.Minute - 1)
			if got := p.start(); got != nil {
				p.Fatalf("%v was tried before %v min were over", got, pause)
			}
			p.pass(time.Millisecond)
		}
		seen := p.again(sc)
		if seen.Failures != 8 || seen.Problem == nil || seen.Problem.Code != "TASK_QUOTA" {
			p.Errorf("schedule %+v, problem %+v", seen, seen.Problem)
		}
		if got := p.start(); fmt.Sprint(got) != "[21 09:00]" || p.again(sc).Problem != nil {
			p.Errorf("%v was started in the end, problem %+v", got, p.again(sc).Problem)
		}
	})
}

// TestWhoChangesASchedule neither overwrites another nor has a run start that was
// found under the plan before.
func TestWhoChangesASchedule(t *testing.T) {
	planned(t, func(p *planner) {
		sc := p.daily(tasks.CatchUpSkip)
		other := *sc
		p.pass(30 * time.Minute)
		runs, err := p.schedules.Due(p.Context(), 10)
		p.fine(err)
		sc = p.again(sc)
		sc.Cron, sc.TimeZone = "0 18 * * *", "Asia/Ho_Chi_Minh"
		p.fine(p.schedules.Change(p.Context(), sc))
		if next := time.UnixMilli(sc.NextRunAt).UTC(); next.Hour() != 11 || sc.Version != 2 {
			p.Errorf("next run %v, version %d", next, sc.Version)
		}
		if err := p.schedules.Change(p.Context(), &other); !errors.Is(err, tasks.ErrChanged) {
			p.Errorf("a change of an old version: %v", err)
		}
		_, err = p.schedules.Start(p.Context(), runs[0], sheet(nil), tasks.Terms{})
		if !errors.Is(err, tasks.ErrChanged) {
			p.Errorf("a run of the plan before: %v", err)
		}
		sc.Paused = true
		p.fine(p.schedules.Change(p.Context(), sc))
		p.pass(48 * time.Hour)
		if got := p.start(); got != nil {
			p.Errorf("%v was started while it was paused", got)
		}
		sc.Paused = false
		p.fine(p.schedules.Change(p.Context(), sc))
		if got := p.start(); got != nil {
			p.Errorf("%v was started, which was missed while it was paused", got)
		}
		sc.Cron = "0 0 31 4 *"
		if err := p.schedules.Change(p.Context(), sc); !errors.Is(err, cron.ErrNever) {
			p.Errorf("the 31st of April: %v", err)
		}
	})
}
