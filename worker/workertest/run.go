package workertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"testing"

	"github.com/rollcall-dev/rollcall/worker"
)

// Outcome is the outcome of a job of Run.
type Outcome struct {
	// Verdict is the meaning of its error: see worker.Judge.
	Verdict worker.Verdict

	// Stack is the stack of a panic of the handler; empty without one.
	Stack string

	Notes    []string          // its notes, in order
	Kept     json.RawMessage   // its result; nil if none
	Progress []worker.Progress // all its progress reports
	Saved    json.RawMessage   // its checkpoint; nil if none

	t  testing.TB
	tx worker.Tx // set by In
}

// Run runs one job of a kind as a worker does: the arguments are validated and stored in the form
// of the ledger, and the handler gets the timeout and the classifier of the kind. with changes the
// call before, such as its Attempt (1) or Tenant ("default").
//
// A handler of worker.DefineTx writes to the transaction of In.
//
// Run records nothing, and the handler has no client for further work; New has one.
func Run[T any](t testing.TB, def *worker.Definition[T], args T, with ...func(*worker.Call)) *Outcome {
	t.Helper()
	o := &Outcome{t: t}
	params, key, err := def.Params(args)
	var f *worker.Failure
	if err != nil && !errors.As(err, &f) {
		t.Fatalf("the arguments cannot be kept: %v", err)
	}
	if err != nil {
		o.Verdict = worker.Judge(t.Context(), err, nil)
		return o
	}
	call := &worker.Call{
		ID: "workertest.1", TaskID: "workertest", Tenant: "default", Kind: def.Kind().Name,
		Key: key, Row: 1, Attempt: 1, Params: params, Token: 1, Seq: 1, Backing: o.backing(),
	}
	for _, change := range with {
		change(call)
	}
	o.run(def.Kind(), call)
	return o
}

func (o *Outcome) run(kind worker.Kind, call *worker.Call) {
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
	o.Verdict = kind.Judge(ctx, err, nil)
	o.Notes, o.Kept = call.Notes(), call.Kept()
}

// guarded calls the handler. A panic is a system fault.
func (o *Outcome) guarded(ctx context.Context, kind worker.Kind, call *worker.Call) (err error) {
	defer func() {
		if p := recover(); p != nil {
			o.Stack, err = string(debug.Stack()), fmt.Errorf("panic: %v", p)
		}
	}()
	return kind.Run(ctx, call)
}

// backing stores the state of the handler in the outcome.
func (o *Outcome) backing() worker.Backing { return backing{o} }

type backing struct{ *Outcome }

func (b backing) Load() json.RawMessage { return b.Saved }

func (b backing) Save(_ context.Context, data json.RawMessage) error { b.Saved = data; return nil }

func (b backing) Show(p worker.Progress) { b.Outcome.Progress = append(b.Outcome.Progress, p) }

// Tx returns the transaction of In.
func (b backing) Tx() worker.Tx {
	if b.tx == nil {
		b.t.Helper()
		b.t.Fatalf("the kind is of DefineTx: give Run a transaction with In, such as one of Harness.InTx")
	}
	return b.tx
}
