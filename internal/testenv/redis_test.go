package testenv_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// client connects to a Redis URL without retries.
func client(t *testing.T, url string) *redis.Client {
	t.Helper()
	opt, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	opt.MaxRetries, opt.DialerRetries = -1, 1
	if opt.ReadTimeout == 0 {
		opt.ReadTimeout = time.Minute
	}
	rdb := redis.NewClient(opt)
	t.Cleanup(func() { _ = rdb.Close() })
	return rdb
}

func TestSharedRedis(t *testing.T) {
	t.Parallel()
	rdb := client(t, testenv.Redis(t))
	ctx := context.Background()

	var mine, other string
	t.Run("a test writes under its prefix", func(t *testing.T) {
		mine, other = testenv.Prefix(t), testenv.Prefix(t)+"x"
		if mine+"x" == other {
			t.Fatal("two prefixes are equal")
		}
		if err := rdb.Set(ctx, mine+":a", 1, 0).Err(); err != nil {
			t.Fatal(err)
		}
		if again := testenv.Redis(t); rdb.Options().Addr != client(t, again).Options().Addr {
			t.Error("a second call started a second server")
		}
	})
	if n, err := rdb.Exists(ctx, mine+":a").Result(); n != 0 || err != nil {
		t.Errorf("after the test %d of its keys are left, %v", n, err)
	}
}

func TestStartRedis(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := testenv.StartRedis(t, "--appendonly", "yes", "--appendfsync", "always")
	rdb := client(t, s.URL())
	if err := rdb.Set(ctx, "a", "1", 0).Err(); err != nil {
		t.Fatal(err)
	}

	s.Pause()
	if err := client(t, s.URL()+"?read_timeout=1s").Ping(ctx).Err(); err == nil {
		t.Error("a paused server answers")
	}
	s.Resume()
	if got, err := rdb.Get(ctx, "a").Result(); got != "1" || err != nil {
		t.Errorf("after a pause: %q, %v", got, err)
	}

	addr := s.Addr()
	s.Kill()
	if err := rdb.Ping(ctx).Err(); err == nil {
		t.Error("a killed server answers")
	}
	s.Start()
	if s.Addr() != addr {
		t.Errorf("the address moved from %s to %s", addr, s.Addr())
	}
	s.Pause()
	s.Restart()
	if got, err := rdb.Get(ctx, "a").Result(); got != "1" || err != nil {
		t.Errorf("after a kill and a restart: %q, %v", got, err)
	}
}

func TestRedisForgetsByDefault(t *testing.T) {
	t.Parallel()
	s := testenv.StartRedis(t)
	rdb := client(t, s.URL())
	if err := rdb.Set(t.Context(), "a", "1", 0).Err(); err != nil {
		t.Fatal(err)
	}
	s.Restart()
	if err := rdb.Get(t.Context(), "a").Err(); !errors.Is(err, redis.Nil) {
		t.Errorf("a server without persistence kept its data: %v", err)
	}
}

func TestServerEndsWithItsTest(t *testing.T) {
	t.Parallel()
	var s *testenv.Server
	t.Run("inner", func(t *testing.T) { s = testenv.StartRedis(t) })
	if err := client(t, s.URL()).Ping(context.Background()).Err(); err == nil {
		t.Error("the server outlives its test")
	}
	if _, err := os.Stat(s.Dir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its directory is left: %v", err)
	}
}
