package boot

import (
	"context"

	"github.com/rollcall-dev/rollcall/internal/doctor"
	"github.com/rollcall-dev/rollcall/internal/metrics"
)

// collectMemory reports the memory of Redis. Of a cluster, it reports the process that uses the
// most memory.
func (a *app) collectMemory(ctx context.Context, observe metrics.Observe) error {
	nodes, err := doctor.RedisNodes(ctx, a.rdb, "memory")
	if err != nil {
		return err
	}
	used, most := 0.0, 0.0
	for _, n := range nodes {
		if u := n.Number("used_memory"); u > used {
			used, most = u, n.Number("maxmemory")
		}
	}
	if used > 0 {
		observe("redis_used_bytes", used)
		observe("redis_max_bytes", most)
	}
	return nil
}
