// Package queue is an ordered job queue on Redis.
//
// Payloads with equal keys run in order: the waiting payload with the lowest score comes first.
// Retries, crashes and changes of owner keep this order. While a payload waits for a retry, the
// other payloads of its key wait, too. Keys in different batches run in parallel.
//
// Delivery is at least once. If a node dies, another node takes over its keys in flight. It
// delivers them again, marked as redelivered, usually within a lease and a second. Handlers must
// therefore be idempotent. With Delivery.Token, the store of a handler can refuse a writer that has
// lost its shard.
//
//	Push ─▶ due ─▶ busy ─▶ (gone)               Done
//	         ▲       │
//	         ├───────┤ Retry: later, one more   Return: as it was
//	         │       └─▶ morgue                 Dead: retries are used up
//	         └── payloads pushed for the key during the run
//
// A queue is divided into shards by the CRC-32 of the key. Nodes lease whole shards, which are
// spread evenly by default. Every script that starts or ends work first checks the lease. All Redis
// keys of a shard share one hash tag. The package therefore works with a single Redis (6.2 or
// later), with Sentinel and with Cluster. Admin.Reshard changes the number of shards during
// operation.
//
// A caller with more jobs than Redis should hold sets Job.Limit. Push then refuses new jobs of a
// key while that many of its payloads wait. Client.Wanted returns the key once it has room again.
//
// A key that was in flight when its node died is a suspect: it starts alone in its batch. If
// Worker.MaxCrashes such starts also end with the death of a node, the oldest payload of the key
// goes to the morgue.
//
// The package depends on Redis only: it uses no tasks, no SQL and no HTTP. If Redis loses jobs,
// they are lost. A caller with its own database can push them again, marked as redelivered.
package queue
