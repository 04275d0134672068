package middleware

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/queue"
)

// run is one run of one job, from its start to the commit. The goroutine that runs the job owns the
// fields before workingNoted, except `by`, until Recorder.end. The loop of the recorder owns the other
// fields.
type run struct {
	id        events.ID
	row       int
	begun     time.Time
	from      events.Status // status of the event in the ledger
	unordered bool          // an older row of the key may run after a newer row has finished
	versioned bool          // rows of the kind have versions
	stops     bool          // the job must not run if an older row of its key has status Error
	pooled    bool          // the job waits in the pool of its kind, and no other row of its key can stop it
	doubted   bool          // an earlier process may have run the job without an outcome
	attempt   int           // attempts started before this one
	spared    int           // attempts that do not count as retries; set after a check in the ledger
	delivery  *queue.Delivery
	outcome   jobs.Outcome
	next      queue.Outcome // the outcome for the queue
	call      *jobs.Call
	who       events.Runner
	by        int32  // number of the process in the ledger; set by the recorder's loop
	task      string // id of its task
	text      string // text of the fault
	fault     string // type of the fault
	stack     string
	took      time.Duration // duration of the handler call
	behind    bool          // the job waited for another job of its key
	newer     *run          // the run of the same call that supersedes this one
	returned  bool          // another job of the call makes it run again
	since     events.Point  // state of the ledger when the job was fetched
	ended     time.Time
	rec       *Recorder
	over      <-chan struct{} // closed when the handler's context ends
	kept      atomic.Bool     // the run has used a checkpoint
	done      func()          // releases the batch; called once for each of its runs

	tx     ledger.Tx       // for a kind of worker.DefineTx
	permit *queue.Permit   // for a kind with limits
	newest *queue.Delivery // with Latest: the newest job of the call, if it is another one

	workingNoted bool          // the event is written as working, by this run
	announced    chan struct{} // closed when the announcement was made or given up; nil without an announcement
	wrote        events.Move   // the last move sent to the ledger for it
}

func withTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, callTimeout)
}

func (x *run) release() { x.done() }

// due returns the time from which the job waited for a worker. From then on it was in Redis, its
// run-at had passed, and it was the oldest job of its key. For a job that waited for another job of
// its key, due returns the start of the job.
func (x *run) due() time.Time {
	if x.behind || x.delivery.RunAt.After(x.begun) { // the clock of another machine may be ahead
		return x.begun
	}
	return x.delivery.RunAt
}

// announcement returns the move that writes the event as working.
func (x *run) announcement() events.Move {
	return events.Move{
		ID: x.id, TaskID: x.task, Row: x.row, From: x.from, FromAttempt: x.attempt,
		To: events.Working, Attempt: x.attempt + 1,
		StartedAt: x.begun.UnixMilli(), QueuedAt: x.due().UnixMilli(), By: x.by,
	}
}

// move returns the move for the outcome of the run. It returns false if the run was snoozed or
// interrupted before the ledger recorded it as working. The ledger then needs no change, and the
// job runs again.
func (x *run) move() (events.Move, bool) {
	m := x.announcement()
	if x.workingNoted {
		m.From, m.FromAttempt = events.Working, m.Attempt
	}
	m.Notes, m.Forget = x.notes(), x.kept.Load()
	m.FinishedAt = x.ended.UnixMilli()
	switch x.outcome.Kind {
	case jobs.Finish:
		m.To, m.Result = events.Finish, x.result()
	case jobs.Failed:
		m.To, m.Failure, m.Result = events.Failed, x.outcome.Failure, x.call.Kept()
	case jobs.Later, jobs.Interrupted:
		m.To, m.Attempt, m.FinishedAt = events.Enqueue, x.attempt, 0
		return m, x.workingNoted
	default:
		x.faulted(&m)
	}
	return m, true
}

// result returns the result of the handler, or nil if there is none. For a superseded job it
// returns JSON with the id of the newer job.
func (x *run) result() json.RawMessage {
	newer := x.call.SupersededBy()
	if newer == nil {
		return x.call.Kept()
	}
	return fmt.Appendf(nil, `{"superseded_by":%q}`, newer.ID)
}

// faulted completes the move of a run that ended with a system fault: back to Enqueue for a retry,
// or to Error.
func (x *run) faulted(m *events.Move) {
	if x.next.Kind == queue.Retry {
		m.To, m.FinishedAt, m.NextRunAt = events.Enqueue, 0, x.next.At.UnixMilli()
		return
	}
	m.To = events.Error
	m.Failure = rowschema.System(jobs.CodeSystem, "system", "hint.again")
}

// maxText and maxStack are the maximum lengths of a text and of a stack in the ledger, in bytes.
const (
	maxText  = 4 << 10
	maxStack = 16 << 10
)

// notes returns the notes of the handler, a note if a newer job supersedes the job, and the note of
// `ending`.
func (x *run) notes() []events.Note {
	out := x.handlerNotes(x.ended)
	if newer := x.call.SupersededBy(); newer != nil && x.outcome.Kind == jobs.Finish {
		out = append(out, x.note(x.ended, events.Finish, "superseded by "+newer.ID))
	}
	if n, ok := x.ending(); ok {
		n.Ended.QueuedAt, n.Ended.StartedAt = x.due().UnixMilli(), x.begun.UnixMilli()
		out = append(out, n)
	}
	return out
}

// ending returns the note about the end of the attempt. It returns false if the run finished or was
// snoozed, or was interrupted before its event was written as working.
func (x *run) ending() (events.Note, bool) {
	switch {
	case x.outcome.Err != nil:
		n := x.note(x.ended, events.Error, cmp.Or(x.text, "an error without a text"))
		n.Stack = textutil.Truncate(x.stack, maxStack)
		n.Ended = &events.Ending{Outcome: events.LastFault, Type: x.fault}
		if x.next.Kind == queue.Retry {
			n.Ended.Outcome = events.RetriedFault
		}
		return n, true
	case x.outcome.Kind == jobs.Failed:
		n := x.note(x.ended, events.Failed, "")
		n.Ended = &events.Ending{Outcome: events.BusinessFault, Faults: x.outcome.Failure.List()}
		return n, true
	case x.outcome.Kind == jobs.Interrupted && x.workingNoted:
		n := x.note(x.ended, events.Enqueue, "interrupted: the process stopped, or the task was canceled")
		n.Ended = &events.Ending{Outcome: events.Interruption}
		return n, true
	}
	return events.Note{}, false
}

// handlerNotes returns the notes of the handler, each with the given time.
func (x *run) handlerNotes(at time.Time) []events.Note {
	var out []events.Note
	for _, text := range x.call.Notes() {
		out = append(out, x.note(at, events.Working, text))
	}
	return out
}

func (x *run) note(at time.Time, status events.Status, text string) events.Note {
	return events.Note{
		At: at.UnixMilli(), Attempt: x.attempt + 1, Status: status, Text: textutil.Truncate(text, maxText),
		Worker: x.who.Worker, Build: x.who.Build, Duration: at.Sub(x.begun).Milliseconds(),
	}
}
