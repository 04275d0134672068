package queue

import (
	"context"
	"math"
	"time"
)

// localQueue is a queue of this node.
type localQueue struct {
	Worker
	handle Handler // Worker.Handle, guarded against panics

	// Guarded by Server.mu.
	layout layout
	shards []*shard          // of all layouts that have keys, the older first
	byName map[string]*shard // the same by shardID.name
}

// shard is one slice of a queue, owned by this node or not. All fields below
// keys are guarded by Server.mu.
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

// ownedShard is a shard while this node holds its lease. Its fields are guarded by Server.mu
// unless they never change.
type ownedShard struct {
	shard  *shard
	token  int64
	lease  string // value of the lease key
	ctx    context.Context
	cancel context.CancelCauseFunc

	until    time.Time // the earliest time at which Redis may have ended the lease
	open     bool      // the keys in flight of the last owner were put back
	lost     bool
	draining bool

	held    map[string]*inflightKey // fetched, and not yet settled in Redis
	ready   []*inflightKey          // not started yet, in order
	parked  map[string]*inflightKey // not startable until a zombie ends
	pending []*settlement           // ended, and not yet sent to Redis
	queued  bool                    // in the round of ready owned shards

	asking  bool      // a fetch is open
	nextDue int64     // run-at of the next key in unix ms; never = none
	pollAt  time.Time // when to fetch even if no key seems due
	failing int       // round trips that failed in a row
	retryAt time.Time // no round trip before this time
	suspect bool      // Redis may hold keys in flight that this node does not hold
	largest int       // bytes of the largest payload of the last fetch
	seen    int64     // last delivery number so far; a lower one is a repetition
	last    int64     // last number at the last fetch; a lower one shows that Redis has lost writes
}

// never is the run-at of a key that does not exist.
const never = math.MaxInt64

// inflightKey is one key in flight with its payloads.
type inflightKey struct {
	owned   *ownedShard
	key     string
	seq     int64
	list    []*Delivery
	crashes int // crashes, as in record
	started bool
}

// settlement is the end of one key in flight.
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

// generationBits is the position of the layout's number in a token. A key that moves to another layout
// thereby gets a higher token.
const generationBits = 53

// maxGenerations is how often a queue can be resharded.
const maxGenerations = 1<<(63-generationBits) - 1

// fence returns the token of the owned shard's deliveries.
func (own *ownedShard) fence() int64 {
	return int64(own.shard.id.Generation)<<generationBits | own.token
}

// newInflightKey makes the deliveries of a fetched record.
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

// meets records the size of the payloads of a key in flight.
func (own *ownedShard) meets(u *inflightKey) {
	for _, d := range u.list {
		own.largest = max(own.largest, len(d.Payload))
	}
}

// doubt marks a key in flight as redelivered, since Redis has lost an earlier delivery.
func (u *inflightKey) doubt() {
	for _, d := range u.list {
		d.Redelivered++
	}
}

// putBack returns a settlement that puts a key in flight back unchanged.
func (u *inflightKey) putBack() *settlement {
	for _, d := range u.list {
		d.outcome = Outcome{Kind: Return}
	}
	p := planOf(u.list, time.Time{})
	p.crashes = u.crashes
	return &settlement{unit: u, plan: p}
}
