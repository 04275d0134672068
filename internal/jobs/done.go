package jobs

import (
	"encoding/json"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TaskDone is the state of a task at the time of the notification for a callback. The task may have started
// to run again since.
type TaskDone struct {
	// ID identifies the notification. It is the same for every retry, and differs for each round of
	// the task. A callback that stores it can act once per notification.
	ID string

	At      time.Time // when the task ended or the row failed
	TaskID  string
	Tenant  string
	Kind    string
	Name    string
	Round   int // from 1; each resubmission starts another
	Status  tasks.Status
	Outcome string // success, partial, failure or canceled; empty until done
	Counts  tasks.Counts
	Labels  map[string]string

	// Causes are the reasons why rows of the task are failed or in error when the callback is called, the
	// most frequent first.
	Causes []Cause

	// First is the first row of the file that is failed or in error when the callback is called; nil if
	// there is none.
	First *DeadJob
}

// Cause is a reason why some rows of a task are failed or in error.
type Cause struct {
	Status   events.Status // failed or error
	Code     string
	Column   string // empty if it concerns the row as a whole
	Err      string // type and text of their first system fault; empty for a business failure
	Count    int64
	FirstRow int // row of the file
}

// DeadJob is a job that ended in error, without retries left. In TaskDone.First, it may also be a job
// with a business failure.
type DeadJob struct {
	EventID string // "<task id>.<seq>"
	TaskID  string
	Tenant  string
	Kind    string
	Key     string // ordering key; empty if it has none
	Row     int    // row number in the file
	Attempt int    // number of attempts
	Params  json.RawMessage
	Code    string
	Message string // text for users; for a system fault it does not contain the cause

	// The next fields describe the system fault that ended the job. They are empty for a business
	// failure, and for a job that ended without an error, for example by a crash.
	Err     string // text of the error that the handler returned last
	ErrType string // Go type of its cause; "error" for a plain text, "panic" for a panic
	Stack   string // stack of a panic
}
