package worker

import (
	"context"
	"encoding/json"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TaskDone is a task as of the time At, for OnDone or OnFirstFailure.
type TaskDone struct {
	ID                         string    // id of the notification: the same for every retry, another for each round
	At                         time.Time // when the task ended or the row failed
	TaskID, Tenant, Kind, Name string
	Round                      int // from 1; each resubmission starts another
	Status                     tasks.Status
	Outcome                    string // success, partial, failure or canceled; empty until done
	Counts                     Counts
	Labels                     map[string]string
	Causes                     []Cause  // causes of failed rows and rows in error at the time of the call, the most frequent first
	First                      *DeadJob // the first row of the file that is failed or in error; nil for none
}

// Cause is a group of failed rows, or rows in error, with the same reason.
type Cause struct {
	Status   events.Status // failed or error
	Code     string
	Column   string // empty if it concerns the row as a whole
	Err      string // type and text of the first system fault of the rows; empty for a business failure
	Count    int64
	FirstRow int // row of the file
}

// DeadJob is a job in error or, in TaskDone.First, a failed job.
type DeadJob struct {
	EventID              string // "<task id>.<seq>"
	TaskID, Tenant, Kind string
	Key                  string // ordering key; empty if it has none
	Row                  int    // row number in the file, as people see it
	Attempt              int    // number of attempts
	Params               json.RawMessage
	Code, Message        string // for people; for a system fault, Message names no cause
	Err, ErrType, Stack  string // of its system fault: text, Go type or "panic", stack of a panic
}

// withDone adapts a callback for done tasks to the service's types.
func withDone(f func(context.Context, TaskDone) error) func(context.Context, jobs.TaskDone) error {
	if f == nil {
		return nil
	}
	return func(ctx context.Context, t jobs.TaskDone) error {
		done := TaskDone{
			ID: t.ID, At: t.At, TaskID: t.TaskID, Tenant: t.Tenant, Kind: t.Kind, Name: t.Name, Round: t.Round,
			Status: t.Status, Outcome: t.Outcome, Counts: t.Counts, Labels: t.Labels, First: (*DeadJob)(t.First),
		}
		for _, c := range t.Causes {
			done.Causes = append(done.Causes, Cause(c))
		}
		return f(ctx, done)
	}
}

// withDead adapts a callback for dead jobs to the service's types.
func withDead(f func(context.Context, []DeadJob)) func(context.Context, []jobs.DeadJob) {
	if f == nil {
		return nil
	}
	return func(ctx context.Context, list []jobs.DeadJob) {
		dead := make([]DeadJob, len(list))
		for i, d := range list {
			dead[i] = DeadJob(d)
		}
		f(ctx, dead)
	}
}
