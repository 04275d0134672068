package workertest

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/worker"
)

// OutcomeKind is the result of a run.
type OutcomeKind string

// These are the outcomes.
const (
	Finished    OutcomeKind = "finish"      // the job has finished
	Failed      OutcomeKind = "failed"      // business failure
	Retried     OutcomeKind = "retry"       // system fault, retried while retries are left
	Dead        OutcomeKind = "dead"        // system fault, not retried
	Snoozed     OutcomeKind = "snooze"      // the job runs again later; the attempt does not count
	Interrupted OutcomeKind = "interrupted" // the process stops, or the task is canceled; the attempt does not count
)

// Outcome is the outcome of a job that the function Run has run.
type Outcome struct {
	Kind    OutcomeKind
	Failure *events.Failure // with Failed
	Delay   time.Duration   // with Snoozed; with Retried if the handler has set it
	Err     error           // with Retried and Dead

	// Stack is the stack if the handler panicked, else "".
	Stack string

	Notes    []string          // its notes, in order
	Result   worker.Result     // empty without one
	Progress []events.Progress // all its progress reports
	Saved    json.RawMessage   // its checkpoint; nil if none

	t  testing.TB
	tx worker.Tx
}

// Setup holds the settings for the function Run, whose options change them.
type Setup struct {
	Tenant  string // default "default"
	Key     string // default: the key of the arguments
	Row     int    // default 1
	Attempt int    // default 1

	// Tx is the transaction of a worker.DefineTx handler, such as the transaction of Harness.InTx.
	// Run neither commits it nor rolls it back. Default nil.
	Tx worker.Tx

	// Saved is the checkpoint of the earlier run. Default nil: there is no checkpoint.
	Saved json.RawMessage
}

// In returns an option of Run that sets Setup.Tx, the transaction of a worker.DefineTx handler.
func In(tx worker.Tx) func(*Setup) { return func(s *Setup) { s.Tx = tx } }

// Run runs one job of a kind like a worker. It validates the arguments, converts them to the form
// of the ledger, and applies the timeout and the classifier of the kind. The functions in `with`
// change the Setup of the run. If the arguments break a rule, the job fails without a call of the
// handler. Run records nothing, and the handler has no client for further work; use New for that.
func Run[T any](t testing.TB, def *worker.Definition[T], args T, with ...func(*Setup)) *Outcome {
	t.Helper()
	o, kind := &Outcome{t: t}, jobs.KindOf(def)
	row, err := kind.Draft(args)
	if err != nil {
		t.Fatalf("the arguments cannot be stored: %v", err)
	}
	if row.Failure != nil {
		o.Kind, o.Failure = Failed, row.Failure
		return o
	}
	s := Setup{Tenant: "default", Key: row.Key, Row: 1, Attempt: 1}
	for _, change := range with {
		change(&s)
	}
	o.tx, o.Saved = s.Tx, s.Saved
	o.run(kind, &jobs.Call{
		ID: "workertest.1", TaskID: "workertest", Tenant: s.Tenant, Kind: kind.Name, Key: s.Key,
		Row: s.Row, Attempt: s.Attempt, Params: row.Params, Token: 1, Seq: 1, Services: backing{o},
	})
	return o
}

func (o *Outcome) run(kind jobs.Kind, call *jobs.Call) {
	ctx := o.t.Context()
	if kind.Timeout > 0 {
		late := fmt.Errorf("took longer than %v", kind.Timeout)
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, kind.Timeout, late)
		defer cancel()
	}
	err := o.guarded(ctx, kind, call)
	if own, ok := call.Resolved(); ok && o.Stack == "" {
		err = own
	}
	v := kind.ClassifyError(ctx, err, nil)
	o.Kind, o.Failure, o.Delay, o.Err = OutcomeKind(v.Kind), v.Failure, v.Delay, v.Err
	o.Notes, o.Result = call.Notes(), worker.Result(call.Kept())
}

// guarded calls the handler, and returns a panic as an error.
func (o *Outcome) guarded(ctx context.Context, kind jobs.Kind, call *jobs.Call) (err error) {
	defer func() {
		if p := recover(); p != nil {
			o.Stack, err = string(debug.Stack()), fmt.Errorf("panic: %v", p)
		}
	}()
	return kind.Run(ctx, call)
}

// backing is the jobs.CallServices that stores the checkpoint and the progress of the handler in the outcome.
type backing struct{ *Outcome }

func (b backing) Load() json.RawMessage { return b.Saved }

func (b backing) Save(_ context.Context, data json.RawMessage) error { b.Saved = data; return nil }

func (b backing) Show(p events.Progress) { b.Outcome.Progress = append(b.Outcome.Progress, p) }

// Tx returns the transaction set by the option In. If there is none, Tx ends the test.
func (b backing) Tx() ledger.Tx {
	if b.tx == nil {
		b.t.Helper()
		b.t.Fatalf("the kind is of DefineTx: pass a transaction to Run with In, such as one of Harness.InTx")
	}
	return b.tx
}
