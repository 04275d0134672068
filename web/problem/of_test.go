package problem

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/ncruces/go-sqlite3"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/tasks"
)

func TestOf_Error_HasOneProblem(t *testing.T) {
	t.Parallel()
	tests := []struct {
		err      error
		status   int
		code     string
		foreseen bool
	}{
		{fmt.Errorf("x: %w", tasks.ErrNotFound), 404, "NOT_FOUND", true},
		{fmt.Errorf("x: %w", events.ErrNotFound), 404, "NOT_FOUND", true},
		{fmt.Errorf("x: %w", tasks.ErrExpired), 410, "TASK_EXPIRED", true},
		{errors.Join(ErrNoPath, errors.New("x")), 404, "NOT_FOUND", true},
		{fmt.Errorf("x: %w", &ingest.Error{Code: "INVALID_OPTIONS"}), 422, "INVALID_OPTIONS", true},
		{&ingest.Error{Code: "DUPLICATE_FILE"}, 409, "DUPLICATE_FILE", true},
		{&tabular.Problem{Code: "ANY", Detail: "d"}, 422, "ANY", true},
		{&tabular.Problem{Code: tabular.CodeZipBomb}, 413, "ZIP_BOMB", true},
		{&tabular.Problem{Code: tabular.CodeTooManyRows}, 413, "TOO_MANY_ROWS", true},
		{fmt.Errorf("x: %w", &http.MaxBytesError{}), 413, "FILE_TOO_LARGE", true},
		{blobs.ErrTooLarge, 413, "FILE_TOO_LARGE", true},
		{fmt.Errorf("blobs: put: %w: %w", blobs.ErrStorage, syscall.ENOSPC), 507, "STORAGE_FULL", false},
		{fmt.Errorf("%w: %w", ErrQueueUnavailable, context.DeadlineExceeded), 503, "QUEUE_UNAVAILABLE", false},
		{fmt.Errorf("x: %w", context.DeadlineExceeded), 503, "UNAVAILABLE", false},
		{fmt.Errorf("x: %w", &pgconn.PgError{Code: "57P01"}), 503, "UNAVAILABLE", false},
		{fmt.Errorf("x: %w", &pgconn.PgError{Code: "40P01"}), 503, "UNAVAILABLE", false},
		{fmt.Errorf("x: %w", &pgconn.PgError{Code: "42P01"}), 500, "INTERNAL", false},
		{fmt.Errorf("x: %w", sqlite3.BUSY), 503, "UNAVAILABLE", false},
		{errors.New("any"), 500, "INTERNAL", false},
	}
	for _, tt := range tests {
		p, foreseen := Of(tt.err)
		if p.Status != tt.status || p.Code != tt.code || foreseen != tt.foreseen {
			t.Errorf("%v: %d %s %v, want %+v", tt.err, p.Status, p.Code, foreseen, tt)
		}
		if (p.Status == http.StatusServiceUnavailable) != (p.RetryAfter > 0) {
			t.Errorf("%v: RetryAfter = %d; only 503 has one", tt.err, p.RetryAfter)
		}
	}
}
