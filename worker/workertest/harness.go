package workertest

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/rollcall-dev/rollcall/internal/boot"
	"github.com/rollcall-dev/rollcall/internal/enqueue"
	"github.com/rollcall-dev/rollcall/internal/settings"
	"github.com/rollcall-dev/rollcall/worker"
)

// patience is the longest wait for a condition, in real time.
const patience = time.Minute

// lease is the duration of a lease in the service under test. poll is the interval at which the service
// polls for due jobs.
const (
	lease = 10 * time.Second
	poll  = 10 * time.Millisecond
)

// Harness is the service under test. Only the goroutine of the test may call its methods.
type Harness struct {
	t     testing.TB
	redis *miniredis.Miniredis
	clock *clock
	trace *trace
	boot  *boot.Service

	redisTime time.Time // the clock by which leases expire
}

// New starts the service for the kinds of a registry, and stops it when the test ends. The clock of
// the service starts at noon UTC on 2026-01-01. Apart from a microsecond at each read, it moves
// only with Advance and Crash. The errors that the service logs go to the log of the test.
func New(t testing.TB, kinds *worker.Registry) *Harness {
	t.Helper()
	h := &Harness{
		t: t, redis: miniredis.NewMiniRedis(), trace: newTrace(),
		clock:     &clock{now: time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)},
		redisTime: time.Now(),
	}
	h.redis.SetTime(h.redisTime)
	h.redis.ClockTTL(true) // from now on the clock of Redis moves only in crashes
	if err := h.redis.StartAddr("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.redis.Close)
	log := slog.New(slog.NewTextHandler(testLog{t}, &slog.HandlerOptions{Level: slog.LevelError}))
	var err error
	h.boot, err = boot.Open(t.Context(), h.config(t.TempDir()), settings.Fixed(h.trace.of(kinds)), log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.stop)
	h.start()
	return h
}

func (h *Harness) config(dir string) settings.Config {
	return settings.Config{
		DataDir: dir, DatabaseURL: filepath.Join(dir, "ledger.db"), RedisURL: "redis://" + h.redis.Addr(),
		Prefix: "test", Concurrency: 25, Lease: lease, MaxUpload: 100 << 20, Retention: 90,
		WebhookAllowPrivate: true, Now: h.clock.Now, Poll: poll,
	}
}

func (h *Harness) start() {
	h.t.Helper()
	if err := h.boot.Start(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
}

// stop ends the workers like a crash, because the test does not need their outcomes. It stops the
// rest of the service as usual.
func (h *Harness) stop() {
	h.boot.Crash()
	if err := h.boot.Stop(); err != nil {
		h.t.Error(err)
	}
}

// testLog is a writer to the log of a test.
type testLog struct{ t testing.TB }

func (l testLog) Write(p []byte) (int, error) {
	l.t.Logf("%s", strings.TrimSpace(string(p)))
	return len(p), nil
}

// Now returns the time of the service's clock.
func (h *Harness) Now() time.Time { return h.clock.Now() }

// Client returns a client of the service.
func (h *Harness) Client() *worker.Client { return enqueue.Public(h.boot.Client()).(*worker.Client) }

// Handler returns the API and the pages of the service.
func (h *Harness) Handler() http.Handler { return h.boot.Handler() }

// Enqueue adds one job, and ends the test if it is rejected.
func Enqueue[T any](h *Harness, def *worker.Definition[T], args T, opts ...worker.EnqueueOption) *Task {
	h.t.Helper()
	ref, err := def.Enqueue(h.t.Context(), h.Client(), args, opts...)
	if err != nil {
		h.t.Fatalf("enqueue: %v", err)
	}
	return h.Task(ref.TaskID)
}

// until calls the function `check` at growing intervals until it returns true. If that takes longer
// than the constant patience, it ends the test, with the last state that `check` returned. The
// argument `what` names the condition in the message.
func (h *Harness) until(what string, check func(ctx context.Context) (ok bool, state string)) {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), patience)
	defer cancel()
	last := ""
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		ok, state := check(ctx)
		if ok {
			return
		}
		if ctx.Err() == nil {
			last = state
		}
		select {
		case <-ctx.Done():
			h.t.Fatalf("timeout while waiting for %s: %s; %s", what, last, cmp.Or(h.trace.busy(), "no handler runs"))
		case <-time.After(pause):
		}
	}
}
