package reconcile

import (
	"cmp"
	"time"
)

// VerifyOptions tunes a verification. The zero value works.
type VerifyOptions struct {
	// Task is the id of the only task to verify. Default: all tasks.
	Task string

	// Repair repairs differences. It pushes no row that may be running, and no later row of its
	// key: see SweeperOptions.Quiet.
	Repair bool

	// LedgerOnly skips Redis, for a service that does not run.
	LedgerOnly bool

	// Recheck is the pause before a difference is checked again. Only a difference that remains
	// is reported. Default 500ms.
	Recheck time.Duration

	// OnDifference is called with each difference. Default: none.
	OnDifference func(Difference)

	// OnProgress is called with the report so far after each task and each page of a queue.
	// Default: none.
	OnProgress func(Report)

	// Now returns the time. Default time.Now.
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

// Difference is one disagreement between events, counts and Redis.
type Difference struct {
	Task string // id, or the name of a queue if the task is unknown
	What string // in words
	Done string // the repair; empty if none
}

// Report is the result of a verification.
type Report struct {
	Tasks       int64
	Events      int64
	Jobs        int64 // payloads in Redis
	Differences int64
	Repaired    int64
	NoRedis     bool // Redis was not compared: left out, or not fed from this ledger
}

// OK reports whether there is no difference, or every difference was repaired.
func (v Report) OK() bool { return v.Differences == v.Repaired }
