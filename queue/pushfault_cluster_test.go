//go:build all

package queue

import (
	"context"
	"fmt"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// TestPush_OneScriptRedirected_KeepsOrder makes a Cluster redirect each script of a push in turn:
// go-redis sends it again, and no other script overtakes it.
func TestPush_OneScriptRedirected_KeepsOrder(t *testing.T) {
	t.Parallel()
	w := clusterWorld(t, nodes)
	for _, kind := range []string{"MOVED", "ASK"} {
		for _, number := range refused() {
			var f *faulty
			f = newFaulty(t, w, number, func() testenv.Fate { return testenv.Fate{Refuse: f.redirect(kind)} })
			f.run()
		}
	}
}

// redirect returns the error with which a master redirects a client to itself.
func (f *faulty) redirect(kind string) string {
	due := f.client.keys.shard(f.queue, 0).due
	rdb := f.w.rdb.(*redis.ClusterClient)
	master, err := rdb.MasterForKey(context.Background(), due)
	if err != nil {
		f.t.Error(err)
		return "ERR"
	}
	return fmt.Sprintf("%s %d %s", kind, rdb.ClusterKeySlot(context.Background(), due).Val(), master.Options().Addr)
}
