package jobs

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// MaxCheckpoint is the maximal size of a checkpoint, in bytes of JSON.
const MaxCheckpoint = 64 << 10

// These are errors of runs. Package worker returns them to handlers.
var (
	ErrUntracked      = errors.New("the kind is not tracked")
	ErrCheckpointSize = errors.New("checkpoint is too large")
	ErrInTx           = errors.New("a DefineTx handler writes only in its transaction")
	ErrTxHeld         = errors.New("the handler held its transaction for too long")
	ErrTxEnded        = errors.New("the transaction of the job has ended")

	// ErrCanceled is the cause with which the context of a handler ends if its task is canceled.
	ErrCanceled = errors.New("the task was canceled")
)

// Call is one run of a job. The recorder sets the fields. The handler calls the methods through
// worker.Call.
type Call struct {
	ID      string // "<task id>.<seq>"; empty without a task
	TaskID  string
	Tenant  string
	Kind    string
	Key     string // ordering key
	Row     int    // row number in the file
	Attempt int    // from 1
	Params  json.RawMessage

	// Event is the job's number in the ledger; 0 for a kind that is not tracked.
	Event events.ID

	// Token and Seq are those of the queue.Delivery of the job. They order the runs of a key.
	Token, Seq int64

	// Service is the client of the program, an *enqueue.Client; nil without one.
	Service any

	// Services stores the job's progress and checkpoint. If it is nil, the call itself keeps the
	// checkpoint.
	Services CallServices

	// Parts stores the rows of parts of exports; nil if the program has no store for them.
	Parts PartFiles

	// Public is the *worker.Call of this call, made when a handler or middleware first needs it.
	Public any

	notes  []string
	result json.RawMessage

	resolved bool
	err      error // the job's own outcome, if resolved
	by       *Call // the call that supersedes this one; nil if none does

	saved json.RawMessage // the checkpoint, if CallServices is nil
}

// CallServices is the store of the state of a running job.
type CallServices interface {
	// Load returns the checkpoint, or nil if the job has none. While the ledger is unreachable, Load
	// waits. If the handler's context ends meanwhile, Load returns nil.
	Load() json.RawMessage

	// Save replaces the checkpoint.
	Save(ctx context.Context, data json.RawMessage) error

	// Show keeps the progress of a tracked job for the next write to the ledger, if the job is the
	// only one of its task. It does not block.
	Show(p events.Progress)

	// Tx returns the transaction of a DefineTx job; nil for other jobs.
	Tx() ledger.Tx
}

// Resolve gives the job its own outcome, as if its handler had returned `err`.
func (c *Call) Resolve(err error) { c.resolved, c.err, c.by = true, err, nil }

// Resolved returns the error that Resolve has set. It reports whether Resolve or Supersede was called;
// Supersede sets no error.
func (c *Call) Resolved() (err error, ok bool) { return c.err, c.resolved }

// Supersede ends the job with the status finish, because a newer call does its work.
func (c *Call) Supersede(newer *Call) { c.resolved, c.err, c.by = true, nil, newer }

// SupersededBy returns the call that supersedes this one, or nil.
func (c *Call) SupersededBy() *Call { return c.by }

// Outcome returns the error that Resolve has set, or nil after Supersede. If neither was called, it
// returns `err`, the error of the handler.
func (c *Call) Outcome(err error) error {
	if c.resolved {
		return c.err
	}
	return err
}

// SameKey reports whether two jobs have the same key and tenant, so that they run in order.
func (c *Call) SameKey(d *Call) bool { return c.Key == d.Key && c.Tenant == d.Tenant }

// Note adds a line to the message log of the job's event.
func (c *Call) Note(text string) { c.notes = append(c.notes, text) }

// Notes returns the lines noted so far.
func (c *Call) Notes() []string { return c.notes }

// Keep stores the result of the job.
func (c *Call) Keep(result json.RawMessage) { c.result = result }

// Kept returns the result that Keep stored; nil if none was stored.
func (c *Call) Kept() json.RawMessage { return c.result }

// Checkpoint returns the checkpoint that this run or an earlier one saved last; nil if there is none.
func (c *Call) Checkpoint() json.RawMessage {
	if c.Services != nil {
		return c.Services.Load()
	}
	return c.saved
}

// Save replaces the checkpoint.
func (c *Call) Save(ctx context.Context, data json.RawMessage) error {
	if c.Services != nil {
		return c.Services.Save(ctx, data)
	}
	c.saved = data
	return nil
}

type callsKey struct{}

// WithCalls returns a context with the calls of a batch.
func WithCalls(ctx context.Context, calls ...*Call) context.Context {
	return context.WithValue(ctx, callsKey{}, calls)
}

// Calls returns the calls that WithCalls has put into the context, in the order of the deliveries of their
// batch; nil if there are none.
func Calls(ctx context.Context) []*Call {
	calls, _ := ctx.Value(callsKey{}).([]*Call)
	return calls
}
