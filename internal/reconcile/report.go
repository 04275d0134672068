package reconcile

import (
	"cmp"
	"time"
)

// VerifyOptions holds the settings of a Verifier. The zero value is valid.
type VerifyOptions struct {
	// Task is the id of the only task to verify. Default: all tasks.
	Task string

	// Repair repairs differences, except gaps in the rows of a task. It pushes no job of an unregistered
	// kind. It also leaves out a row that counts as running, and later rows of its key. A row counts as
	// running for two minutes after its start, or for the timeout of its kind if that is longer.
	Repair bool

	// LedgerOnly leaves Redis out, for a service that is stopped.
	LedgerOnly bool

	// Recheck is the pause before a second check of the counts of a task, and between checks of the
	// generation mark of Redis. A difference of counts that has disappeared is not reported. Default 500ms.
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

// Difference is a disagreement between events, counts and Redis.
type Difference struct {
	Task string // id of the task, or the name of a queue if the task is unknown
	What string // description of the difference
	Done string // the repair; empty if none
}

// Report is the result of a verification.
type Report struct {
	Tasks       int64
	Events      int64
	Jobs        int64 // payloads in Redis, except those of untracked kinds
	Differences int64
	Repaired    int64
	NoRedis     bool // Redis was not compared, because it was left out or lacks the generation mark of the ledger
}

// OK reports whether every difference was repaired. Without differences it returns true.
func (v Report) OK() bool { return v.Differences == v.Repaired }
