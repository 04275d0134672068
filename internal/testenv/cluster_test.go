//go:build all

package testenv_test

import (
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

func TestStartCluster(t *testing.T) {
	t.Parallel()
	nodes := testenv.StartClusterNodes(t)
	if len(nodes) != 3 {
		t.Fatalf("%d nodes, want 3", len(nodes))
	}
	rdb := redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{nodes[0].Addr()}})
	t.Cleanup(func() { _ = rdb.Close() })

	for _, key := range []string{"a", "b", "c", "d", "e", "f"} {
		if err := rdb.Set(t.Context(), key, key, 0).Err(); err != nil {
			t.Errorf("set %s: %v", key, err)
		}
	}
	for _, node := range nodes {
		if n, err := client(t, node.URL()).DBSize(t.Context()).Result(); n == 0 || n == 6 {
			t.Errorf("node %s holds %d of 6 keys, %v", node.Addr(), n, err)
		}
	}
}
