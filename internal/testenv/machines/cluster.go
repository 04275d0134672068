//go:build linux

package machines

import (
	"fmt"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

const (
	redisPort    = "6379"
	clusterNodes = 6
	askWait      = 5 * time.Second // for one query to a server
)

// Cluster is a Redis Cluster of three masters, each with a replica, on six machines. A master that
// is silent for two seconds is replaced by its replica.
type Cluster struct {
	n     *Network
	nodes []*node
}

type node struct {
	addr string
	proc *testenv.Process
}

// StartCluster starts a cluster. It returns when all nodes have found the whole cluster, and the replicas
// have its data.
func (n *Network) StartCluster() *Cluster {
	n.t.Helper()
	c := &Cluster{n: n}
	path := n.program("redis-server")
	for range clusterNodes {
		m := n.Machine()
		proc := m.Start(path, nil, "--bind", m.IP, "--port", redisPort, "--protected-mode", "no",
			"--save", "", "--repl-diskless-sync-delay", "0",
			"--cluster-enabled", "yes", "--cluster-node-timeout", "2000")
		c.nodes = append(c.nodes, &node{m.IP + ":" + redisPort, proc})
	}
	for _, one := range c.nodes {
		until(n.t, "Redis at "+one.addr, func() bool { return one.info("server") != "" }, one.proc)
	}
	n.run("redis-cli", append(append([]string{"--cluster", "create"}, c.Addrs()...),
		"--cluster-replicas", "1", "--cluster-yes")...)
	until(n.t, "cluster in step", c.inStep)
	return c
}

// Addrs returns the addresses of all nodes.
func (c *Cluster) Addrs() (list []string) {
	for _, one := range c.nodes {
		list = append(list, one.addr)
	}
	return list
}

// URL returns the address of the cluster, in the form of REDIS_URL.
func (c *Cluster) URL() string { return "redis://" + strings.Join(c.Addrs(), ",") }

// KillBusiest kills the master with the most keys. The master does not start again.
func (c *Cluster) KillBusiest() {
	c.n.t.Helper()
	var busiest *node
	most := int64(0)
	for _, one := range c.nodes {
		if keys := one.keys(); one.isMaster() && keys > most {
			busiest, most = one, keys
		}
	}
	if busiest == nil {
		c.n.t.Fatalf("machines: no master of the cluster has keys")
		return
	}
	busiest.proc.Kill()
}

// inStep reports whether all nodes have found the whole cluster, and the replicas have its data.
func (c *Cluster) inStep() bool {
	replicas := 0
	for _, one := range c.nodes {
		info := one.info("replication")
		if strings.Contains(info, "role:slave") {
			if !strings.Contains(info, "master_link_status:up") {
				return false
			}
			replicas++
		}
		if state := one.state(); !strings.Contains(state, "cluster_state:ok") ||
			!strings.Contains(state, fmt.Sprintf("cluster_known_nodes:%d\r", clusterNodes)) {
			return false
		}
	}
	return replicas == clusterNodes/2
}
