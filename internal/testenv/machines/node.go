//go:build linux

package machines

import (
	"context"
	"strings"

	"github.com/redis/go-redis/v9"
)

func (d *node) ask(f func(ctx context.Context, rdb *redis.Client)) {
	ctx, cancel := context.WithTimeout(context.Background(), askWait)
	defer cancel()
	rdb := redis.NewClient(&redis.Options{Addr: d.addr, MaxRetries: -1, PoolSize: 1})
	defer rdb.Close()
	f(ctx, rdb)
}

// info returns a section of INFO; "" if the node does not answer.
func (d *node) info(section string) (text string) {
	d.ask(func(ctx context.Context, rdb *redis.Client) { text = rdb.Info(ctx, section).Val() })
	return text
}

func (d *node) state() (text string) {
	d.ask(func(ctx context.Context, rdb *redis.Client) { text = rdb.ClusterInfo(ctx).Val() })
	return text
}

func (d *node) keys() (count int64) {
	d.ask(func(ctx context.Context, rdb *redis.Client) { count = rdb.DBSize(ctx).Val() })
	return count
}

func (d *node) isMaster() bool { return strings.Contains(d.info("replication"), "role:master") }
