// Package queue is an ordered job queue on Redis.
//
// Payloads with equal keys run one after another, lowest score first, across retries, crashes and
// changes of owner. A key waits for its own retry. Different keys run in parallel, and a slow key does
// not delay others.
//
// Delivery is at least once. A key in flight whose node dies is delivered again, marked as
// redelivered, within a lease and a second. Handlers must therefore be idempotent. With
// Delivery.Token, the store of a handler can refuse a writer that has lost its shard.
//
//	Push ─▶ due ─▶ busy ─▶ (gone)               Done
//	         ▲       │
//	         ├───────┤ Retry: later, one more   Return: as it was
//	         │       └─▶ morgue                 Dead: retries are used up
//	         └── payloads pushed for the key during the run
//
// A queue is divided into shards by the CRC-32 of the key. Nodes lease whole shards and spread them
// evenly. Every script that starts or ends work first checks the lease. All Redis keys of a shard
// share one hash tag. The package therefore works with a single Redis (6.2 or later), with Sentinel
// and with Cluster. Admin.Reshard changes the number of shards during operation.
//
// A caller with more jobs than Redis should hold sets Job.Limit. Push refuses jobs of a key with
// that many waiting payloads. Client.Wanted returns the key once it has room again.
//
// A key that was in flight when its node died is a suspect: it starts alone in its batch. If
// Worker.MaxCrashes such starts also end with the death of a node, the oldest payload of the key
// goes to the morgue.
//
// The package depends on Redis only: it uses no tasks, no SQL and no HTTP. If Redis loses jobs,
// they are lost. A caller with its own database pushes them again, marked as redelivered.
package queue
