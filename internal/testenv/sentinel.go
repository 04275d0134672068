package testenv

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/redis/go-redis/v9"
)

// SentinelName is the name of the master of [StartSentinels].
const SentinelName = "main"

// Sentinels is a Redis with replicas, and sentinels that replace a dead master.
type Sentinels struct {
	Master   *Server
	Replicas []*Server
	Watchers []*Server // the sentinels
}

// Addrs returns the addresses of the sentinels.
func (s *Sentinels) Addrs() []string {
	var list []string
	for _, w := range s.Watchers {
		list = append(list, w.Addr())
	}
	return list
}

// Current returns the address of the master according to the sentinels.
func (s *Sentinels) Current(t T) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), adminWait)
	defer cancel()
	rdb := redis.NewSentinelClient(&redis.Options{Addr: s.Watchers[0].Addr()})
	defer rdb.Close()
	at, err := rdb.GetMasterAddrByName(ctx, SentinelName).Result()
	if err != nil {
		t.Fatalf("testenv: ask a sentinel: %v", err)
	}
	return strings.Join(at, ":")
}

// StartSentinels starts a master, two replicas and three sentinels, and returns when all are connected.
// The sentinels replace a master that is silent for five seconds. The time is this long because on a
// busy machine a new master may get no processor time for a second.
func StartSentinels(t T) *Sentinels {
	t.Helper()
	s := &Sentinels{Master: StartRedis(t, quickSync...)}
	host, port, _ := strings.Cut(s.Master.Addr(), ":")
	for range 2 {
		s.Replicas = append(s.Replicas,
			StartRedis(t, append([]string{"--replicaof", host, port}, quickSync...)...))
	}
	for range 3 {
		w := launch(t, newDir(t, "sentinel"), sentinel(findProgram(t, "redis-server"), host, port))
		t.Cleanup(w.remove)
		s.Watchers = append(s.Watchers, w)
	}
	for _, w := range s.Watchers {
		if err := awaitPeers(w); err != nil {
			t.Fatalf("testenv: %v", err)
		}
	}
	return s
}

// quickSync makes a master send its data to a replica without waiting for other replicas.
var quickSync = []string{"--repl-diskless-sync-delay", "0"}

// sentinel returns the recipe of a sentinel. A sentinel stores its state in its configuration file.
func sentinel(path, host, port string) recipe {
	return recipe{
		name: "sentinel",
		quit: syscall.SIGTERM,
		url:  func(port int) string { return "redis://" + address(port) },
		command: func(dir string, own int) command {
			file := filepath.Join(dir, "sentinel.conf")
			if _, err := os.Stat(file); err != nil {
				text := fmt.Sprintf("bind 127.0.0.1\nport %d\ndir %s\n"+
					"sentinel monitor %[3]s %s %s 2\nsentinel down-after-milliseconds %[3]s 5000\n"+
					"sentinel failover-timeout %[3]s 20000\n", own, dir, SentinelName, host, port)
				_ = os.WriteFile(file, []byte(text), 0o600) // redis-server reports a missing file
			}
			return command{
				path: path, args: []string{file, "--sentinel", "--port", strconv.Itoa(own)}, dir: dir,
			}
		},
		ready: func(_ string, port, _ int) bool { return accepts(port) },
	}
}

// awaitPeers waits until a sentinel has found two replicas and two other sentinels.
func awaitPeers(w *Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), adminWait)
	defer cancel()
	rdb := redis.NewSentinelClient(&redis.Options{Addr: w.Addr()})
	defer rdb.Close()
	var master map[string]string
	ok := Await(adminWait, func() bool {
		master, _ = rdb.Master(ctx, SentinelName).Result() // it may not serve yet
		return master["num-slaves"] == "2" && master["num-other-sentinels"] == "2"
	})
	if !ok {
		return fmt.Errorf("the sentinels do not find each other within %v: %v", adminWait, master)
	}
	return nil
}
