// Package queue is an ordered job queue on Redis.
//
// Payloads with equal keys run one after another, lowest score first, never
// side by side, across retries, crashes and changes of owner: a key waits for
// its own retry. Different keys run in parallel and a slow key delays no other.
//
// Delivery is at least once. A key in flight whose node dies is delivered
// again, marked as redelivered, within a lease and a second. Handlers must
// therefore be idempotent; Delivery.Token lets their own stores refuse a writer
// that has lost its shard.
//
//	Push ─▶ due ─▶ busy ─▶ (gone)               Done
//	         ▲       │
//	         ├───────┤ Retry: later, one more   Return: as it was
//	         │       └─▶ morgue                 Dead: retries are used up
//	         └── what was pushed for the key meanwhile
//
// A queue is cut into shards by the CRC-32 of the key. Nodes lease whole shards
// and spread them evenly; every script that takes or ends work checks the lease
// first. All Redis keys of a shard share one hash tag, so the package works
// on a single Redis (6.2 or later), behind Sentinel and on Cluster. Admin.Reshard
// changes the number of shards while all goes on.
//
// A caller with more jobs than Redis should hold sets Job.Limit: a key with that many
// payloads waiting refuses more, and Client.Wanted returns it once it has room again.
//
// A key in flight when its node died is a suspect: it starts alone, and after
// Worker.MaxCrashes such starts that end with the node its oldest payload goes
// to the morgue.
//
// The package knows Redis and nothing else: no task, no SQL, no HTTP. What Redis
// loses is lost here too; whoever keeps a ledger pushes it again and marks such
// jobs as redelivered.
package queue
