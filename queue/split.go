package queue

import "hash/crc32"

// ShardInfo describes a shard to a Splitter or a Scheduler.
type ShardInfo struct {
	Queue  string
	Shard  int // from 0
	Shards int // shards of the queue
}

// first returns the node that gets the first shard of a queue, so that small queues do not all load
// the same node.
func (sh ShardInfo) first(n int) int {
	return int(crc32.ChecksumIEEE([]byte(sh.Queue)) % uint32(n))
}

// Splitter reports whether a shard belongs to the node self. Nodes holds the live nodes in order,
// with self and without draining ones. If the splitters of nodes disagree, shards may stay
// unserved, but the lease prevents double work.
type Splitter func(sh ShardInfo, self string, nodes []string) bool

// Spread distributes the shards evenly over the live nodes.
func Spread() Splitter {
	return func(sh ShardInfo, self string, nodes []string) bool {
		return nodes[(sh.first(len(nodes))+sh.Shard)%len(nodes)] == self
	}
}

// ByNode gives node number of n a fixed set of shards. While a node is stopped, its shards are not
// served. ByNode panics unless 0 <= number < n.
func ByNode(number, n int) Splitter {
	if number < 0 || number >= n {
		panic("queue: the number of a node is not below the number of nodes")
	}
	return func(sh ShardInfo, _ string, _ []string) bool {
		return (sh.first(n)+sh.Shard)%n == number
	}
}
