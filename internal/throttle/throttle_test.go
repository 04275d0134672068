package throttle_test

import (
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/throttle"
)

// counts returns the number of allowed requests of n requests, and the last decision.
func counts(t *testing.T, n int, limiters ...*throttle.Limiter) (ok int, last throttle.Decision) {
	t.Helper()
	for i := range n {
		if last = limiters[i%len(limiters)].Allow(t.Context(), "key_a", 5); last.OK {
			ok++
		}
	}
	return ok, last
}

// TestAllProcessesCountTogether runs on a real Redis and on that of the embedded mode. Other names
// are counted apart.
func TestAllProcessesCountTogether(t *testing.T) {
	t.Parallel()
	story := func(t *testing.T, url string) {
		opt, err := redis.ParseURL(url)
		if err != nil {
			t.Fatal(err)
		}
		rdb := redis.NewClient(opt)
		defer rdb.Close()
		one, two := throttle.New(rdb, throttle.Options{Prefix: t.Name(), Patience: time.Minute}), throttle.New(rdb, throttle.Options{Prefix: t.Name(), Patience: time.Minute})
		ok, last := counts(t, 8, one, two)
		if ok != 5 || last.OK || last.Left != 0 || last.After <= 0 || last.After > 12*time.Second || last.Reset <= 0 {
			t.Errorf("%d of 8 were let in, want 5; then %+v", ok, last)
		}
		if v := one.Allow(t.Context(), "key_b", 5); !v.OK || v.Left != 4 || v.After != 0 {
			t.Errorf("another one: %+v", v)
		}
	}
	t.Run("redis", func(t *testing.T) { t.Parallel(); story(t, testenv.StartRedis(t).URL()) })
	t.Run("embedded", func(t *testing.T) { t.Parallel(); story(t, "redis://"+miniredis.RunT(t).Addr()) })
}

// TestWithoutRedis: each process counts for itself, and together with the others again when Redis
// is back.
func TestWithoutRedis(t *testing.T) {
	t.Parallel()
	m := miniredis.RunT(t)
	rdb := redis.NewClient(&redis.Options{Addr: m.Addr(), ContextTimeoutEnabled: true, DialerRetries: 1})
	defer rdb.Close()
	l := throttle.New(rdb, throttle.Options{})
	m.SetError("LOADING")
	ok, last := counts(t, 8, l)
	if ok != 5 || last.OK || last.Left != 0 || last.After <= 0 || last.After > 12*time.Second || last.Reset <= last.After {
		t.Errorf("%d of 8 were let in, want 5; then %+v", ok, last)
	}
	m.SetError("")
	for end := time.Now().Add(time.Minute); !m.Exists("rate:rollcall:key_c"); time.Sleep(20 * time.Millisecond) {
		if l.Allow(t.Context(), "key_c", 1_000_000); time.Now().After(end) {
			t.Fatal("Redis was never asked again")
		}
	}
}
