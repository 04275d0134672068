package queue

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"
)

// Identity names the Redis processes that hold the queues. It changes when one
// of them is restarted, replaced by its replica or joined by another: moments
// at which what was written last may be gone. It is empty for a Redis that
// does not tell (the one inside this process, which ends with it).
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

// untold tells an answer that there is no telling from a fault that passes.
func untold(err error) bool {
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
