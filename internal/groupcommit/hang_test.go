package groupcommit_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/groupcommit"
)

func TestDo_CommitOfOneItemHangs_OthersAreCommittedAfterTimeout(t *testing.T) {
	begun, hang := make(chan struct{}), make(chan struct{})
	g := groupcommit.New(groupcommit.Options[int]{Most: 100, Timeout: 200 * time.Millisecond, Commit: func(ctx context.Context, items []int) (bool, error) {
		if items[0] == 0 { // as on a connection without replies
			close(begun)
			select {
			case <-hang:
			case <-ctx.Done():
			}
			return false, ctx.Err()
		}
		return false, nil
	}})
	var wg sync.WaitGroup
	defer wg.Wait()
	defer close(hang)
	wg.Go(func() { _ = g.Do(context.Background(), 0) })
	<-begun
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := g.Do(ctx, 1); err != nil {
		t.Errorf("another caller is not committed: %v", err)
	}
}
