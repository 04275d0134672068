package queue

import (
	"context"
	"errors"
	"fmt"
)

// ErrInUse means that a queue has payloads or a worker, or is being resharded. Nothing was changed.
var ErrInUse = errors.New("queue is in use")

// Forget removes a queue from the list of queues, with its figures, its history and its pause. It
// returns ErrInUse for a queue in use. A client or worker that uses the queue later creates it
// again. The tokens of its shards continue to rise. Forgetting an unknown queue is a no-op.
func (a *Admin) Forget(ctx context.Context, queue string) error {
	st, err := a.Stats(ctx, queue)
	if errors.Is(err, ErrUnknownQueue) {
		return a.clear(ctx, queue, nil)
	}
	if err != nil {
		return err
	}
	if st.inUse() {
		return fmt.Errorf("queue: forget %q: %w", queue, ErrInUse)
	}
	return a.clear(ctx, queue, st.Shards)
}

// inUse reports whether a queue has payloads or a worker, or is being resharded.
func (st QueueStats) inUse() bool {
	for _, sh := range st.Shards {
		if sh.Owner != "" {
			return true
		}
	}
	return st.Resharding || st.Length+st.Busy+st.MorgueLength > 0
}

// clear removes a queue from the list of queues, and deletes its figures, history, script faults, pause
// and shard count. Redis keeps the generation of its layout and the last token of each shard, so tokens
// continue to rise. Redis also keeps whether each shard accepts payloads.
func (a *Admin) clear(ctx context.Context, queue string, shards []ShardStats) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	pipe := a.rdb.Pipeline()
	for _, sh := range shards {
		k := a.keys.shardOf(shardID{queue, sh.Generation, sh.Shard})
		pipe.Del(ctx, k.stats)
	}
	pipe.Del(ctx, a.keys.history(queue))
	pipe.Del(ctx, a.keys.faults(queue))
	pipe.HDel(ctx, a.keys.layout(queue), "shards", "paused", "processed", "failed")
	pipe.SRem(ctx, a.keys.queues(), queue)
	if _, err := pipe.Exec(ctx); err != nil {
		return fmt.Errorf("queue: forget %q: %w", queue, err)
	}
	a.client.forget(queue)
	return nil
}
