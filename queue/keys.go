package queue

import (
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
)

// keyspace spells every Redis key and channel below one prefix.
type keyspace struct{ prefix string }

// newKeyspace panics on a prefix that would break the hash tags.
func newKeyspace(prefix string) keyspace {
	if strings.ContainsAny(prefix, "{}") {
		panic(fmt.Sprintf("queue: prefix %q contains a brace", prefix))
	}
	return keyspace{prefix}
}

// checkQueue panics on a queue name that would break the hash tags.
func checkQueue(queue string) {
	if queue == "" || strings.ContainsAny(queue, "{}") {
		panic(fmt.Sprintf("queue: name %q is empty or contains a brace", queue))
	}
}

func (k keyspace) mark() string              { return k.prefix + ":mark" }
func (k keyspace) bell(topic string) string  { return k.prefix + ":bell:" + topic }
func (k keyspace) wake(queue string) string  { return k.prefix + ":wake:" + queue }
func (k keyspace) nodes(queue string) string { return k.prefix + ":nodes:" + queue }

// shardKeys are the keys of one shard; they share the hash tag {queue:shard}.
type shardKeys struct {
	lease, fence, seq             string
	due, jobs, busy, wait         string
	retries, again, errors, stats string
	morgue, laments, more, dead   string
}

func (k keyspace) shard(queue string, shard int) *shardKeys {
	base := k.prefix + ":{" + queue + ":" + strconv.Itoa(shard) + "}:"
	return &shardKeys{
		lease: base + "lease", fence: base + "fence", seq: base + "seq",
		due: base + "due", jobs: base + "jobs", busy: base + "busy", wait: base + "wait",
		retries: base + "retries", again: base + "again",
		errors: base + "errors", stats: base + "stats",
		morgue: base + "morgue", laments: base + "laments",
		more: base + "p:", dead: base + "m:",
	}
}

// shardOf tells the shard of a key. Stored data depends on it: it never changes.
func shardOf(key string, shards int) int {
	return int(crc32.ChecksumIEEE([]byte(key)) % uint32(shards))
}
