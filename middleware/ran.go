package middleware

import (
	"time"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/queue"
)

// Ran describes one ended run of a handler for one job, before its outcome is committed.
type Ran struct {
	Call *jobs.Call

	// Outcome is finish, failed, retry, error, snooze or interrupted, or lost for a job whose lease
	// passed to another node: its outcome is not recorded.
	Outcome string

	// Code is the code of a failure, or SYSTEM for a fault without another retry.
	Code string

	// Fault is the text of a system fault; empty if there is none.
	Fault string

	// Wait is how long the job was due before its handler was called, from the event's QueuedAt to
	// its StartedAt. It is negative if the job had to wait for another job of its key.
	Wait time.Duration

	// Began is the time when the handler was called, Took the duration of the call.
	Began time.Time
	Took  time.Duration
}

// ran returns the description of an ended run.
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

// outcome returns the name of a run's outcome, and its code.
func (x *run) outcome() (name, code string) {
	switch x.verdict.Kind {
	case jobs.Failed:
		return "failed", x.verdict.Failure.Code
	case jobs.Finish, jobs.Later, jobs.Interrupted:
		return string(x.verdict.Kind), ""
	}
	if x.next.Kind == queue.Retry {
		return "retry", ""
	}
	return "error", jobs.CodeSystem
}
