package queue

import "hash/crc32"

// ShardInfo holds the properties of a shard for an Assigner or a Scheduler.
type ShardInfo struct {
	Queue  string
	Shard  int // from 0
	Shards int // shards of the queue
}

// first returns the index, below n, of the node that gets the first shard of a queue. It differs by
// queue, so that small queues do not all load the same node.
func (sh ShardInfo) first(n int) int {
	return int(crc32.ChecksumIEEE([]byte(sh.Queue)) % uint32(n))
}

// Assigner is a function that reports whether a shard belongs to the node `self`. The argument `nodes`
// lists the live nodes, sorted, with `self` and without draining nodes. If the assigners of two nodes
// disagree, a shard may stay unserved. The lease ensures that two nodes never serve a shard at once.
type Assigner func(sh ShardInfo, self string, nodes []string) bool

// Spread returns an Assigner that distributes the shards evenly over the live nodes.
func Spread() Assigner {
	return func(sh ShardInfo, self string, nodes []string) bool {
		return nodes[(sh.first(len(nodes))+sh.Shard)%len(nodes)] == self
	}
}

// ByNode returns an Assigner that assigns a fixed set of shards to each of n nodes. The argument
// `number` is the number of this node, from 0. While a node is stopped, its shards are not served.
// ByNode panics if the number is negative or not below n.
func ByNode(number, n int) Assigner {
	if number < 0 || number >= n {
		panic("queue: the number of a node must be from 0 to the number of nodes less 1")
	}
	return func(sh ShardInfo, _ string, _ []string) bool {
		return (sh.first(n)+sh.Shard)%n == number
	}
}
