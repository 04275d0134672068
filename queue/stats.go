package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// Stats holds the figures of one shard or of one queue. The figures of a queue are the sums over
// its shards, but Lag is the longest lag of a shard.
type Stats struct {
	// Length is the number of waiting keys: the sum of Fresh and Retries. A key in flight counts
	// only if more payloads of it wait.
	Length int64

	// Fresh is the number of waiting keys whose oldest payload has not failed. Retries is the
	// number of the other waiting keys.
	Fresh, Retries int64

	// Busy is the number of keys in flight: fetched and not yet settled.
	Busy int64

	// MorgueLength is the number of keys with dead payloads.
	MorgueLength int64

	// Lag is how long the most overdue key has been due; 0 if no key is due.
	Lag time.Duration

	// Processed is the number of payloads done. Failed is the number of failed attempts. Both count since
	// the queue was created.
	Processed, Failed int64
}

// MarshalJSON writes the figures under the names that Lowkiq, a job queue for Ruby, has in its stats and
// in its dashboard. Some figures thus have two names. The lag is in seconds.
func (st Stats) MarshalJSON() ([]byte, error) { return json.Marshal(st.figures()) }

// figures is Stats in JSON.
type figures struct {
	Length       int64   `json:"length"`
	Enqueued     int64   `json:"enqueued"`
	Fresh        int64   `json:"fresh"`
	Retries      int64   `json:"retries"`
	Busy         int64   `json:"busy"`
	MorgueLength int64   `json:"morgue_length"`
	Dead         int64   `json:"dead"`
	Lag          float64 `json:"lag"`
	Processed    int64   `json:"processed"`
	Failed       int64   `json:"failed"`
}

func (st Stats) figures() figures {
	return figures{
		st.Length, st.Length, st.Fresh, st.Retries, st.Busy, st.MorgueLength, st.MorgueLength,
		st.Lag.Seconds(), st.Processed, st.Failed,
	}
}

// Stats returns the figures of a queue. It takes one round trip for the layout, and one for each part of
// up to 64 shards, however long the queue is. If the queue is missing in Redis, Stats adds it.
func (c *Client) Stats(ctx context.Context, queue string) (Stats, error) {
	v, err := c.loadView(ctx, queue)
	if err != nil {
		return Stats{}, err
	}
	shards, err := c.keys.stats(ctx, c.rdb, queue, v.layout, c.opt.Now())
	if err != nil {
		return Stats{}, err
	}
	return v.sum(shards), nil
}

// sum adds up the figures of the shards and the counts of earlier layouts. Lag is the longest lag of a
// shard.
func (l layout) sum(shards []ShardStats) Stats {
	st := Stats{Processed: l.processed, Failed: l.failed}
	for _, sh := range shards {
		st.Length += sh.Length
		st.Fresh += sh.Fresh
		st.Retries += sh.Retries
		st.Busy += sh.Busy
		st.MorgueLength += sh.MorgueLength
		st.Lag = max(st.Lag, sh.Lag)
		st.Processed += sh.Processed
		st.Failed += sh.Failed
	}
	return st
}

// Nodes returns the number of nodes that own shards of the queue.
func (st QueueStats) Nodes() int {
	var owners []string
	for i := range st.Shards {
		if owner := st.Shards[i].Owner; owner != "" && !slices.Contains(owners, owner) {
			owners = append(owners, owner)
		}
	}
	return len(owners)
}

// Unowned returns the names of the shards that have waiting keys but no owner.
func (st QueueStats) Unowned() (names []string) {
	for i := range st.Shards {
		if st.Shards[i].Owner == "" && st.Shards[i].Length > 0 {
			names = append(names, st.Shards[i].Name())
		}
	}
	return names
}

// ShardStats holds the figures of one shard.
type ShardStats struct {
	Stats
	Generation int    // number of the shard's layout, from 0
	Shard      int    // number within its layout
	Owner      string // node with the lease, "" = none
}

// Name returns the name of the shard, as in KeyState.
func (st ShardStats) Name() string { return shardID{Generation: st.Generation, Index: st.Shard}.name() }

// MarshalJSON writes the same fields as Stats.MarshalJSON, and adds the fields shard, cut and owner. The
// field cut holds the generation.
func (st ShardStats) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Shard      int    `json:"shard"`
		Generation int    `json:"cut"`
		Owner      string `json:"owner"`
		figures
	}{st.Shard, st.Generation, st.Owner, st.figures()})
}

