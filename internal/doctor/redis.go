package doctor

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/queue"
)

// leastRedis is the oldest supported version of Redis, 6.2, as versionOf returns it.
const leastRedis = 602

// nearlyFull is the share of maxmemory above which doctor warns.
const nearlyFull = 0.9

// redis checks the configured Redis process or, in a cluster, each primary. It also checks the
// workers and queues in Redis.
func (d *checkup) redis(ctx context.Context) {
	if d.cfg.RedisURL == "" {
		return
	}
	var restarts queue.RestartDetector
	rdb, done, err := d.cfg.OpenRedis(&restarts)
	if err != nil {
		return // the check of the settings reports it
	}
	defer func() { d.err = errors.Join(d.err, done()) }()
	nodes, err := RedisNodes(ctx, rdb, "server", "memory", "persistence", "replication")
	if err == nil {
		err = rdb.Ping(ctx).Err()
	}
	if err != nil {
		d.report("redis", stateFail, "start Redis, and check REDIS_URL: address, user, password, TLS", "%v", err)
		return
	}
	for _, n := range nodes {
		d.redisNode(ctx, n)
	}
	d.redisClock(ctx, rdb)
	d.workers(ctx, rdb)
	d.queues(ctx, rdb)
}

func (d *checkup) redisNode(_ context.Context, n redisNode) {
	if len(n.info) == 0 {
		d.report("redis", stateWarn, "allow the Redis user to run INFO: without it, doctor cannot check version, role and memory",
			"%s rejects the command INFO", n.addr)
		return
	}
	version := n.info["redis_version"]
	if v, ok := n.info["valkey_version"]; ok {
		version = "Valkey " + v
	}
	d.report("redis version", unless(versionOf(n.info["redis_version"]) >= leastRedis, stateFail),
		"upgrade to Redis 6.2 or later, or Valkey", "%s at %s", version, n.addr)
	d.report("redis role", unless(n.info["role"] != "slave", stateFail),
		"set REDIS_URL to the primary, to Sentinel or to the cluster", "%s", n.info["role"])
	policy := n.info["maxmemory_policy"]
	d.report("redis eviction", unless(policy == "noeviction", evictionState(n)),
		"set maxmemory-policy to noeviction: with another policy, a full Redis deletes jobs", "%s", policy)
	state, text := memoryState(n)
	d.report("redis memory", state, "raise maxmemory, or delete other data: a full Redis accepts no rows",
		text, n.info["used_memory_human"], bound(n))
	d.report("redis append-only", unless(n.info["aof_enabled"] == "1", stateWarn),
		"set appendonly to yes: without it, no job runs for the length of a lease after a restart of Redis, and all unfinished rows are pushed again",
		"%s", map[string]string{"1": "on", "0": "off"}[n.info["aof_enabled"]])
}

// evictionState returns the state of the check for a Redis whose policy evicts keys. Without a memory
// limit, Redis evicts no keys, so the state is only a warning.
func evictionState(n redisNode) string {
	if n.Number("maxmemory") == 0 {
		return stateWarn
	}
	return stateFail
}

// bound returns the memory limit of a Redis process as a text.
func bound(n redisNode) string {
	if n.Number("maxmemory") == 0 {
		return "none"
	}
	return n.info["maxmemory_human"]
}

// memoryState checks the memory of a Redis process. It returns the state, and the format of the text.
func memoryState(n redisNode) (state, text string) {
	most, used := n.Number("maxmemory"), n.Number("used_memory")
	switch {
	case most > 0 && used >= most:
		return stateFail, "Redis is full: %s used, limit: %s"
	case most > 0 && used > nearlyFull*most:
		return stateWarn, "%s used, limit: %s"
	}
	return stateOK, "%s used, limit: %s"
}

// versionOf converts a version such as "6.2.14" to a number such as 602. A part that is not a number counts
// as 0.
func versionOf(text string) int {
	major, rest, _ := strings.Cut(text, ".")
	minor, _, _ := strings.Cut(rest, ".")
	a, _ := strconv.Atoi(major) // a version without a number counts as too old
	b, _ := strconv.Atoi(minor)
	return 100*a + b
}

func (d *checkup) redisClock(ctx context.Context, rdb redis.UniversalClient) {
	asked := time.Now()
	there, err := rdb.Time(ctx).Result()
	if err != nil {
		return // a user with few rights, or a moving cluster
	}
	skew := there.Sub(asked.Add(time.Since(asked) / 2))
	d.report("clock of redis", unless(skew.Abs() < mostSkew, stateWarn),
		"synchronize both clocks by NTP: the times of logs do not match. Leases are not affected",
		"differs from the clock of this machine by %v", skew.Round(time.Millisecond))
}

// workers warns if no process runs jobs.
func (d *checkup) workers(ctx context.Context, rdb redis.UniversalClient) {
	nodes, err := queue.NewClient(rdb, queue.ClientOptions{Prefix: d.cfg.Prefix}).Admin().Nodes(ctx)
	if err != nil {
		d.report("workers", stateFail, "check REDIS_PREFIX and the rights of the Redis user", "%v", err)
		return
	}
	held, calls := 0, 0
	for i := range nodes {
		held += ShardsOf(&nodes[i])
		calls += nodes[i].Concurrency
	}
	d.report("workers", unless(len(nodes) > 0, stateWarn), "start cmd/worker on the same REDIS_URL and REDIS_PREFIX",
		"%s", fmt.Sprintf("%d alive, with %d shards and up to %d handler calls at once", len(nodes), held, calls))
}
