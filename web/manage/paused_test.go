package manage

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"
)

// TestPausedQueues_SeveralPages_ShareOneRead: also while Redis does not answer, and after the request of the
// read has ended.
func TestPausedQueues_SeveralPages_ShareOneRead(t *testing.T) {
	t.Parallel()
	var k pausedQueues
	now, reads := time.UnixMilli(1_000_000), 0
	list := func(ctx context.Context, found []string, err error) []string {
		return k.list(ctx, now, func(ctx context.Context) ([]string, error) {
			reads++
			return found, errors.Join(err, ctx.Err())
		})
	}
	gone, end := context.WithCancel(t.Context())
	end()
	for range 3 {
		if got := list(gone, []string{"a"}, nil); !slices.Equal(got, []string{"a"}) {
			t.Errorf("%v are paused", got)
		}
	}
	now = now.Add(pauseAge)
	for range 3 {
		if got := list(t.Context(), []string{"a"}, errors.New("no answer")); got != nil {
			t.Errorf("after an error, %v are paused", got)
		}
	}
	if reads != 2 {
		t.Errorf("%d reads, want one per second", reads)
	}
}

// TestPausedQueues_ClockSetBack_ReadsAgain: otherwise the pauses stay as they are until the clock catches up.
func TestPausedQueues_ClockSetBack_ReadsAgain(t *testing.T) {
	t.Parallel()
	var k pausedQueues
	now := time.UnixMilli(1_000_000)
	for _, want := range []string{"a", "b"} {
		got := k.list(t.Context(), now, func(context.Context) ([]string, error) { return []string{want}, nil })
		if !slices.Equal(got, []string{want}) {
			t.Errorf("at %v, %v are paused, want %s", now, got, want)
		}
		now = now.Add(-time.Hour)
	}
}

// TestPausedQueues_RedisHangs_OtherPagesDoNotWait: they show the last known pauses.
func TestPausedQueues_RedisHangs_OtherPagesDoNotWait(t *testing.T) {
	t.Parallel()
	var k pausedQueues
	now := time.UnixMilli(1_000_000)
	k.list(t.Context(), now, func(context.Context) ([]string, error) { return []string{"a"}, nil })
	now = now.Add(pauseAge)
	got := k.list(t.Context(), now, func(ctx context.Context) ([]string, error) {
		other := k.list(ctx, now, func(context.Context) ([]string, error) {
			t.Error("a second page reads")
			return nil, nil
		})
		if !slices.Equal(other, []string{"a"}) {
			t.Errorf("meanwhile, %v are paused", other)
		}
		return []string{"b"}, nil
	})
	if !slices.Equal(got, []string{"b"}) {
		t.Errorf("%v are paused", got)
	}
}