// shardReplies holds the commands that read one shard.
type shardReplies struct {
	jobs, retries, busy, morgue *redis.IntCmd
	head                        *redis.ZSliceCmd
	readyHead, lease            *redis.StringCmd
	counts                      *redis.SliceCmd
}

// shardsPerRead is how many shards one round trip reads, with eight commands each.
const shardsPerRead = 64

// readShards reads shards, shardsPerRead per round trip. Each round trip ends within callTimeout.
func (k keyspace) readShards(
	ctx context.Context, rdb redis.UniversalClient, ids []shardID,
) ([]shardReplies, error) {
	all := make([]shardReplies, 0, len(ids))
	for part := range slices.Chunk(ids, shardsPerRead) {
		some, err := k.readShardsPart(ctx, rdb, part)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

func (k keyspace) readShardsPart(
	ctx context.Context, rdb redis.UniversalClient, ids []shardID,
) ([]shardReplies, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	pipe := rdb.Pipeline()
	part := make([]shardReplies, len(ids))
	for i, id := range ids {
		part[i] = queryShard(ctx, pipe, k.shardOf(id))
	}
	if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return nil, err
	}
	return part, nil
}

// stats returns the figures of all shards of a layout.
func (k keyspace) stats(
	ctx context.Context, rdb redis.UniversalClient, queue string, l layout, now time.Time,
) ([]ShardStats, error) {
	ids := l.ids(queue)
	looks, err := k.readShards(ctx, rdb, ids)
	if err != nil {
		return nil, fmt.Errorf("queue: stats of %q: %w", queue, err)
	}
	list := make([]ShardStats, len(ids))
	for i, id := range ids {
		list[i] = ShardStats{Stats: looks[i].stats(now), Generation: id.Generation, Shard: id.Index}
		list[i].Owner = ownerIn(looks[i].lease.Val())
	}
	return list, nil
}

// startOfTime is the earliest possible run-at. With it as the current time, no key is overdue, so
// Stats.Lag is 0.
var startOfTime = time.UnixMilli(0)

func queryShard(ctx context.Context, pipe redis.Pipeliner, k *shardKeys) shardReplies {
	return shardReplies{
		jobs: pipe.HLen(ctx, k.jobs), retries: pipe.ZCard(ctx, k.retries),
		busy: pipe.HLen(ctx, k.busy), morgue: pipe.ZCard(ctx, k.morgue),
		head: pipe.ZRangeWithScores(ctx, k.due, 0, 0), readyHead: pipe.LIndex(ctx, k.ready, 0),
		lease: pipe.Get(ctx, k.lease), counts: pipe.HMGet(ctx, k.stats, "processed", "failed"),
	}
}

func (look shardReplies) stats(now time.Time) Stats {
	st := Stats{
		Length: look.jobs.Val(), Retries: look.retries.Val(), Busy: look.busy.Val(),
		MorgueLength: look.morgue.Val(),
	}
	st.Fresh = max(0, st.Length-st.Retries)
	st.Processed, st.Failed = look.counted()
	if st.Length > 0 {
		st.Lag = look.lag(now)
	}
	return st
}

// lag returns how long the earliest key of the shard has been due, from the first entries of due and of
// the ready list. The entry of a deleted key counts until fetch.lua or prune.lua removes it.
func (look shardReplies) lag(now time.Time) (lag time.Duration) {
	if head := look.head.Val(); len(head) > 0 {
		lag = max(lag, now.Sub(time.UnixMilli(int64(head[0].Score))))
	}
	if at, _, ok := strings.Cut(look.readyHead.Val(), ";"); ok {
		lag = max(lag, now.Sub(time.UnixMilli(count(at))))
	}
	return lag
}

func (look shardReplies) counted() (processed, failed int64) {
	if counts := look.counts.Val(); len(counts) == 2 {
		return count(counts[0]), count(counts[1])
	}
	return 0, 0
}

// ownerIn returns the node of a lease "<node>:<token>".
func ownerIn(lease string) string {
	return lease[:max(0, strings.LastIndexByte(lease, ':'))]
}

// count parses a whole number. A missing or invalid number is 0.
func count(val any) int64 {
	text, _ := val.(string)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0
	}
	return n
}
