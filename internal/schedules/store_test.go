package schedules_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/cron"
	"github.com/rollcall-dev/rollcall/internal/schedules"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/tasks"
)

// env is a ledger with a store of schedules, and a clock that the test moves.
type env struct {
	*testing.T
	tasks     *tasks.Store
	schedules *schedules.Store
	now       atomic.Int64 // unix ms
}

// each runs a test on both databases. Its time begins at half past eight.
func each(t *testing.T, test func(*env)) {
	ledgers.Each(t, func(t *testing.T, url string) {
		e := &env{T: t}
		e.now.Store(time.Date(2026, 11, 21, 8, 30, 0, 0, time.UTC).UnixMilli())
		clock := func() time.Time { return time.UnixMilli(e.now.Load()) }
		s := fixture.New(t, fixture.Options{Ledger: url, Now: clock})
		e.tasks, e.schedules = s.Tasks, schedules.New(s.DB, schedules.Options{Now: clock})
		test(e)
	})
}

func (e *env) pass(d time.Duration) { e.now.Add(d.Milliseconds()) }

func (e *env) fine(err error) {
	e.Helper()
	if err != nil {
		e.Fatal(err)
	}
}

// newTask returns an open task that is not stored yet.
func newTask() *tasks.Task {
	return &tasks.Task{ID: tasks.NewID(), Tenant: "acme", Kind: "k", Type: tasks.Batch, Status: tasks.Open}
}

// daily returns a schedule at 9 o'clock.
func (e *env) daily(catchUp string) *schedules.Schedule {
	e.Helper()
	return e.named("Every day", catchUp)
}

func (e *env) named(name, catchUp string) *schedules.Schedule {
	e.Helper()
	sc := &schedules.Schedule{
		Tenant: "acme", Name: name, Cron: "0 9 * * *", TimeZone: "UTC", CatchUp: catchUp,
		Request: "{}", CreatedBy: "key",
	}
	e.fine(e.schedules.Add(e.Context(), sc))
	return sc
}

// start starts all runs that are due, and returns their planned times.
func (e *env) start() (list []string) {
	e.Helper()
	runs, err := e.schedules.Due(e.Context(), 10)
	e.fine(err)
	for _, r := range runs {
		_, err := e.schedules.Start(e.Context(), r, newTask(), tasks.Terms{})
		e.fine(err)
		list = append(list, time.UnixMilli(r.Planned).UTC().Format("02 15:04"))
	}
	return list
}

func (e *env) again(sc *schedules.Schedule) *schedules.Schedule {
	e.Helper()
	got, err := e.schedules.Get(e.Context(), sc.Tenant, sc.ID)
	e.fine(err)
	return got
}

func TestStart_ManyProcesses_CreateOneTaskPerTime(t *testing.T) {
	each(t, func(e *env) {
		sc := e.daily(schedules.CatchUpSkip)
		if got := e.start(); got != nil {
			e.Fatalf("before its time, %v was started", got)
		}
		e.pass(30 * time.Minute)
		runs, err := e.schedules.Due(e.Context(), 10)
		e.fine(err)
		var made, changed atomic.Int64
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				_, err := e.schedules.Start(context.Background(), runs[0], newTask(), tasks.Terms{})
				switch {
				case err == nil:
					made.Add(1)
				case errors.Is(err, schedules.ErrChanged):
					changed.Add(1)
				default:
					e.Error(err)
				}
			})
		}
		wg.Wait()
		if made.Load() != 1 || changed.Load() != 7 {
			e.Errorf("%d tasks were made, %d were refused", made.Load(), changed.Load())
		}
		list, err := e.tasks.List(e.Context(), "acme", tasks.Filter{})
		e.fine(err)
		got := e.again(sc)
		if len(list) != 1 || list[0].ScheduleID != sc.ID || list[0].PlannedAt != sc.NextRunAt ||
			got.LastTaskID != list[0].ID || got.NextRunAt != sc.NextRunAt+24*3600_000 {
			e.Errorf("tasks %+v, schedule %+v", list, got)
		}
		// A unique index rejects a second task for the same planned time.
		twin := newTask()
		twin.ScheduleID, twin.PlannedAt = sc.ID, sc.NextRunAt
		if err := e.tasks.Create(e.Context(), twin, 0); err == nil {
			e.Error("a second task of the same time was added")
		}
	})
}

func TestStart_ClockWasSetBack_SkipsTheSecondTime(t *testing.T) {
	each(t, func(e *env) {
		sc := e.daily(schedules.CatchUpAll)
		e.pass(30 * time.Minute)
		e.start()
		e.pass(-10 * time.Minute)
		e.fine(e.schedules.Change(e.Context(), e.again(sc)))
		e.pass(10 * time.Minute)
		runs, err := e.schedules.Due(e.Context(), 10)
		e.fine(err)
		if len(runs) != 1 || runs[0].Planned != sc.NextRunAt {
			e.Fatalf("due are %+v", runs)
		}
		if _, err := e.schedules.Start(e.Context(), runs[0], newTask(), tasks.Terms{}); !errors.Is(err, schedules.ErrChanged) {
			e.Errorf("it was started again: %v", err)
		}
		if got := e.again(sc); got.NextRunAt != sc.NextRunAt+24*3600_000 || got.LastTaskID == "" || e.start() != nil {
			e.Errorf("it does not go on: %+v", got)
		}
	})
}

