package groupcommit_test

import (
	"context"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rollcall-dev/rollcall/internal/groupcommit"
)

func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestDo_CallersInACommit_UseNoProcessor: callers wait for the commit that contains their items.
func TestDo_CallersInACommit_UseNoProcessor(t *testing.T) {
	first, second := make(chan struct{}), make(chan struct{})
	g := groupcommit.New(groupcommit.Options[int]{
		Most: 32, Timeout: time.Minute,
		Commit: func(_ context.Context, items []int) (bool, error) {
			if items[0] == 1 {
				<-first
			} else {
				<-second
			}
			return false, nil
		},
	})
	var all sync.WaitGroup
	for n := 1; n < 20; n++ {
		all.Go(func() { _ = g.Do(context.Background(), n) })
		time.Sleep(20 * time.Millisecond)
	}
	close(first)
	time.Sleep(50 * time.Millisecond)
	before := cpu()
	time.Sleep(500 * time.Millisecond)
	used := cpu() - before
	close(second)
	all.Wait()
	if used > 50*time.Millisecond {
		t.Errorf("callers that wait used %v of CPU in 500ms", used)
	}
}

func TestWait_TwoAtOnce_BothReturn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := groupcommit.New(groupcommit.Options[int]{
			Most: 4, Timeout: time.Minute,
			Commit: func(context.Context, []int) (bool, error) { time.Sleep(time.Second); return false, nil },
		})
		for i := range 2 {
			go func() { _ = g.Do(t.Context(), i) }()
			synctest.Wait()
		}
		var all sync.WaitGroup
		for range 2 {
			all.Go(g.Wait) // as by Flush of an enqueue.Client and of a client that its For returned
		}
		all.Wait()
	})
}

func TestDo_ContextHasEnded_NothingIsCommitted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var mu sync.Mutex
	committed := 0
	for range 200 {
		hold := make(chan struct{})
		g := groupcommit.New(groupcommit.Options[int]{
			Most: 4, Timeout: time.Minute,
			Commit: func(ctx context.Context, items []int) (bool, error) {
				if len(items) == 1 {
					<-hold
					return false, ctx.Err()
				}
				mu.Lock()
				defer mu.Unlock()
				for _, i := range items {
					if i == 99 {
						committed++
					}
				}
				return false, nil
			},
		})
		var all sync.WaitGroup
		all.Go(func() { _ = g.Do(context.Background(), 1) })
		for i := range 3 {
			all.Go(func() { _ = g.Do(context.Background(), 2+i) })
		}
		time.Sleep(time.Millisecond)
		close(hold)
		_ = g.Do(ctx, 99)
		all.Wait()
	}
	if committed > 0 {
		t.Errorf("%d of 200 items of an ended context were committed", committed)
	}
}

func TestDo_PanicInACommit_CallersGetAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := groupcommit.New(groupcommit.Options[int]{
			Most: 4, Timeout: time.Minute,
			Commit: func(_ context.Context, items []int) (bool, error) {
				if time.Sleep(time.Second); len(items) > 1 {
					panic("in a commit")
				}
				return false, nil
			},
		})
		begin(t.Context(), g, 0)
		first, second := begin(t.Context(), g, 1), begin(t.Context(), g, 2)
		for _, answer := range []<-chan error{first, second} {
			if err := <-answer; err == nil || !strings.Contains(err.Error(), "in a commit") {
				t.Errorf("%v, want the panic", err)
			}
		}
		if err := g.Do(t.Context(), 3); err != nil {
			t.Errorf("after the panic: %v", err)
		}
	})
}
