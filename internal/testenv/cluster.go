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

// StartClusterNodes starts a Redis Cluster of three masters, which share all slots. A node that does
// not answer another node for two seconds counts as down.
func StartClusterNodes(t T) []*Server {
	t.Helper()
	var nodes []*Server
	for range clusterNodes {
		nodes = append(nodes, startClusterNode(t))
	}
	if err := joinCluster(nodes); err != nil {
		t.Fatalf("testenv: join the cluster: %v", err)
	}
	return nodes
}

func startClusterNode(t T) *Server {
	t.Helper()
	return StartRedis(t,
		append([]string{"--cluster-enabled", "yes", "--cluster-node-timeout", "2000"}, quickSync...)...)
}

// StartReplicatedCluster starts a cluster of three masters with one replica each. It returns the
// replicas in the order of their masters. A replica replaces its master if the master dies.
func StartReplicatedCluster(t T) (masters, replicas []*Server) {
	t.Helper()
	masters = StartClusterNodes(t)
	for range masters {
		replicas = append(replicas, startClusterNode(t))
	}
	ctx, cancel := context.WithTimeout(context.Background(), adminWait)
	defer cancel()
	for i := range replicas {
		if err := follow(ctx, masters[0], masters[i], replicas[i]); err != nil {
			t.Fatalf("testenv: add a replica to the cluster: %v", err)
		}
	}
	for _, node := range append(masters, replicas...) {
		if err := awaitAgreement(ctx, node, len(masters)+len(replicas)); err != nil {
			t.Fatalf("testenv: %v", err)
		}
	}
	return masters, replicas
}

// follow makes a node join a cluster, as the replica of a master. The argument `first` is any node of
// the cluster. follow waits until the replica has the data.
func follow(ctx context.Context, first, master, node *Server) error {
	rdb := redis.NewClient(&redis.Options{Addr: node.Addr()})
	defer rdb.Close()
	host, port, _ := strings.Cut(first.Addr(), ":")
	if err := rdb.ClusterMeet(ctx, host, port).Err(); err != nil {
		return err
	}
	boss := redis.NewClient(&redis.Options{Addr: master.Addr()})
	defer boss.Close()
	id, err := boss.Do(ctx, "cluster", "myid").Text()
	if err != nil {
		return err
	}
	Await(adminWait, func() bool { // until the node has found its master
		err = rdb.ClusterReplicate(ctx, id).Err()
		return err == nil
	})
	if err != nil {
		return err
	}
	var info string
	ok := Await(adminWait, func() bool {
		info, err = rdb.Info(ctx, "replication").Result()
		return err == nil && strings.Contains(info, "master_link_status:up")
	})
	if !ok {
		return fmt.Errorf("not in step within %v: %v\n%s", adminWait, err, info)
	}
	return nil
}

// joinCluster assigns the slots, connects the first node to the others, and waits until every node has
// found the whole cluster.
func joinCluster(nodes []*Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), adminWait)
	defer cancel()
	for i := range nodes {
		if err := joinOne(ctx, nodes, i); err != nil {
			return err
		}
	}
	for _, node := range nodes {
		if err := awaitAgreement(ctx, node, len(nodes)); err != nil {
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

// awaitAgreement waits until a node is connected to `all` nodes, and the cluster serves all hash slots.
func awaitAgreement(ctx context.Context, node *Server, all int) error {
	rdb := redis.NewClient(&redis.Options{Addr: node.Addr()})
	defer rdb.Close()
	var info string
	var err error
	ok := Await(adminWait, func() bool {
		info, err = rdb.ClusterInfo(ctx).Result()
		return err == nil && strings.Contains(info, "cluster_state:ok") &&
			strings.Contains(info, fmt.Sprintf("cluster_known_nodes:%d\r", all))
	})
	if !ok {
		return fmt.Errorf("no agreement within %v: %v\n%s", adminWait, err, info)
	}
	return nil
}
