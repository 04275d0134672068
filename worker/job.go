package worker

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/enqueue"
	"github.com/rollcall-dev/rollcall/internal/jobs"
)

// Job is one run of a job, with its typed arguments.
type Job[T any] struct {
	*Call
	Args T
}

// Call is one run of a job, without its typed arguments.
type Call struct {
	ID                   string // "<task id>.<seq>"; empty in Definition.Call
	Key                  string // ordering key; the ID if the job has none
	Row                  int    // row number in the file, as people see it
	Attempt              int    // from 1
	Params               json.RawMessage
	TaskID, Tenant, Kind string

	run *jobs.Call // nil for a Call of a test until the first call of the method state
}

// public adapts a Runner to the service's type of calls.
func public(run Runner) jobs.Runner {
	return func(ctx context.Context, calls ...*jobs.Call) error { return run(ctx, callsOf(calls)...) }
}

// callsOf returns the Calls for the service's calls. Each Call is made only once.
func callsOf(list []*jobs.Call) []*Call {
	out := make([]*Call, len(list))
	for i, c := range list {
		made, ok := c.Public.(*Call)
		if !ok {
			made = &Call{
				ID: c.ID, TaskID: c.TaskID, Tenant: c.Tenant, Kind: c.Kind, Key: c.Key, Row: c.Row,
				Attempt: c.Attempt, Params: c.Params, run: c,
			}
			c.Public = made
		}
		out[i] = made
	}
	return out
}

// state returns the service's call that c uses. For a Call that a test made, it makes one.
func (c *Call) state() *jobs.Call {
	if c.run == nil {
		c.run = &jobs.Call{
			ID: c.ID, TaskID: c.TaskID, Tenant: c.Tenant, Kind: c.Kind, Key: c.Key, Row: c.Row,
			Attempt: c.Attempt, Params: c.Params, Public: c,
		}
	}
	return c.run
}

// Client returns a client of the job's tenant. A repeated run adds jobs again.
func (c *Call) Client() *Client {
	service, _ := c.state().Service.(*enqueue.Client)
	if service == nil {
		return nil
	}
	return &Client{inner: service.For(c.Tenant)}
}

// Resolve sets the job's own outcome, as if its handler had returned err.
func (c *Call) Resolve(err error) { c.state().Resolve(err) }

// Superseded ends the job as finished, because the job `newer` replaces it.
func (j *Job[T]) Superseded(newer *Job[T]) { j.state().Supersede(newer.state()) }

// Outcome returns the error set by Resolve, nil after Superseded, or else err.
func (c *Call) Outcome(err error) error { return c.state().Outcome(err) }

// Fence returns numbers to reject old runs: a later fetch has a greater pair.
func (c *Call) Fence() (token, seq int64) { return c.state().Token, c.state().Seq }

// Note adds a text, with pairs of name and value, to the job's message log.
func (c *Call) Note(text string, pairs ...any) {
	for i := 0; i+1 < len(pairs); i += 2 {
		text += fmt.Sprintf(" %v=%v", pairs[i], pairs[i+1])
	}
	c.state().Note(text)
}

// Result stores v, as JSON, on the job's event. A later call replaces it.
func (c *Call) Result(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("worker: result of %s: %w", c.ID, err)
	}
	c.state().Keep(b)
	return nil
}

// Progress sets the progress of a task of one job; total 0 means unknown.
func (c *Call) Progress(done, total int64, format string, args ...any) {
	if b := c.state().Services; b != nil {
		b.Show(events.Progress{Done: done, Total: total, Text: fmt.Sprintf(format, args...)})
	}
}
