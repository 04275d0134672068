package worker

import (
	"context"
	"encoding/json"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TaskDone is a task as it stood when a callback's occasion came. It may have
// been set running again since.
type TaskDone struct {
	// ID names the occasion: the same at every try, and another for each round
	// of the task. Keep it beside what the callback did, to do that once.
	ID string

	At      time.Time // when it came
	TaskID  string
	Tenant  string
	Kind    string
	Name    string
	Round   int // from 1; each resubmission of a done task begins another
	Status  tasks.Status
	Outcome string // success, partial, failure or canceled; empty until done
	Counts  Counts
	Labels  map[string]string

	// Causes are why rows of it are bad when the callback is called, the most frequent
	// first.
	Causes []Cause

	// First is the first bad row of the file then; nil if no row is bad.
	First *DeadJob
}

// Cause is why some rows of a task are bad.
type Cause struct {
	Status   events.Status // failed or error
	Code     string
	Column   string // empty if it is about the row as a whole
	Err      string // type and text of the first system fault of them; empty: a business failure
	Count    int64
	FirstRow int // of the file
}

// DeadJob is a job that ended as error: its retries are exhausted. As TaskDone.First it
// may have ended as failed.
type DeadJob struct {
	EventID string // "<task id>.<seq>"
	TaskID  string
	Tenant  string
	Kind    string
	Key     string // ordering key; empty if it has none
	Row     int    // as the person sees it in the file
	Attempt int    // how many were made
	Params  json.RawMessage
	Code    string
	Message string // for a person; of a system fault it says no more than that there was one

	// Of the system fault that ended it; empty for a business failure and for a job
	// that ended without an error, such as a crash.
	Err     string // text of the error that the handler returned last
	ErrType string // Go type of its cause; "error" for a plain text, "panic" for a panic
	Stack   string // of a panic
}

// OnDone has f told of each task of the kind that is done: once per round,
// after the commit that ended it, beside the jobs and never in their
// goroutines. An error or a panic is tried again, 8 times over about three
// days; the deliveries of the task show each try. f has a minute. A process
// that dies after f and before that is noted has f called again, with the same
// TaskDone.ID.
func OnDone(f func(ctx context.Context, t TaskDone) error) Option {
	return func(k *Kind) { k.OnDone = f }
}

// OnFirstFailure has f told of the first job of a task that ends as failed or
// error, in each round, while the others go on. What holds for OnDone holds
// for it.
func OnFirstFailure(f func(ctx context.Context, t TaskDone) error) Option {
	return func(k *Kind) { k.OnFirstFailure = f }
}

// OnExhausted has f told of jobs that will not be retried any more, in groups
// of up to 100 of one task, after the commit that recorded it. Jobs that were
// repaired before f is called are left out. A panic is tried again, as with
// OnDone; tell a repeat by the job's EventID and Attempt.
func OnExhausted(f func(ctx context.Context, dead []DeadJob)) Option {
	return func(k *Kind) { k.OnExhausted = f }
}
