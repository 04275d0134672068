package web

import (
	"fmt"
	"math"
	"syscall"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/conns"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
)

func TestBroken_Error_IsOfTheBodyOrOfTheStorage(t *testing.T) {
	t.Parallel()
	full := fmt.Errorf("blobs: put: %w: %w", blobs.ErrStorage, syscall.ENOSPC)
	for _, tt := range []struct {
		err    error
		status int
		code   string
	}{
		{full, 507, "STORAGE_FULL"},
		{fmt.Errorf("%w: x", blobs.ErrStorage), 500, "INTERNAL"},
		{syscall.ECONNRESET, 400, "MALFORMED_BODY"},
	} {
		if p, _ := problem.Of((&Server{}).broken(tt.err)); p.Status != tt.status || p.Code != tt.code {
			t.Errorf("%v: %d %s, want %+v", tt.err, p.Status, p.Code, tt)
		}
	}
}

// TestRetryAfter: every second at first, then by what is left.
func TestRetryAfter(t *testing.T) {
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
		got := retryAfter(task, progressView{EtaS: tt.eta}, time.UnixMilli(1000+tt.age))
		if got != tt.want {
			t.Errorf("%+v: %s", tt, got)
		}
	}
}

// TestPatience: no read may wait longer than the patience, nor all of them
// longer than the least rate allows.
func TestPatience(t *testing.T) {
	t.Parallel()
	b := &body{patience: 30 * time.Second, begun: time.Unix(1000, 0)}
	for _, tt := range []struct{ got, at, want int64 }{
		{0, 1000, 1030},
		{0, 1029, 1030},
		{100 * conns.SlowestRate, 1000, 1030},
		{100 * conns.SlowestRate, 1100, 1130},
		{100 * conns.SlowestRate, 1120, 1130},
		{1 << 40, 90_000, 90_030},
	} {
		b.got = tt.got
		if end := b.deadline(time.Unix(tt.at, 0)).Unix(); end != tt.want {
			t.Errorf("%d bytes at %d: deadline %d, want %d", tt.got, tt.at, end, tt.want)
		}
	}
}

// TestPercentOfWhatIsNotDone: all rows at rest are not yet the end.
func TestPercentOfWhatIsNotDone(t *testing.T) {
	t.Parallel()
	task := &tasks.Task{Status: tasks.Canceling, Counts: tasks.Counts{Total: 2, Finish: 1, Canceled: 1}, TotalIsFinal: true}
	if p := viewProgress(task, time.UnixMilli(0)); *p.Percent != 99 || p.Phase != "canceling" {
		t.Errorf("canceling: %d%%, %s", *p.Percent, p.Phase)
	}
	task.Status = tasks.Canceled
	if p := viewProgress(task, time.UnixMilli(0)); *p.Percent != 100 || p.Phase != "done" {
		t.Errorf("canceled: %d%%, %s", *p.Percent, p.Phase)
	}
	task.TotalIsFinal = false
	if p := viewProgress(task, time.UnixMilli(0)); p.Percent != nil {
		t.Errorf("rows still being read: %d%%, want none", *p.Percent)
	}
}

// TestPercentWithinTheOnlyJob: a handler says how far it is, not when it ends.
func TestPercentWithinTheOnlyJob(t *testing.T) {
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
		p := viewProgress(task, time.UnixMilli(0))
		if *p.Percent != tt.want || *p.Message != "page 3" {
			t.Errorf("%d of %d: %d%%, %s; want %d%%", tt.done, tt.total, *p.Percent, *p.Message, tt.want)
		}
		task.Total, task.Working = 2, 2
		if p := viewProgress(task, time.UnixMilli(0)); *p.Percent != 0 || p.Message != nil {
			t.Errorf("of two jobs: %d%%, %v", *p.Percent, p.Message)
		}
	}
}
