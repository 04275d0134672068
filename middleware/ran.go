package middleware

import (
	"time"

	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/worker"
)

// Ran tells of one run of a handler for one job that has ended, before its
// outcome is committed.
type Ran struct {
	Call *worker.Call

	// Outcome is finish, failed, retry, error, snooze, interrupted, or lost for
	// a job whose lease passed to another node: what it did is not recorded.
	Outcome string

	// Code is that of a failure; of a fault that will not be tried again SYSTEM.
	Code string

	// Fault is the text of a system fault; empty if there was none.
	Fault string

	// Wait is how long the job was due before its handler was called, as from the
	// event's QueuedAt to its StartedAt; negative if it came behind another of its
	// key, which it had to wait for.
	Wait time.Duration

	// Began is when the handler was called, Took how long it ran.
	Began time.Time
	Took  time.Duration
}

// ran tells how a run has ended.
func (x *run) ran(outcome, code string) Ran {
	r := Ran{
		Call: x.call, Outcome: outcome, Code: code, Fault: x.text,
		Began: x.begun, Took: x.took, Wait: -1,
	}
	if !x.behind {
		r.Wait = x.begun.Sub(x.due())
	}
	return r
}

// outcome names what becomes of a run, and its code.
func (x *run) outcome() (name, code string) {
	switch x.verdict.Kind {
	case worker.Failed:
		return "failed", x.verdict.Failure.Code
	case worker.Finish, worker.Later, worker.Interrupted:
		return string(x.verdict.Kind), ""
	}
	if x.next.Kind == queue.Retry {
		return "retry", ""
	}
	return "error", worker.CodeSystem
}
