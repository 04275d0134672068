package queue

import (
	"context"
	"math"
	"time"
)

// line is a queue of this node.
type line struct {
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
	line *line
	id   shardID
	keys *shardKeys

	tenure  *tenure          // nil while another node owns the shard
	zombies map[string]*unit // keys of past tenures whose handlers still run
	wanted  bool             // the shard is assigned to this node
	gone    bool             // the shard is not in the layout any more
	turner  *turner          // the one that serves the shard; never changes
}

// tenure is one term of ownership of a shard, and its state. Its fields are guarded by Server.mu
// unless they never change.
type tenure struct {
	shard  *shard
	token  int64
	lease  string // value of the lease key
	ctx    context.Context
	cancel context.CancelCauseFunc

	until    time.Time // the earliest time at which Redis may have ended the lease
	open     bool      // the keys in flight of the last owner were put back
	lost     bool
	draining bool

	held    map[string]*unit // fetched, and not yet settled in Redis
	ready   []*unit          // not started yet, in order
	parked  map[string]*unit // not startable until a zombie ends
	pending []*settlement    // ended, and not yet sent to Redis
	queued  bool             // in the round of ready tenures

	asking  bool      // a fetch is open
	nextDue int64     // run-at of the next key in unix ms; never = none
	pollAt  time.Time // when to fetch even if no key seems due
	failing int       // exchanges that failed in a row
	retryAt time.Time // no exchange before this time
	suspect bool      // Redis may hold keys in flight that this node does not hold
	largest int       // bytes of the largest payload of the last fetch
	seen    int64     // last delivery number so far; a lower one is a repetition
	last    int64     // last number at the last fetch; a lower one shows that Redis has lost writes
}

// never is the run-at of a key that does not exist.
const never = math.MaxInt64

// unit is one key in flight with its payloads.
type unit struct {
	tenure  *tenure
	key     string
	seq     int64
	list    []*Delivery
	fears   int // crashes, as in record
	started bool
}

// settlement is the end of one unit.
type settlement struct {
	unit *unit
	plan plan
}

func (sh *shard) newTenure(parent context.Context, token int64, lease string) *tenure {
	ctx, cancel := context.WithCancelCause(parent)
	return &tenure{
		shard: sh, token: token, lease: lease, ctx: ctx, cancel: cancel,
		held: make(map[string]*unit), parked: make(map[string]*unit),
	}
}

// cutBits is the position of the layout's number in a token. A key that has moved to another layout
// has a higher token than before.
const cutBits = 53

// maxCuts is how often a queue can be resharded.
const maxCuts = 1<<(63-cutBits) - 1

// fence returns the token of the tenure's deliveries.
func (ten *tenure) fence() int64 { return int64(ten.shard.id.Cut)<<cutBits | ten.token }

// newUnit makes the deliveries of a fetched record.
func (ten *tenure) newUnit(key string, rec record) *unit {
	u := &unit{tenure: ten, key: key, seq: rec.seq, fears: rec.fears}
	u.list = make([]*Delivery, len(rec.items))
	all := make([]Delivery, len(rec.items))
	for i, it := range rec.items {
		all[i] = Delivery{
			Key: key, Payload: []byte(it.payload), Score: it.score,
			RetryCount: -1, Redelivered: rec.again,
			RunAt: time.UnixMilli(rec.runAt), Token: ten.fence(), Seq: rec.seq,
		}
		u.list[i] = &all[i]
	}
	u.list[0].RetryCount = rec.retry
	return u
}

// meets records the size of the payloads of a unit.
func (ten *tenure) meets(u *unit) {
	for _, d := range u.list {
		ten.largest = max(ten.largest, len(d.Payload))
	}
}

// doubt marks a unit as redelivered, since Redis has lost an earlier delivery.
func (u *unit) doubt() {
	for _, d := range u.list {
		d.Redelivered++
	}
}

// putBack returns a settlement that puts a unit back unchanged.
func (u *unit) putBack() *settlement {
	for _, d := range u.list {
		d.outcome = Outcome{Kind: Return}
	}
	p := planOf(u.list, time.Time{})
	p.fears = u.fears
	return &settlement{unit: u, plan: p}
}
