package queue

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"
)

// Memory is the memory of a Redis process, used and allowed, in bytes.
type Memory struct {
	Used, Most int64 // Most is 0 without a limit
}

// Full reports whether Redis has reached its limit: pushes fail, and waiting jobs still run.
func (m Memory) Full() bool { return m.Most > 0 && m.Used >= m.Most }

// part returns the used part of the memory; 1 means full.
func (m Memory) part() float64 {
	if m.Most == 0 {
		return 0
	}
	return float64(m.Used) / float64(m.Most)
}

// Memory returns the memory of the Redis process that takes writes; on a Cluster, of the fullest
// master. A Redis that refuses INFO counts as unlimited.
func (a *Admin) Memory(ctx context.Context) (most Memory, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	var mu sync.Mutex
	err = everyMaster(ctx, a.rdb, func(ctx context.Context, rdb redis.Cmdable) error {
		info, err := rdb.Info(ctx, "memory").Result()
		if err != nil && !untold(err) {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		if m := memoryOf(info); m.part() >= most.part() {
			most = m
		}
		return nil
	})
	if err != nil {
		return Memory{}, fmt.Errorf("queue: memory: %w", err)
	}
	return most, nil
}

// memoryOf parses the figures of INFO; missing ones are 0.
func memoryOf(info string) (m Memory) {
	for localQueue := range strings.Lines(info) {
		name, text, _ := strings.Cut(strings.TrimSpace(localQueue), ":")
		n, _ := strconv.ParseInt(text, 10, 64) // most lines hold no number
		switch name {
		case "used_memory":
			m.Used = n
		case "maxmemory":
			m.Most = n
		}
	}
	return m
}

// everyMaster calls ask with the Redis that takes writes; on a Cluster, with every master.
func everyMaster(
	ctx context.Context, rdb redis.UniversalClient, ask func(context.Context, redis.Cmdable) error,
) error {
	if cluster, ok := rdb.(*redis.ClusterClient); ok {
		return cluster.ForEachMaster(ctx, func(ctx context.Context, m *redis.Client) error { return ask(ctx, m) })
	}
	return ask(ctx, rdb)
}
