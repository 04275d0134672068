package middleware

import (
	"time"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/queue"
)

// FinishedRun is one ended run of a job.
type FinishedRun struct {
	Call *jobs.Call

	// Outcome is finish, failed, retry, error, snooze, interrupted or lost. It is lost if the
	// process lost the lease of the job's shard, so that the outcome was not recorded.
	Outcome string

	// Code is the code of a failure, jobs.CodeSystem for a system fault that is not retried, or "".
	Code string

	// Fault is the text of a system fault, or "".
	Fault string

	// Wait is how long the job waited for a worker before its handler was called: the time from
	// QueuedAt to StartedAt of the event. It is negative if the job had to wait for another job of
	// its key.
	Wait time.Duration

	// Began is the time at which the handler was called, and Took the duration of the call.
	Began time.Time
	Took  time.Duration
}

// finishedRun returns the description of an ended run.
func (x *run) finishedRun(outcome, code string) FinishedRun {
	r := FinishedRun{
		Call: x.call, Outcome: outcome, Code: code, Fault: x.text,
		Began: x.begun, Took: x.took, Wait: -1,
	}
	if !x.behind {
		r.Wait = x.begun.Sub(x.due())
	}
	return r
}

// outcomeName returns the name and the code of a run's outcome, for FinishedRun.
func (x *run) outcomeName() (name, code string) {
	switch x.outcome.Kind {
	case jobs.Failed:
		return "failed", x.outcome.Failure.Code
	case jobs.Finish, jobs.Later, jobs.Interrupted:
		return string(x.outcome.Kind), ""
	}
	if x.next.Kind == queue.Retry {
		return "retry", ""
	}
	return "error", jobs.CodeSystem
}
