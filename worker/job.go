package worker

import (
	"encoding/json"
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
)

// Job is one unit of work with its typed arguments.
type Job[T any] struct {
	*Call
	Args T
}

// Call is one run of a job, without the type of its arguments. Rollcall sets the fields.
type Call struct {
	ID      string // "<task id>.<seq>"; empty in Definition.Call
	TaskID  string
	Tenant  string
	Kind    string
	Key     string // ordering key
	Row     int    // row number in the file, as people see it
	Attempt int    // from 1
	Params  json.RawMessage

	// Event is the job's number in the ledger; 0 for a kind that is not tracked.
	Event events.ID

	// Token and Seq order the runs of a key: see Fence.
	Token, Seq int64

	// Service is the client behind Client, for every tenant.
	Service *Client

	// Backing stores the job's progress and checkpoint. With nil, the call keeps the checkpoint.
	Backing Backing

	// Parts stores the rows of parts of exports. Nil without a store.
	Parts PartFiles

	notes  []string
	result json.RawMessage

	resolved bool
	err      error // with resolved
	by       *Call // the call that supersedes it

	saved json.RawMessage // the checkpoint, without Backing
}

// Client returns a client for further work, for the job's own tenant unless an option sets another:
// Other.Enqueue(ctx, job.Client(), args). A repeated run adds the work again, except for kinds with
// Unique. Nil in Definition.Call.
func (c *Call) Client() *Client { return c.Service.For(c.Tenant) }

// Resolve gives the job its own outcome, as if its handler had returned err. The handler's result
// applies to the jobs without one. The last call counts. Do not call it after the handler has
// returned, or from two goroutines at once.
func (c *Call) Resolve(err error) { c.resolved, c.err, c.by = true, err, nil }

// Resolved returns the job's own outcome, and reports whether it has one.
func (c *Call) Resolved() (err error, ok bool) { return c.err, c.resolved }

// SupersededBy returns the call that supersedes this one, or nil.
func (c *Call) SupersededBy() *Call { return c.by }

// Superseded ends the job as finish, because newer, a job of the same batch, does its work. Its
// result is {"superseded_by": "<id of newer>"}. The job ends only if newer ends, as finish, failed
// or error. If newer runs again, after a snooze, a fault or a shutdown, so does this job, without
// using an attempt.
func (j *Job[T]) Superseded(newer *Job[T]) { j.supersede(newer.Call) }

func (c *Call) supersede(newer *Call) { c.resolved, c.err, c.by = true, nil, newer }

// Outcome returns the job's own outcome or, without one, err, the error of the handler. Nil means
// finish; see Judge for the rest.
func (c *Call) Outcome(err error) error {
	if c.resolved {
		return c.err
	}
	return err
}

// sameKey reports whether two jobs have one order.
func (c *Call) sameKey(d *Call) bool { return c.Key == d.Key && c.Tenant == d.Tenant }

// Fence returns a pair of numbers that grows with each run of the same key, also across crashes. A
// store that keeps the greatest pair can reject a run that was presumed dead.
func (c *Call) Fence() (token, seq int64) { return c.Token, c.Seq }

// Note adds a line to the message log of the job's event: a text and pairs of
// a name and a value. It is recorded together with the outcome.
func (c *Call) Note(text string, pairs ...any) {
	for i := 0; i+1 < len(pairs); i += 2 {
		text += fmt.Sprintf(" %v=%v", pairs[i], pairs[i+1])
	}
	c.notes = append(c.notes, text)
}

// Notes returns the lines noted so far.
func (c *Call) Notes() []string { return c.notes }

// Result stores v, as JSON, on the job's event. The last call counts.
func (c *Call) Result(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("worker: result of %s: %w", c.ID, err)
	}
	c.result = b
	return nil
}

// Kept returns the stored result; nil without one.
func (c *Call) Kept() json.RawMessage { return c.result }
