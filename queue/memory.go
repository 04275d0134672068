package queue

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"
)

// Memory holds the used and the allowed memory of a Redis process, in bytes.
type Memory struct {
	Used, Most int64 // Most is 0 without a limit
}

// Full reports whether Redis has reached its memory limit. Pushes then fail, and waiting jobs still
// run.
func (m Memory) Full() bool { return m.Most > 0 && m.Used >= m.Most }

// usedPart returns the used fraction of the allowed memory, where 1 means full. It returns 0 if Redis has no
// limit.
func (m Memory) usedPart() float64 {
	if m.Most == 0 {
		return 0
	}
	return float64(m.Used) / float64(m.Most)
}

// Memory returns the memory of the Redis process that accepts writes, or of the fullest master on a
// Cluster. A Redis that refuses INFO counts as unlimited.
func (a *Admin) Memory(ctx context.Context) (most Memory, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	var mu sync.Mutex
	err = everyMaster(ctx, a.rdb, func(ctx context.Context, rdb redis.Cmdable) error {
		info, err := rdb.Info(ctx, "memory").Result()
		if err != nil && !refusesInfo(err) {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		if m := memoryOf(info); m.usedPart() >= most.usedPart() {
			most = m
		}
		return nil
	})
	if err != nil {
		return Memory{}, fmt.Errorf("queue: memory: %w", err)
	}
	return most, nil
}

// memoryOf parses the reply to INFO; missing figures are 0.
func memoryOf(info string) (m Memory) {
	for line := range strings.Lines(info) {
		name, text, _ := strings.Cut(strings.TrimSpace(line), ":")
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

// everyMaster calls the function `do` with the Redis that accepts writes. On a Cluster it calls `do`
// with every master, on several goroutines.
func everyMaster(
	ctx context.Context, rdb redis.UniversalClient, do func(context.Context, redis.Cmdable) error,
) error {
	if cluster, ok := rdb.(*redis.ClusterClient); ok {
		return cluster.ForEachMaster(ctx, func(ctx context.Context, m *redis.Client) error { return do(ctx, m) })
	}
	return do(ctx, rdb)
}
