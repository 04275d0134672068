package queue

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"
)

// Identity returns the run ids of the Redis processes that hold the queues. The result changes when
// a process restarts, when a replica replaces a process, or when the cluster gains or loses a
// master. After a restart or a failover, the last writes may be lost. The result is "" for a Redis
// without a run id, such as the in-process Redis.
func (c *Client) Identity(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	var mu sync.Mutex
	var runs []string
	read := func(ctx context.Context, rdb redis.Cmdable) error {
		info, err := rdb.Info(ctx, "server").Result()
		if err != nil && !refusesInfo(err) {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		runs = append(runs, runID(info))
		return nil
	}
	if err := everyMaster(ctx, c.rdb, read); err != nil {
		return "", fmt.Errorf("queue: identity: %w", err)
	}
	slices.Sort(runs)
	return strings.Join(runs, ","), nil
}

// refusesInfo reports whether err means that Redis permanently refuses INFO. It returns false for
// temporary faults.
func refusesInfo(err error) bool {
	text := err.Error()
	return strings.Contains(text, "not supported") || strings.HasPrefix(text, "NOPERM")
}

func runID(info string) string {
	for line := range strings.Lines(info) {
		if id, ok := strings.CutPrefix(line, "run_id:"); ok {
			return strings.TrimSpace(id)
		}
	}
	return ""
}