// TestDue_MissedRuns_FollowTheCatchUpPolicy: no process runs for three days.
func TestDue_MissedRuns_FollowTheCatchUpPolicy(t *testing.T) {
	tests := []struct {
		policy string
		late   time.Duration
		want   string
	}{
		{schedules.CatchUpSkip, 4 * time.Minute, "[24 09:00]"},
		{schedules.CatchUpSkip, 6 * time.Minute, "[]"},
		{schedules.CatchUpOnce, 6 * time.Hour, "[24 09:00]"},
		{schedules.CatchUpAll, 6 * time.Hour, "[21 09:00 22 09:00 23 09:00 24 09:00]"},
	}
	each(t, func(e *env) {
		for _, tt := range tests {
			e.now.Store(time.Date(2026, 11, 21, 8, 30, 0, 0, time.UTC).UnixMilli())
			sc := e.daily(tt.policy)
			e.now.Store(time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC).Add(tt.late).UnixMilli())
			got := []string{}
			for more := e.start(); more != nil; more = e.start() {
				got = append(got, more...)
			}
			if text := fmt.Sprint(got); text != tt.want {
				e.Errorf("%s, %v late: %s was started, want %s", tt.policy, tt.late, text, tt.want)
			}
			if next := time.UnixMilli(e.again(sc).NextRunAt).UTC(); next.Day() != 25 || next.Hour() != 9 {
				e.Errorf("%s: goes on at %v", tt.policy, next)
			}
			e.fine(e.schedules.Delete(e.Context(), "acme", sc.ID))
		}
		sc := e.daily(schedules.CatchUpAll)
		e.now.Store(time.Date(2027, 11, 24, 10, 0, 0, 0, time.UTC).UnixMilli())
		n := 0
		for e.start() != nil {
			n++
		}
		if n != 100 || e.again(sc).NextRunAt < e.now.Load() {
			e.Errorf("%d runs of a year were caught up with, want 100", n)
		}
	})
}

// TestDue_MoreRunsAreSkippedThanRead_ReturnsTheNextRun reads ten schedules at once. The runs of the
// first ten are skipped.
func TestDue_MoreRunsAreSkippedThanRead_ReturnsTheNextRun(t *testing.T) {
	each(t, func(e *env) {
		for i := range 10 {
			e.named(fmt.Sprint("Skipped ", i), schedules.CatchUpSkip)
		}
		e.pass(24 * time.Hour)
		e.daily(schedules.CatchUpOnce)
		e.pass(6 * time.Hour)
		if got := fmt.Sprint(e.start()); got != "[22 09:00]" {
			e.Errorf("started %s, want the run of 22 09:00", got)
		}
	})
}

// TestRecordFailure_DelaysGrowToAnHour: the next start removes the problem.
func TestRecordFailure_DelaysGrowToAnHour(t *testing.T) {
	each(t, func(e *env) {
		sc := e.daily(schedules.CatchUpOnce)
		e.pass(30 * time.Minute)
		for _, pause := range []time.Duration{1, 2, 4, 8, 16, 32, 60, 60} {
			runs, err := e.schedules.Due(e.Context(), 10)
			e.fine(err)
			if len(runs) != 1 {
				e.Fatalf("%d runs are due, want 1", len(runs))
			}
			e.fine(e.schedules.RecordFailure(e.Context(), runs[0], tasks.Problem{Code: "TASK_QUOTA"}))
			e.pass(pause*time.Minute - 1)
			if got := e.start(); got != nil {
				e.Fatalf("%v was tried before %v min were over", got, pause)
			}
			e.pass(time.Millisecond)
		}
		seen := e.again(sc)
		if seen.Failures != 8 || seen.Problem == nil || seen.Problem.Code != "TASK_QUOTA" {
			e.Errorf("schedule %+v, problem %+v", seen, seen.Problem)
		}
		if got := e.start(); fmt.Sprint(got) != "[21 09:00]" || e.again(sc).Problem != nil {
			e.Errorf("%v was started in the end, problem %+v", got, e.again(sc).Problem)
		}
	})
}

// TestChange_OldVersion_IsRejected: a run of the earlier plan cannot start.
func TestChange_OldVersion_IsRejected(t *testing.T) {
	each(t, func(e *env) {
		sc := e.daily(schedules.CatchUpSkip)
		other := *sc
		e.pass(30 * time.Minute)
		runs, err := e.schedules.Due(e.Context(), 10)
		e.fine(err)
		sc = e.again(sc)
		sc.Cron, sc.TimeZone = "0 18 * * *", "Asia/Ho_Chi_Minh"
		e.fine(e.schedules.Change(e.Context(), sc))
		if next := time.UnixMilli(sc.NextRunAt).UTC(); next.Hour() != 11 || sc.Version != 2 {
			e.Errorf("next run %v, version %d", next, sc.Version)
		}
		if err := e.schedules.Change(e.Context(), &other); !errors.Is(err, schedules.ErrChanged) {
			e.Errorf("a change of an old version: %v", err)
		}
		_, err = e.schedules.Start(e.Context(), runs[0], newTask(), tasks.Terms{})
		if !errors.Is(err, schedules.ErrChanged) {
			e.Errorf("a run of the plan before: %v", err)
		}
		sc.Paused = true
		e.fine(e.schedules.Change(e.Context(), sc))
		e.pass(48 * time.Hour)
		if got := e.start(); got != nil {
			e.Errorf("%v was started while it was paused", got)
		}
		sc.Paused = false
		e.fine(e.schedules.Change(e.Context(), sc))
		if got := e.start(); got != nil {
			e.Errorf("%v was started, which was missed while it was paused", got)
		}
		sc.Cron = "0 0 31 4 *"
		if err := e.schedules.Change(e.Context(), sc); !errors.Is(err, cron.ErrNever) {
			e.Errorf("the 31st of April: %v", err)
		}
	})
}
