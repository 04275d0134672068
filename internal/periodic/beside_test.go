package periodic_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rollcall-dev/rollcall/internal/periodic"
)

// TestItRunsUntilItIsStopped: the function runs once a period. Stop cancels a running call, and
// waits for it.
func TestItRunsUntilItIsStopped(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		calls, ended := 0, false
		stop := periodic.Beside(t.Context(), time.Second, func(ctx context.Context) {
			if calls++; calls == 3 {
				<-ctx.Done()
				time.Sleep(time.Minute)
				ended = true
			}
		})
		time.Sleep(time.Minute)
		stop()
		time.Sleep(time.Minute)
		if calls != 3 || !ended {
			t.Errorf("after the stop: %d calls, the last one ended: %v", calls, ended)
		}
	})
}

// TestItEndsWithItsContext: the calls end with the context. Stop may be called afterwards, also
// twice.
func TestItEndsWithItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		stop := periodic.Beside(ctx, time.Second, func(context.Context) { calls++ })
		time.Sleep(2500 * time.Millisecond)
		cancel()
		time.Sleep(time.Minute)
		stop()
		stop()
		if calls != 2 {
			t.Errorf("called %d times in 2.5 periods", calls)
		}
	})
}
