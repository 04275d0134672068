package enqueue_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rollcall-dev/rollcall/internal/partitions"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
)

// TestRetry_PartitionStaysMissing_IsAnError: a task whose rows were not committed must not pass for a new
// task.
func TestRetry_PartitionStaysMissing_IsAnError(t *testing.T) {
	t.Parallel()
	room := partitions.New(fixture.New(t, fixture.Options{}).DB, time.Now)
	missing := &pgconn.PgError{Code: "23514"} // "no partition of relation found for row"
	for _, errs := range [][]error{{nil}, {missing, nil}, {missing, missing}} {
		calls := 0
		err := room.Retry(t.Context(), func() error {
			calls++
			return errs[calls-1]
		})
		if last := errs[len(errs)-1]; err != last || calls != len(errs) {
			t.Errorf("errors %v: %d calls, error %v; want %d calls, error %v", errs, calls, err, len(errs), last)
		}
	}
}
