package testenv

import (
	"context"
	"crypto/rand"
	"fmt"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	askWait   = 2 * time.Second  // for one query to a server that may not serve yet
	adminWait = 60 * time.Second // for one operation on a server that serves
)

// Redis returns the URL of a Redis server without persistence, which all tests of the process share.
// Tests use only keys of a [Prefix], and never flush the server.
func Redis(t T) string {
	t.Helper()
	return sharedRedis.get(t, func(t T) *Server { return launchRedis(t, nil) }).URL()
}

// Prefix returns a unique key prefix. When the test ends, its keys are deleted from the server of
// [Redis].
func Prefix(t T) string {
	t.Helper()
	prefix := "t-" + strings.ToLower(rand.Text())
	t.Cleanup(func() {
		t.Helper()
		s := sharedRedis.peek()
		if s == nil {
			return
		}
		if err := deletePrefix(s, prefix); err != nil {
			t.Fatalf("testenv: delete the keys of %s: %v", prefix, err)
		}
	})
	return prefix
}

func deletePrefix(s *Server, prefix string) error {
	ctx, cancel := context.WithTimeout(context.Background(), adminWait)
	defer cancel()
	rdb := redis.NewClient(&redis.Options{Addr: s.Addr()})
	defer rdb.Close()

	keys := rdb.Scan(ctx, 0, prefix+"*", 1000).Iterator()
	for keys.Next(ctx) {
		if err := rdb.Unlink(ctx, keys.Val()).Err(); err != nil {
			return err
		}
	}
	return keys.Err()
}

// StartRedis starts a private Redis server. It stores nothing on disk unless `args` enables it,
// such as "--appendonly", "yes". StartRedis appends `args` to the arguments of redis-server, where
// they override earlier ones.
func StartRedis(t T, args ...string) *Server {
	t.Helper()
	s := launchRedis(t, args)
	t.Cleanup(s.remove)
	return s
}

func launchRedis(t T, args []string) *Server {
	t.Helper()
	path := findProgram(t, "redis-server")
	return launch(t, newDir(t, "redis"), recipe{
		name: "redis-server",
		quit: syscall.SIGTERM,
		url:  func(port int) string { return "redis://" + address(port) + "/0" },
		command: func(dir string, port int) command {
			own := []string{
				"--bind", "127.0.0.1", "--port", strconv.Itoa(port), "--dir", dir,
				"--save", "", "--appendonly", "no",
			}
			return command{path: path, args: append(own, args...), dir: dir}
		},
		ready: redisReady,
	})
}

// redisReady reports whether the process with the number `pid` serves and has loaded its data. It
// returns false if another process has the port.
func redisReady(_ string, port, pid int) bool {
	if !accepts(port) {
		return false // go-redis would log it
	}
	ctx, cancel := context.WithTimeout(context.Background(), askWait)
	defer cancel()
	rdb := redis.NewClient(&redis.Options{Addr: address(port), MaxRetries: -1, PoolSize: 1})
	defer rdb.Close()

	info, err := rdb.Info(ctx).Result()
	return err == nil &&
		strings.Contains(info, fmt.Sprintf("\nprocess_id:%d\r", pid)) &&
		strings.Contains(info, "\nloading:0\r")
}
