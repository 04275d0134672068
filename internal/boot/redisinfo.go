package boot

import (
	"context"

	"github.com/rollcall-dev/rollcall/internal/doctor"
	"github.com/rollcall-dev/rollcall/internal/metrics"
)

// lookAtMemory reports the memory of the fullest Redis process.
func (a *app) lookAtMemory(ctx context.Context, tell metrics.Tell) error {
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
		tell("redis_used_bytes", used)
		tell("redis_max_bytes", most)
	}
	return nil
}
