//go:build all

package redisurl_test

import (
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/redisurl"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// TestParse_SentinelsWithAPassword_GetTheirOwnPassword has sentinels that require a password,
// before a master without one.
func TestParse_SentinelsWithAPassword_GetTheirOwnPassword(t *testing.T) {
	t.Parallel()
	s := testenv.StartSentinels(t)
	for _, addr := range s.Addrs() {
		rdb := redis.NewClient(&redis.Options{Addr: addr})
		defer rdb.Close()
		if err := rdb.Do(t.Context(), "ACL", "SETUSER", "default", "resetpass", ">secret").Err(); err != nil {
			t.Fatal(err)
		}
	}
	for options, want := range map[string]bool{"": false, "?sentinel_password=wrong": false, "?sentinel_password=secret": true} {
		opt, err := redisurl.Parse("redis+sentinel://" + strings.Join(s.Addrs(), ",") + "/" + testenv.SentinelName + options)
		if err != nil {
			t.Fatal(err)
		}
		rdb := redis.NewUniversalClient(opt)
		defer rdb.Close()
		if err := rdb.Set(t.Context(), "key", options, 0).Err(); (err == nil) != want {
			t.Errorf("options %q: %v", options, err)
		}
	}
}
