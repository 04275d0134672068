package queue

import "hash/crc32"

// ShardInfo names a shard to a Splitter or a Scheduler.
type ShardInfo struct {
	Queue  string
	Shard  int // from 0
	Shards int // how many the queue has
}

// first is where a queue begins to deal its shards out, so that queues of few
// shards do not all burden the same node.
func (sh ShardInfo) first(n int) int {
	return int(crc32.ChecksumIEEE([]byte(sh.Queue)) % uint32(n))
}

// Splitter tells whether a shard is the share of the node self. Nodes holds the
// living nodes in order, self among them, without those that drain. Splitters of
// different nodes that disagree cost work left undone, never work done twice:
// the lease decides.
type Splitter func(sh ShardInfo, self string, nodes []string) bool

// Spread deals the shards out evenly to whoever lives.
func Spread() Splitter {
	return func(sh ShardInfo, self string, nodes []string) bool {
		return nodes[(sh.first(len(nodes))+sh.Shard)%len(nodes)] == self
	}
}

// ByNode gives node number of n its fixed shards and no others: what a node that
// is gone had waits until it is back. It panics unless 0 <= number < n.
func ByNode(number, n int) Splitter {
	if number < 0 || number >= n {
		panic("queue: the number of a node is not below the number of nodes")
	}
	return func(sh ShardInfo, _ string, _ []string) bool {
		return (sh.first(n)+sh.Shard)%n == number
	}
}
