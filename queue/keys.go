package queue

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
)

// keyspace is the set of all Redis keys and channels under one prefix.
type keyspace struct{ prefix string }

// newKeyspace returns the keyspace of a prefix. It panics if the prefix contains a brace, which
// would break the hash tags.
func newKeyspace(prefix string) keyspace {
	if strings.ContainsAny(prefix, "{}") {
		panic(fmt.Sprintf("queue: prefix %q contains a brace", prefix))
	}
	return keyspace{prefix}
}

// checkQueue panics if a queue name is empty, or contains a brace, which would break the hash tags.
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

// shardKeys holds the Redis keys of one shard, which share the hash tag {queue:shard}. It also holds
// the channel that scripts notify, and the shard count.
type shardKeys struct {
	id                      shardID
	of                      int // shard count of the layout; set only by Admin.each
	lease, fence, seq       string
	gate, ready             string
	due, jobs, busy, wait   string
	retries, redeliveries   string
	errors, stats           string
	morgue, deadErrors      string
	payloads, deadPayloads  string
	crashes, limits, wanted string
	channel                 string // channel of WantedTopic
}

// shardOf returns the Redis keys of a shard.
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

// limitKeys holds the Redis keys of one limit. They share the hash tag {queue:limit.N}, where N is a hash
// of Scope and Per.
type limitKeys struct{ permits, starts, refused, runAts string }

// limit returns the Redis keys of a limit of a queue. They depend only on Scope and Per, so they
// stay the same when AtOnce or Rate changes.
func (k keyspace) limit(queue string, l Limit) limitKeys {
	sum := sha1.Sum([]byte(l.Per.String() + " " + l.Scope))
	base := k.prefix + ":{" + queue + ":limit." + hex.EncodeToString(sum[:10]) + "}:"
	return limitKeys{permits: base + "permits", starts: base + "starts", refused: base + "refused", runAts: base + "run_ats"}
}

// queueAndShard returns the queue and the shard of a Redis key. The shard is "" for the Redis key of a
// layout, and "limit.N" for a key of limitKeys.
func (k keyspace) queueAndShard(key string) (queue, shard string) {
	_, tag, tagged := strings.Cut(key, "{")
	if !tagged {
		return strings.TrimPrefix(key, k.layout("")), ""
	}
	tag, _, _ = strings.Cut(tag, "}")
	i := strings.LastIndex(tag, ":")
	return tag[:max(i, 0)], tag[i+1:]
}

// shardID is the identity of a shard. Each layout of a queue has shards of its own.
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

// gateAtFirst returns the state of the shard's gate if Redis stores none. In the first layout the gate is
// open. In a later layout the state is "", and the shard accepts no payloads.
func (id shardID) gateAtFirst() string {
	if id.Generation == 0 {
		return gateOpen
	}
	return ""
}

// These are the states of a shard's gate, which decides whether the shard accepts pushed payloads.
const (
	gateOpen   = "open"
	gateClosed = "closed" // the shard accepts only payloads of keys that it has
)

// shardOf returns the shard of a key among the given number of shards. Data in Redis depends on
// this function, so it must never change.
func shardOf(key string, shards int) int {
	return int(crc32.ChecksumIEEE([]byte(key)) % uint32(shards))
}
