package queue

import (
	"context"
	"math"
	"time"
)

// localQueue is a queue for which this node has a worker.
type localQueue struct {
	Worker
	handle Handler // Worker.Handle, guarded against panics

	// Guarded by Server.mu.
	layout layout
	shards []*shard          // of all layouts that have keys, the older first
	byName map[string]*shard // the same by shardID.name
}

// shard is one shard of a local queue, whether or not this node owns it. Server.mu guards the field
// `owned` and the fields after it.
type shard struct {
	localQueue *localQueue
	id         shardID
	keys       *shardKeys

	owned   *ownedShard             // nil while another node owns the shard
	zombies map[string]*inflightKey // keys of past owned shards whose handlers still run
	wanted  bool                    // the shard is assigned to this node
	gone    bool                    // the shard is not in the layout any more
	poller  *poller                 // serves the shard; never changes
}

// ownedShard is the state of a shard while this node holds its lease. Server.mu guards the fields
// that change.
type ownedShard struct {
	shard  *shard
	token  int64
	lease  string // value of the lease key
	ctx    context.Context
	cancel context.CancelCauseFunc

	until    time.Time // time until which the node may use the lease
	open     bool      // the keys in flight of the last owner were put back
	lost     bool
	draining bool

	held    map[string]*inflightKey // fetched, and not yet settled in Redis
	ready   []*inflightKey          // not started yet, in order
	parked  map[string]*inflightKey // not startable until a zombie ends
	pending []*settlement           // ended, and not yet sent to Redis
	queued  bool                    // listed in Server.withReady

	fetching   bool      // a fetch has no reply yet
	nextDue    int64     // run-at of the next key in unix ms; never = none
	pollAt     time.Time // when to fetch even if no key seems due
	failing    int       // consecutive round trips that failed
	retryAt    time.Time // no round trip before this time
	mayReclaim bool      // Redis may have keys in flight that are not in flight on this node
	largest    int       // bytes of the largest payload of the last fetch
	seen       int64     // highest delivery number received; one at or below it is a repetition
	last       int64     // delivery number in Redis after the last fetch; a lower one shows that Redis has lost writes
}

// never is the run-at of a shard without waiting keys.
const never = math.MaxInt64

// inflightKey is one key in flight, with its fetched payloads.
type inflightKey struct {
	owned   *ownedShard
	key     string
	seq     int64
	list    []*Delivery
	crashes int // as in record.crashes
	started bool
}

// settlement is the change in Redis that stores the outcomes of one key in flight.
type settlement struct {
	unit *inflightKey
	plan plan
}

func (sh *shard) newOwnedShard(parent context.Context, token int64, lease string) *ownedShard {
	ctx, cancel := context.WithCancelCause(parent)
	return &ownedShard{
		shard: sh, token: token, lease: lease, ctx: ctx, cancel: cancel,
		held: make(map[string]*inflightKey), parked: make(map[string]*inflightKey),
	}
}

// tokenBits is the number of low bits in Delivery.Token that hold the token of the shard. The
// bits above hold the number of the layout, so a key that moves to a newer layout gets a higher
// token.
const tokenBits = 53

// maxGenerations is how often a queue can be resharded.
const maxGenerations = 1<<(63-tokenBits) - 1

// fence returns the token for deliveries of the owned shard. Each new layout of the queue, and each
// change of the shard's owner, raises the token.
func (own *ownedShard) fence() int64 {
	return int64(own.shard.id.Generation)<<tokenBits | own.token
}

// newInflightKey returns a fetched record as a key in flight, with one delivery for each payload.
func (own *ownedShard) newInflightKey(key string, rec record) *inflightKey {
	u := &inflightKey{owned: own, key: key, seq: rec.seq, crashes: rec.crashes}
	u.list = make([]*Delivery, len(rec.items))
	all := make([]Delivery, len(rec.items))
	for i, it := range rec.items {
		all[i] = Delivery{
			Key: key, Payload: []byte(it.payload), Score: it.score,
			RetryCount: -1, Redelivered: rec.redeliveries,
			RunAt: time.UnixMilli(rec.runAt), Token: own.fence(), Seq: rec.seq,
		}
		u.list[i] = &all[i]
	}
	u.list[0].RetryCount = rec.retry
	return u
}

// noteSize raises own.largest to the size of the largest payload of a key in flight.
func (own *ownedShard) noteSize(u *inflightKey) {
	for _, d := range u.list {
		own.largest = max(own.largest, len(d.Payload))
	}
}

// doubt marks the payloads of a key as redelivered, since Redis may have lost a delivery in which they
// ran.
func (u *inflightKey) doubt() {
	for _, d := range u.list {
		d.Redelivered++
	}
}

// putBack makes a settlement that moves a key in flight back to the queue, unchanged.
func (u *inflightKey) putBack() *settlement {
	for _, d := range u.list {
		d.outcome = Outcome{Kind: Return}
	}
	p := planOf(u.list, time.Time{})
	p.crashes = u.crashes
	return &settlement{unit: u, plan: p}
}
