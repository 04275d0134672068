package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// Refused returns the index of the first limit that refused a key, and the time at which the key is due
// again. It returns -1 if the key waits for no limit.
func (a *Admin) Refused(
	ctx context.Context, queue, key string, limits ...Limit,
) (index int, until time.Time, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	for i, l := range limits {
		ms, err := a.rdb.ZScore(ctx, a.keys.limit(queue, l).refused, key).Result()
		switch {
		case err == nil && ms < 0: // chosen to run
		case err == nil:
			return i, time.UnixMilli(int64(ms)), nil
		case !errors.Is(err, redis.Nil):
			return -1, time.Time{}, fmt.Errorf("queue: read a limit of %q: %w", queue, err)
		}
	}
	return -1, time.Time{}, nil
}
