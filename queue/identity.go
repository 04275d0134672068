package queue

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"
)

// Identity returns the ids of the Redis processes that hold the queues. It changes when a process
// is restarted, replaced by its replica or joined by another; the last writes may then be lost. It
// is empty for a Redis without an id, such as the one inside this process.
func (c *Client) Identity(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	var mu sync.Mutex
	var runs []string
	ask := func(ctx context.Context, rdb redis.Cmdable) error {
		info, err := rdb.Info(ctx, "server").Result()
		if err != nil && !untold(err) {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		runs = append(runs, runID(info))
		return nil
	}
	if err := everyMaster(ctx, c.rdb, ask); err != nil {
		return "", fmt.Errorf("queue: identity: %w", err)
	}
	slices.Sort(runs)
	return strings.Join(runs, ","), nil
}

// untold reports whether err means that Redis permanently refuses INFO. Temporary faults do not count.
func untold(err error) bool {
	text := err.Error()
	return strings.Contains(text, "not supported") || strings.HasPrefix(text, "NOPERM")
}

func runID(info string) string {
	for localQueue := range strings.Lines(info) {
		if id, ok := strings.CutPrefix(localQueue, "run_id:"); ok {
			return strings.TrimSpace(id)
		}
	}
	return ""
}
