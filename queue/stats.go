package queue

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

// Stats are the figures of one queue, summed over its shards at about the same
// instant.
type Stats struct {
	// Length counts the keys that wait: Fresh and Retries together. A key in
	// flight counts only if more was pushed for it meanwhile.
	Length int64

	// Fresh counts the waiting keys that have not failed since their oldest
	// payload came up; Retries those that have.
	Fresh, Retries int64

	// Busy counts the keys in flight: fetched and not yet settled.
	Busy int64

	// MorgueLength counts the keys with dead payloads.
	MorgueLength int64

	// Lag is how long the most overdue key has been waiting; 0 if none is due.
	Lag time.Duration

	// Processed counts payloads that were done, Failed attempts that were not,
	// since the queue exists.
	Processed, Failed int64
}

// shardStats are the commands that look at one shard.
type shardStats struct {
	jobs, retries, busy, morgue *redis.IntCmd
	head                        *redis.ZSliceCmd
	counts                      *redis.SliceCmd
}

// Stats looks at a queue. It costs one round trip and does not depend on the
// length of the queue.
func (c *Client) Stats(ctx context.Context, queue string) (Stats, error) {
	shards, err := c.shardsOf(queue)
	if err != nil {
		return Stats{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	pipe := c.rdb.Pipeline()
	looks := make([]shardStats, len(shards))
	for i, k := range shards {
		looks[i] = shardStats{
			jobs: pipe.HLen(ctx, k.jobs), retries: pipe.ZCard(ctx, k.retries),
			busy: pipe.HLen(ctx, k.busy), morgue: pipe.ZCard(ctx, k.morgue),
			head:   pipe.ZRangeWithScores(ctx, k.due, 0, 0),
			counts: pipe.HMGet(ctx, k.stats, "processed", "failed"),
		}
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return Stats{}, fmt.Errorf("queue: stats of %q: %w", queue, err)
	}
	var st Stats
	for _, look := range looks {
		st.add(look, c.opt.Now())
	}
	return st, nil
}

func (st *Stats) add(look shardStats, now time.Time) {
	st.Length += look.jobs.Val()
	st.Retries += look.retries.Val()
	st.Fresh = st.Length - st.Retries
	st.Busy += look.busy.Val()
	st.MorgueLength += look.morgue.Val()
	if head := look.head.Val(); len(head) > 0 {
		st.Lag = max(st.Lag, now.Sub(time.UnixMilli(int64(head[0].Score))))
	}
	st.Processed += count(look.counts.Val()[0])
	st.Failed += count(look.counts.Val()[1])
}

// count reads a counter; one that was never counted is 0.
func count(val any) int64 {
	text, _ := val.(string)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0
	}
	return n
}
