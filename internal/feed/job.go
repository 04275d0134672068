package feed

import (
	"cmp"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/pending"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// AskFirst returns a mark for a job that the worker must check in the ledger before it runs the job. The
// mark belongs to the same Redis as the argument `mark`, but differs from all marks of
// generation.markFor. Unlike queue.Job.Redelivered, the mark is part of the payload, so it cannot get
// lost.
func AskFirst(mark string) string { return redisOf(mark) + ".late" }

// JobOf returns the job of a row. A row that waits for a retry keeps the time of the retry, unless its
// task is being canceled. The caller sets the field Redelivered of the job for a row that may have been
// pushed before.
func JobOf(feed lanes.Feed, mark string, e *events.Event) queue.Job {
	payload := jobs.Envelope{
		Event: e.ID, TaskID: feed.TaskID, Tenant: feed.Tenant, Mark: mark, Row: e.Row,
		Attempt: e.Attempt, Params: []byte(e.Params),
	}.Pack()
	job := queue.Job{
		Queue: feed.Kind, Key: QueueKey(feed.Tenant, e.Key, e.ID, feed.TaskID), Payload: payload, Score: float64(e.ID),
	}
	if e.Attempt > 0 && e.NextRunAt != nil && feed.Status != tasks.Canceling {
		job.RunAt = time.UnixMilli(*e.NextRunAt)
	}
	return job
}

// QueueKey returns the key of a row in the queue. A row without a key gets a key of its own. Keys of
// different tenants never collide.
func QueueKey(tenant, key string, id events.ID, taskID string) string {
	return tenant + "/" + cmp.Or(key, id.JobID(taskID))
}

// meanBytes returns the approximate mean size of a row in Redis, in bytes, or 0 without rows.
func meanBytes(rows []pending.Row) int64 {
	n := int64(0)
	for i := range rows {
		n += int64(len(rows[i].Params)+len(rows[i].Key)) + rowOverhead
	}
	return n / int64(max(len(rows), 1))
}

// rowOverhead is the size in bytes of a job in Redis without its key and params. It covers the other
// fields of the payload, and the overhead of the queue.
const rowOverhead = 350
