package web

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestPace_LimitNotReadYet_FirstRequestsAreLimited: the first requests that a process receives from a tenant
// are limited, and so are the first requests after a while.
func TestPace_LimitNotReadYet_FirstRequestsAreLimited(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var own int64 = 30
		p := pace{read: func(context.Context, string) (int64, error) {
			time.Sleep(time.Second)
			return own, nil
		}}
		together := func(want int) {
			t.Helper()
			var all sync.WaitGroup
			for range 5 {
				all.Go(func() {
					if most := p.limitOf(t.Context(), "acme"); most != want {
						t.Errorf("a limit of %d, want %d", most, want)
					}
				})
			}
			all.Wait()
		}
		together(30)
		own = 7
		time.Sleep(time.Hour)
		together(7)
	})
}

// TestPace_LedgerDoesNotAnswer_RequestWaitsForTwoSeconds: it then has the usual limit, and later requests wait no more.
func TestPace_LedgerDoesNotAnswer_RequestWaitsForTwoSeconds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := pace{usual: 30, read: func(ctx context.Context, _ string) (int64, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		}}
		for _, want := range []time.Duration{2 * time.Second, 0} {
			begun := time.Now()
			if most := p.limitOf(t.Context(), "acme"); most != 30 || time.Since(begun) != want {
				t.Errorf("a limit of %d after %v, want 30 after %v", most, time.Since(begun), want)
			}
		}
	})
}
