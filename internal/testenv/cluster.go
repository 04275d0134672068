package testenv

import (
	"context"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"
)

const (
	clusterNodes = 3
	clusterSlots = 16384
)

// StartCluster starts a Redis Cluster of three masters, which share all slots
// and agree on it, and returns their addresses.
func StartCluster(t T) []string {
	t.Helper()
	var addrs []string
	for _, s := range StartClusterNodes(t) {
		addrs = append(addrs, s.Addr())
	}
	return addrs
}

// StartClusterNodes is [StartCluster] for tests that kill, pause and restart
// the nodes. A node that another misses for two seconds counts as down.
func StartClusterNodes(t T) []*Server {
	t.Helper()
	var nodes []*Server
	for range clusterNodes {
		nodes = append(nodes, StartRedis(t,
			"--cluster-enabled", "yes", "--cluster-node-timeout", "2000"))
	}
	if err := join(nodes); err != nil {
		t.Fatalf("testenv: join the cluster: %v", err)
	}
	return nodes
}

// join deals the slots out, introduces the first node to the others, and waits
// until every node sees the whole cluster.
func join(nodes []*Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), adminWait)
	defer cancel()
	for i := range nodes {
		if err := joinOne(ctx, nodes, i); err != nil {
			return err
		}
	}
	for _, node := range nodes {
		if err := agrees(ctx, node); err != nil {
			return err
		}
	}
	return nil
}

func joinOne(ctx context.Context, nodes []*Server, i int) error {
	rdb := redis.NewClient(&redis.Options{Addr: nodes[i].Addr()})
	defer rdb.Close()
	if err := rdb.Do(ctx, "cluster", "set-config-epoch", i+1).Err(); err != nil {
		return err
	}
	from, to := i*clusterSlots/len(nodes), (i+1)*clusterSlots/len(nodes)-1
	if err := rdb.ClusterAddSlotsRange(ctx, from, to).Err(); err != nil {
		return err
	}
	if i == 0 {
		return nil
	}
	host, port, _ := strings.Cut(nodes[0].Addr(), ":")
	return rdb.ClusterMeet(ctx, host, port).Err()
}

// agrees waits until a node knows all others and finds every slot served.
func agrees(ctx context.Context, node *Server) error {
	rdb := redis.NewClient(&redis.Options{Addr: node.Addr()})
	defer rdb.Close()
	var info string
	var err error
	ok := poll(adminWait, func() bool {
		info, err = rdb.ClusterInfo(ctx).Result()
		return err == nil && strings.Contains(info, "cluster_state:ok") &&
			strings.Contains(info, fmt.Sprintf("cluster_known_nodes:%d\r", clusterNodes))
	})
	if !ok {
		return fmt.Errorf("no agreement within %v: %v\n%s", adminWait, err, info)
	}
	return nil
}
