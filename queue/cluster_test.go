package queue

import (
	"context"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

const clusterSlots = 16384

// startCluster starts three masters that share the slots. It waits until all of them know the slots.
func startCluster() ([]*realRedis, error) {
	var list []*realRedis
	for range 3 {
		r, err := startRedis("--cluster-enabled", "yes", "--cluster-node-timeout", "1500",
			"--cluster-require-full-coverage", "no")
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	for i := range list {
		if err := joinCluster(list, i); err != nil {
			return nil, err
		}
	}
	for _, r := range list {
		if err := r.agrees(len(list)); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// joinCluster gives node i its slots and introduces it to the first.
func joinCluster(list []*realRedis, i int) error {
	ctx := context.Background()
	rdb := redis.NewClient(&redis.Options{Addr: list[i].addr})
	defer rdb.Close()
	if err := rdb.Do(ctx, "cluster", "set-config-epoch", i+1).Err(); err != nil {
		return err
	}
	from, to := i*clusterSlots/len(list), (i+1)*clusterSlots/len(list)-1
	if err := rdb.ClusterAddSlotsRange(ctx, from, to).Err(); err != nil || i == 0 {
		return err
	}
	host, port, err := net.SplitHostPort(list[0].addr)
	if err != nil {
		return err
	}
	return rdb.ClusterMeet(ctx, host, port).Err()
}

// agrees waits until the node knows n nodes and finds every slot served.
func (r *realRedis) agrees(n int) error {
	rdb := redis.NewClient(&redis.Options{Addr: r.addr})
	defer rdb.Close()
	var info string
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		info = rdb.ClusterInfo(context.Background()).Val()
		if strings.Contains(info, "cluster_state:ok") &&
			strings.Contains(info, fmt.Sprintf("cluster_known_nodes:%d\r", n)) {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return fmt.Errorf("no agreement: %s", info)
}

// privateCluster starts a cluster of the test alone, for tests that break it.
func privateCluster(t testing.TB) ([]*realRedis, *world) {
	t.Helper()
	list, err := startCluster()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, r := range list {
			r.kill()
			_ = os.RemoveAll(r.dir)
		}
	})
	return list, clusterWorld(t, list)
}
