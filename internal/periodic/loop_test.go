package periodic_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rollcall-dev/rollcall/internal/periodic"
)

func TestLoop_WakeAndNotice_EndThePauseUnlessTheCallFailed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var log bytes.Buffer
		wake, notify := periodic.NewWake(), make(chan string, 1)
		var away atomic.Bool
		calls, begun := []time.Duration{}, time.Now()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			periodic.Loop{
				Every: time.Minute, Wake: wake, Notify: notify,
				Log: slog.New(slog.NewTextHandler(&log, nil)), Failed: "sweeping failed",
			}.Run(ctx, func(context.Context) error {
				calls = append(calls, time.Since(begun))
				if away.Load() {
					return errors.New("away")
				}
				return nil
			})
		}()
		after := func(d time.Duration, do func()) { time.Sleep(d); do(); synctest.Wait() }
		after(time.Second, func() { wake.Signal(); wake.Signal(); wake.Signal() })
		after(time.Second, func() { notify <- "topic" })
		after(30*time.Second, func() { away.Store(true) })
		after(31*time.Second, wake.Signal) // waits for the pause, and is not lost
		after(time.Second, func() { away.Store(false) })
		after(time.Minute, cancel)
		<-ended
		want := []time.Duration{0, 1, 1, 2, 62, 122, 122}
		for i := range want {
			want[i] *= time.Second
		}
		if !slices.Equal(calls, want) {
			t.Errorf("called after %v, want %v", calls, want)
		}
		if n := strings.Count(log.String(), "sweeping failed"); n != 1 {
			t.Errorf("%d errors logged:\n%s", n, log.String())
		}
	})
}

func TestLoop_ErrorOfAStop_IsNotLogged(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var log bytes.Buffer
	periodic.Loop{Every: time.Hour, Log: slog.New(slog.NewTextHandler(&log, nil))}.Run(ctx,
		func(ctx context.Context) error { cancel(); return ctx.Err() })
	if log.Len() > 0 {
		t.Errorf("logged: %s", &log)
	}
}
