package queue

import (
	"context"
	"math"
	"time"
)

// line is a queue as this node works it.
type line struct {
	Worker
	handle Handler // Worker.Handle, guarded against panics

	// Guarded by Server.mu.
	layout layout
	shards []*shard          // of all cuts that have keys, the older first
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
	gone    bool             // the shard has no place in the layout any more
	turner  *turner          // the one that talks to Redis about the shard; never changes
}

// tenure is one term of ownership, with all that ends with it. Its fields are
// guarded by Server.mu unless they never change.
type tenure struct {
	shard  *shard
	token  int64
	lease  string // value of the lease key
	ctx    context.Context
	cancel context.CancelCauseFunc

	until    time.Time // when Redis may have given the lease away, at the earliest
	open     bool      // what the owner before left in flight is put back
	lost     bool
	draining bool

	held    map[string]*unit // fetched, and the end not confirmed by Redis
	ready   []*unit          // not started yet, in order
	parked  map[string]*unit // not startable until a zombie ends
	pending []*settlement    // ended, to be told to Redis
	queued  bool             // in the round of ready tenures

	asking  bool      // a fetch is under way
	nextDue int64     // run-at of the next key in unix ms; never = none
	pollAt  time.Time // when to look even if nothing seems due
	failing int       // exchanges that failed in a row
	retryAt time.Time // no exchange before
	suspect bool      // Redis may hold keys in flight that this node never got
	largest int       // bytes of the largest payload of the last fetch
	seen    int64     // delivery numbers so far; one of them again comes from the past
	last    int64     // of the last fetch; a lower one shows that Redis has lost writes
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

// cutBits is where the number of the cut stands in a token: a key that has moved
// to another cut has a higher token than it ever had before.
const cutBits = 53

// maxCuts is how often a queue can be cut anew.
const maxCuts = 1<<(63-cutBits) - 1

// fence is the token that deliveries carry.
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

// meets notes the size of the payloads of a unit.
func (ten *tenure) meets(u *unit) {
	for _, d := range u.list {
		ten.largest = max(ten.largest, len(d.Payload))
	}
}

// doubt marks a unit that Redis delivers as if it had forgotten an earlier delivery.
func (u *unit) doubt() {
	for _, d := range u.list {
		d.Redelivered++
	}
}

// putBack is the plan that returns a unit as it was.
func (u *unit) putBack() *settlement {
	for _, d := range u.list {
		d.outcome = Outcome{Kind: Return}
	}
	p := planOf(u.list, time.Time{})
	p.fears = u.fears
	return &settlement{unit: u, plan: p}
}
