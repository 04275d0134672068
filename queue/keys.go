package queue

import (
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
)

// keyspace builds every Redis key and channel under one prefix.
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

func (k keyspace) generation() string          { return k.prefix + ":generation" }
func (k keyspace) notes() string               { return k.prefix + ":notes" }
func (k keyspace) channel(topic string) string { return k.prefix + ":notify:" + topic }
func (k keyspace) wake(queue string) string    { return k.prefix + ":wake:" + queue }
func (k keyspace) nodes(queue string) string   { return k.prefix + ":nodes:" + queue }

func (k keyspace) queues() string             { return k.prefix + ":queues" }
func (k keyspace) layout(queue string) string { return k.prefix + ":layout:" + queue }
func (k keyspace) drains() string             { return k.prefix + ":drains" }
func (k keyspace) history(q string) string    { return k.prefix + ":history:" + q }
func (k keyspace) faults(q string) string     { return k.prefix + ":faults:" + q }
func (k keyspace) node(node string) string    { return k.prefix + ":node:" + node }

// shardKeys are the keys of one shard; they share the hash tag {queue:shard}.
type shardKeys struct {
	id                      shardID
	of                      int // shards of its layout, where needed
	lease, fence, seq       string
	gate, ready             string
	due, jobs, busy, wait   string
	retries, redeliveries   string
	errors, stats           string
	morgue, deadErrors      string
	payloads, deadPayloads  string
	crashes, limits, wanted string
	channel                 string // channel that reports wanted keys
}

// shard returns the keys of a shard of the first layout of a queue.
func (k keyspace) shard(queue string, shard int) *shardKeys {
	return k.shardOf(shardID{Queue: queue, Index: shard})
}

func (k keyspace) shardOf(id shardID) *shardKeys {
	base := k.prefix + ":{" + id.Queue + ":" + id.name() + "}:"
	return &shardKeys{
		id:   id,
		gate: base + "gate", ready: base + "ready", crashes: base + "crashes",
		limits: base + "limits", wanted: base + "wanted", channel: k.channel(WantedTopic(id.Queue)),
		lease: base + "lease", fence: base + "fence", seq: base + "seq",
		due: base + "due", jobs: base + "jobs", busy: base + "busy", wait: base + "wait",
		retries: base + "retries", redeliveries: base + "redeliveries",
		errors: base + "errors", stats: base + "stats",
		morgue: base + "morgue", deadErrors: base + "dead_errors",
		payloads: base + "p:", deadPayloads: base + "m:",
	}
}

// placeOf returns the queue and the shard of a script's key; the shard is "" for the layout of a
// queue.
func (k keyspace) placeOf(key string) (queue, shard string) {
	_, tag, tagged := strings.Cut(key, "{")
	if !tagged {
		return strings.TrimPrefix(key, k.layout("")), ""
	}
	tag, _, _ = strings.Cut(tag, "}")
	i := strings.LastIndex(tag, ":")
	return tag[:max(i, 0)], tag[i+1:]
}

// shardID identifies a shard. Every layout of a queue has its own shards.
type shardID struct {
	Queue      string
	Generation int
	Index      int
}

// name returns the shard's name on the wake channel and in its hash tag.
func (id shardID) name() string {
	if id.Generation == 0 {
		return strconv.Itoa(id.Index)
	}
	return strconv.Itoa(id.Generation) + "." + strconv.Itoa(id.Index)
}

// gateAtFirst returns the state of a gate that is missing in Redis. A shard of a later layout is
// usable only if its gate is in Redis.
func (id shardID) gateAtFirst() string {
	if id.Generation == 0 {
		return gateOpen
	}
	return ""
}

// The states of a shard's gate.
const (
	gateOpen   = "open"
	gateClosed = "closed" // accepts only payloads for keys that it has
)

// shardOf returns the shard of a key. Stored data depends on it: it never changes.
func shardOf(key string, shards int) int {
	return int(crc32.ChecksumIEEE([]byte(key)) % uint32(shards))
}
