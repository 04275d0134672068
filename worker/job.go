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

// Call is one run of a job, without the type of its arguments. The fields are
// set by Rollcall.
type Call struct {
	ID      string // "<task id>.<seq>"; empty in Definition.Call
	TaskID  string
	Tenant  string
	Kind    string
	Key     string // ordering key
	Row     int    // as the person sees it in the file
	Attempt int    // from 1
	Params  json.RawMessage

	// Event is the job's number in the ledger; 0 for a kind that is not tracked.
	Event events.ID

	// Token and Seq order the runs of a key: see Fence.
	Token, Seq int64

	// Service is the client that Client hands out, for every tenant.
	Service *Client

	// Backing is where the job's progress and checkpoint go. Nil: nowhere, and
	// the call itself.
	Backing Backing

	// Parts is where the rows of parts of exports go. Nil: nowhere.
	Parts PartFiles

	notes  []string
	result json.RawMessage

	resolved bool
	err      error // with resolved
	by       *Call // what supersedes it

	saved json.RawMessage // the checkpoint, without Backing
}

// Client makes further work, for the job's own tenant unless an option says
// another: Other.Enqueue(ctx, job.Client(), args). A run that is repeated makes
// it again, but for kinds with Unique. Nil in Definition.Call.
func (c *Call) Client() *Client { return c.Service.For(c.Tenant) }

// Resolve gives the job its own outcome, as if a handler of its own had
// returned err; what the handler returns is for the jobs without one. The last
// call wins. Not after the handler has returned, and not from two goroutines
// at once.
func (c *Call) Resolve(err error) { c.resolved, c.err, c.by = true, err, nil }

// Resolved tells the job's own outcome, and whether it has one.
func (c *Call) Resolved() (err error, ok bool) { return c.err, c.resolved }

// SupersededBy is the call that supersedes this one; nil if none does.
func (c *Call) SupersededBy() *Call { return c.by }

// Superseded ends the job as finish, because newer, a job of the same batch, does its
// work. Its result is {"superseded_by": "<id of newer>"}. The job ends only if newer
// ends, as finish, failed or error. If newer runs again, after a snooze, a fault or a
// shutdown, so does this job, and no attempt of it is counted.
func (j *Job[T]) Superseded(newer *Job[T]) { j.supersede(newer.Call) }

func (c *Call) supersede(newer *Call) { c.resolved, c.err, c.by = true, nil, newer }

// Outcome returns the job's own outcome or, without one, err: what the handler
// of its batch returned. Nil is finish; see Judge for the rest.
func (c *Call) Outcome(err error) error {
	if c.resolved {
		return c.err
	}
	return err
}

// sameKey tells whether two jobs keep an order between them.
func (c *Call) sameKey(d *Call) bool { return c.Key == d.Key && c.Tenant == d.Tenant }

// Fence is a pair of numbers that grows from run to run of the same key,
// across crashes too. Pass it to a store of your own that keeps the greatest
// it has seen, to refuse a run that was given up for dead and came back.
func (c *Call) Fence() (token, seq int64) { return c.Token, c.Seq }

// Note adds a line to the message log of the job's event: a text and pairs of
// a name and a value. It is recorded together with the outcome.
func (c *Call) Note(text string, pairs ...any) {
	for i := 0; i+1 < len(pairs); i += 2 {
		text += fmt.Sprintf(" %v=%v", pairs[i], pairs[i+1])
	}
	c.notes = append(c.notes, text)
}

// Notes are the lines noted so far.
func (c *Call) Notes() []string { return c.notes }

// Result keeps v, as JSON, on the job's event. The last call wins.
func (c *Call) Result(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("worker: result of %s: %w", c.ID, err)
	}
	c.result = b
	return nil
}

// Kept is what Result kept; nil if nothing.
func (c *Call) Kept() json.RawMessage { return c.result }
