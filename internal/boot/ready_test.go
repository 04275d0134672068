package boot

import (
	"context"
	"errors"
	"log/slog"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// TestPing_ManyCallers_ShareAnAnswer: callers within a second share an answer, even if it is an error. A
// caller that gives up does not affect the others.
func TestPing_ManyCallers_ShareAnAnswer(t *testing.T) {
	t.Parallel()
	for _, want := range []error{nil, errors.New("away")} {
		synctest.Test(t, func(t *testing.T) {
			asked := 0
			p := ping{ask: func(ctx context.Context) error {
				asked++
				select {
				case <-time.After(100 * time.Millisecond):
				case <-ctx.Done():
					return ctx.Err()
				}
				return want
			}, timeout: time.Second}
			for round := range 3 {
				var all sync.WaitGroup
				for i := range 50 {
					all.Go(func() {
						ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
						defer cancel()
						if i == 0 {
							cancel()
						}
						if err := p.answer(ctx); i > 0 && !errors.Is(err, want) {
							t.Errorf("caller %d got %v, want %v", i, err, want)
						}
					})
				}
				all.Wait()
				time.Sleep(pingFresh / 2)
				if err := p.answer(t.Context()); !errors.Is(err, want) || asked != round+1 {
					t.Errorf("asked %d times in round %d, %v", asked, round, err)
				}
				time.Sleep(pingFresh)
			}
		})
	}
}

func TestPing_PartHangs_CallersWaitNoLongerThanTheTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := ping{ask: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, timeout: time.Second}
		begun := time.Now()
		if err := p.answer(t.Context()); err == nil || time.Since(begun) != time.Second {
			t.Errorf("%v after %v", err, time.Since(begun))
		}
	})
}

// TestReady_ManyRequests_PingRedisOnceASecond: anyone may request /readyz, without a limit.
func TestReady_ManyRequests_PingRedisOnceASecond(t *testing.T) {
	t.Parallel()
	server := testenv.StartRedis(t)
	d := newDesk(t, ledgers.Postgres(t), server)
	s, err := Open(t.Context(), d.cfg, noKinds, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Stop() })
	opt, err := redis.ParseURL(server.URL())
	if err != nil {
		t.Fatal(err)
	}
	rdb := redis.NewClient(opt)
	defer rdb.Close()
	pings := func() (n int) {
		for line := range strings.Lines(rdb.Info(t.Context(), "commandstats").Val()) {
			if rest, ok := strings.CutPrefix(line, "cmdstat_ping:calls="); ok {
				calls, _, _ := strings.Cut(rest, ",")
				n, _ = strconv.Atoi(calls)
			}
		}
		return n
	}
	const requests = 200
	before, begun := pings(), time.Now()
	for range requests {
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "http://localhost/readyz", nil))
		if w.Code != 200 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	if n, most := pings()-before, 2+int(time.Since(begun).Seconds()); n < 1 || n > most {
		t.Errorf("%d requests cost %d pings, want %d at most", requests, n, most)
	}
}
