package reconcile

import (
	"cmp"
	"time"
)

// VerifyOptions tunes a verification. The zero value works.
type VerifyOptions struct {
	// Task is the id of the only task to look at. Default: all.
	Task string

	// Repair mends what is found, but pushes no row that may be at work, and none of its key
	// behind it: see SweeperOptions.Quiet.
	Repair bool

	// LedgerOnly leaves out Redis, as where nothing runs.
	LedgerOnly bool

	// Recheck is how long to wait before a second look at what does not agree:
	// only what is still wrong then is told. Default 500ms.
	Recheck time.Duration

	// OnDifference gets each difference as it is found. Default: nothing.
	OnDifference func(Difference)

	// OnProgress gets what has been seen so far, behind each task and each page of
	// what Redis holds. Default: nothing.
	OnProgress func(Report)

	// Now tells the time. Default time.Now.
	Now func() time.Time
}

func (o VerifyOptions) withDefaults() VerifyOptions {
	o.Recheck = cmp.Or(o.Recheck, 500*time.Millisecond)
	if o.OnDifference == nil {
		o.OnDifference = func(Difference) {}
	}
	if o.OnProgress == nil {
		o.OnProgress = func(Report) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Difference is one thing in which events, counts and Redis do not agree.
type Difference struct {
	Task string // id, or the name of a queue where no task is known
	What string // in words
	Done string // what was done about it; empty: nothing
}

// Report is what a verification has seen.
type Report struct {
	Tasks       int64
	Events      int64
	Jobs        int64 // payloads in Redis
	Differences int64
	Repaired    int64
	NoRedis     bool // Redis was not looked at: left out, or not the one that was fed
}

// OK tells whether all is well, or is well by now.
func (v Report) OK() bool { return v.Differences == v.Repaired }
