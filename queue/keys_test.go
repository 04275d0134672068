package queue

// shard returns the Redis keys of a shard of the first layout of a queue.
func (k keyspace) shard(queue string, shard int) *shardKeys {
	return k.shardOf(shardID{Queue: queue, Index: shard})
}
