package view

import (
	"math"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/tasks"
)

func TestPollAfter_RunningTask_GrowsWithWhatIsLeft(t *testing.T) {
	t.Parallel()
	seconds := func(n int64) *int64 { return &n }
	for _, tt := range []struct {
		status tasks.Status
		age    int64 // ms
		eta    *int64
		want   string
	}{
		{tasks.Open, 0, nil, "1"},
		{tasks.Running, 9_999, seconds(1000), "1"},
		{tasks.Running, 10_000, seconds(1000), "15"},
		{tasks.Running, 10_000, seconds(100), "5"},
		{tasks.Running, 10_000, seconds(3), "1"},
		{tasks.Running, 10_000, nil, "1"},
		{tasks.Paused, 0, nil, "5"},
	} {
		task := &tasks.Task{Status: tt.status, CreatedAt: 1000}
		got := PollAfter(task, Progress{EtaS: tt.eta}, time.UnixMilli(1000+tt.age))
		if got != tt.want {
			t.Errorf("%+v: %s", tt, got)
		}
	}
}

func TestPollAfter_PausedTask_IsSoonWhileRowsRun(t *testing.T) {
	t.Parallel()
	task := &tasks.Task{Status: tasks.Paused, Counts: tasks.Counts{Working: 3}}
	if got := PollAfter(task, Progress{}, time.UnixMilli(60_000)); got != "1" {
		t.Errorf("%s seconds while rows run, want 1", got)
	}
}

func TestOfProgress_RowsThatOnlyWaitForARetry_HaveNoRemainingTime(t *testing.T) {
	t.Parallel()
	for retrying, want := range map[int64]bool{0: true, 1: true, 2: false} {
		task := &tasks.Task{
			Status: tasks.Running, Counts: tasks.Counts{Total: 60, Enqueue: 2, Finish: 58, Retrying: retrying},
			TotalIsFinal: true, StartedAt: 1000, MovedAt: 10_000, Round: 1,
		}
		if p := OfProgress(task, time.UnixMilli(11_000)); (p.EtaS != nil) != want {
			t.Errorf("%d of 2 rows wait for a retry: %v", retrying, p.EtaS)
		}
	}
}

// TestOfProgress_RowsBehindARetry_HaveNoRemainingTime: rows behind a retry change no count, and rows of a fast
// handler do although the ledger has none as running.
func TestOfProgress_RowsBehindARetry_HaveNoRemainingTime(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		working, retrying, moved int64
		want                     bool
	}{
		{0, 1, 10_000, true},
		{0, 1, 6_001, true},
		{0, 1, 6_000, false},
		{1, 1, 6_000, true},
		{0, 0, 6_000, true},
	} {
		task := &tasks.Task{
			Status: tasks.Running, Counts: tasks.Counts{Total: 60, Enqueue: 10 - tt.working, Working: tt.working, Finish: 50, Retrying: tt.retrying},
			TotalIsFinal: true, StartedAt: 1000, MovedAt: tt.moved, Round: 1,
		}
		if p := OfProgress(task, time.UnixMilli(11_000)); (p.EtaS != nil) != tt.want {
			t.Errorf("%+v: the remaining time is %v", tt, p.EtaS)
		}
	}
}

func TestOfProgress_TaskNotDone_IsBelow100Percent(t *testing.T) {
	t.Parallel()
	task := &tasks.Task{Status: tasks.Canceling, Counts: tasks.Counts{Total: 2, Finish: 1, Canceled: 1}, TotalIsFinal: true}
	if p := OfProgress(task, time.UnixMilli(0)); *p.Percent != 99 || p.Phase != "canceling" {
		t.Errorf("canceling: %d%%, %s", *p.Percent, p.Phase)
	}
	task.Status = tasks.Canceled
	if p := OfProgress(task, time.UnixMilli(0)); *p.Percent != 100 || p.Phase != "done" {
		t.Errorf("canceled: %d%%, %s", *p.Percent, p.Phase)
	}
	task.TotalIsFinal = false
	if p := OfProgress(task, time.UnixMilli(0)); p.Percent != nil {
		t.Errorf("rows still being read: %d%%, want none", *p.Percent)
	}
}

func TestOfProgress_OnlyJob_IsThatOfItsHandler(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ done, total, want int64 }{
		{0, 0, 0},
		{29, 100, 29},
		{199, 1000, 19},
		{100, 100, 99},
		{500, 100, 99},
		{math.MaxInt64 / 2, math.MaxInt64, 50},
	} {
		task := &tasks.Task{Status: tasks.Running, Counts: tasks.Counts{Total: 1, Working: 1}, TotalIsFinal: true}
		task.Progress = tasks.Progress{Done: tt.done, Total: tt.total, Text: "page 3"}
		p := OfProgress(task, time.UnixMilli(0))
		if *p.Percent != tt.want || *p.Message != "page 3" {
			t.Errorf("%d of %d: %d%%, %s; want %d%%", tt.done, tt.total, *p.Percent, *p.Message, tt.want)
		}
		task.Total, task.Working = 2, 2
		if p := OfProgress(task, time.UnixMilli(0)); *p.Percent != 0 || p.Message != nil {
			t.Errorf("of two jobs: %d%%, %v", *p.Percent, p.Message)
		}
	}
}
