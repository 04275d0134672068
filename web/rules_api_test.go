package web

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/ncruces/go-sqlite3"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/conns"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TestTableOfErrors: each fault has its status, and ours are logged.
func TestTableOfErrors(t *testing.T) {
	t.Parallel()
	full := fmt.Errorf("blobs: put: %w: %w", blobs.ErrStorage, syscall.ENOSPC)
	tests := []struct {
		err      error
		status   int
		code     string
		foreseen bool
	}{
		{fmt.Errorf("x: %w", tasks.ErrNotFound), 404, "NOT_FOUND", true},
		{fmt.Errorf("x: %w", events.ErrNotFound), 404, "NOT_FOUND", true},
		{fmt.Errorf("x: %w", tasks.ErrExpired), 410, "TASK_EXPIRED", true},
		{errors.Join(errNoPath, errors.New("x")), 404, "NOT_FOUND", true},
		{&importers.Problem{Code: "ANY", Detail: "d"}, 422, "ANY", true},
		{&importers.Problem{Code: importers.CodeZipBomb}, 413, "ZIP_BOMB", true},
		{&importers.Problem{Code: importers.CodeTooManyRows}, 413, "TOO_MANY_ROWS", true},
		{fmt.Errorf("x: %w", &http.MaxBytesError{}), 413, "FILE_TOO_LARGE", true},
		{blobs.ErrTooLarge, 413, "FILE_TOO_LARGE", true},
		{(&Server{}).broken(full), 507, "STORAGE_FULL", false},
		{(&Server{}).broken(fmt.Errorf("%w: x", blobs.ErrStorage)), 500, "INTERNAL", false},
		{(&Server{}).broken(syscall.ECONNRESET), 400, "MALFORMED_BODY", true},
		{fmt.Errorf("%w: %w", errQueueAway, context.DeadlineExceeded), 503, "QUEUE_UNAVAILABLE", false},
		{fmt.Errorf("x: %w", context.DeadlineExceeded), 503, "UNAVAILABLE", false},
		{fmt.Errorf("x: %w", &pgconn.PgError{Code: "57P01"}), 503, "UNAVAILABLE", false},
		{fmt.Errorf("x: %w", &pgconn.PgError{Code: "40P01"}), 503, "UNAVAILABLE", false},
		{fmt.Errorf("x: %w", &pgconn.PgError{Code: "42P01"}), 500, "INTERNAL", false},
		{fmt.Errorf("x: %w", sqlite3.BUSY), 503, "UNAVAILABLE", false},
		{errors.New("any"), 500, "INTERNAL", false},
	}
	for _, tt := range tests {
		p, foreseen := problemOf(tt.err)
		if p.Status != tt.status || p.Code != tt.code || foreseen != tt.foreseen {
			t.Errorf("%v: %d %s %v, want %+v", tt.err, p.Status, p.Code, foreseen, tt)
		}
		if (p.Status == http.StatusServiceUnavailable) != (p.after > 0) {
			t.Errorf("%v: 503 must say when to try again, and nothing else may", tt.err)
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
