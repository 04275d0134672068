package jobs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/events"
)

// These are the codes of jobs that end without a result of their handler, or by worker.Cancel.
const (
	CodeCanceled = "CANCELED"     // the handler returned Cancel
	CodeSystem   = "SYSTEM_ERROR" // a system fault
	CodeCrashed  = "CRASHED"      // a row repeatedly crashes its process
	CodeKilled   = "KILLED"       // an operator moved the row to the morgue
	CodeStopped  = "KEY_STOPPED"  // an earlier row of the key has died
)

// OutcomeKind is what happens to a job after a run.
type OutcomeKind string

// These are the outcomes.
const (
	Finish      OutcomeKind = "finish"      // done
	Failed      OutcomeKind = "failed"      // business failure
	Retry       OutcomeKind = "retry"       // system fault, retried while retries are left
	Dead        OutcomeKind = "dead"        // system fault, not retried
	Later       OutcomeKind = "snooze"      // again after a while, no attempt used
	Interrupted OutcomeKind = "interrupted" // the process stops, or the task is canceled: no attempt used
)

// Outcome is the meaning of a handler's error.
type Outcome struct {
	Kind    OutcomeKind
	Failure *events.Failure // with Failed
	Delay   time.Duration   // with Later; with Retry if not 0, instead of the pause of the kind
	Err     error           // with Retry and Dead
}

// Failure is a business failure as an error. The method As of *worker.Failure converts to it.
type Failure struct{ events.Failure }

// Error returns the code and the message.
func (f *Failure) Error() string { return f.Code + ": " + f.Message }

// outcomeError is the error that WithOutcome returns. It holds an outcome and wraps the cause.
type outcomeError struct {
	outcome Outcome
	err     error
}

// WithOutcome returns an error for which ClassifyError returns the outcome `v`, unless `cause` contains a
// business failure. `cause` may be nil.
func WithOutcome(v Outcome, cause error) error { return &outcomeError{v, cause} }

func (o *outcomeError) Error() string {
	if o.err == nil {
		return fmt.Sprintf("%s after %v", o.outcome.Kind, o.outcome.Delay)
	}
	return o.err.Error()
}

func (o *outcomeError) Unwrap() error { return o.err }

// hasOutcome reports whether an error contains an outcome of WithOutcome.
func hasOutcome(err error) bool {
	var o *outcomeError
	return errors.As(err, &o)
}

// businessCoder is the interface of business failures of domain packages that do not import
// Rollcall.
type businessCoder interface {
	error
	BusinessCode() string
}

// ClassifyError classifies a handler's error. The argument `ctx` is the context of the handler. While the
// process stops, the cause of `ctx` is the argument `interrupted`, which may be nil. A business
// failure anywhere in `err` takes precedence: a user must correct the row, and a retry would fail
// again. An outcome in `err` comes next. Any other error is an interruption if the process stops or
// the task was canceled, and otherwise a system fault. A nil *Failure counts as success.
func ClassifyError(ctx context.Context, err, interrupted error) Outcome {
	var f *Failure
	var o *outcomeError
	var b businessCoder
	switch {
	case err == nil:
		return Outcome{Kind: Finish}
	case errors.As(err, &f) && f == nil:
		return Outcome{Kind: Finish}
	case f != nil:
		return Outcome{Kind: Failed, Failure: &f.Failure}
	case errors.As(err, &b):
		text := strings.TrimPrefix(b.Error(), b.BusinessCode()+": ")
		return Outcome{Kind: Failed, Failure: &events.Failure{Code: b.BusinessCode(), Message: text}}
	case errors.As(err, &o):
		return o.outcome
	case interrupted != nil && errors.Is(context.Cause(ctx), interrupted),
		errors.Is(context.Cause(ctx), ErrCanceled):
		return Outcome{Kind: Interrupted}
	}
	return Outcome{Kind: Retry, Err: err}
}

// ClassifyError classifies an error of the kind's handler like the function ClassifyError. Before that,
// Kind.Classify converts the error, unless it is a business failure or an interruption, or has an outcome
// of WithOutcome.
func (k Kind) ClassifyError(ctx context.Context, err, interrupted error) Outcome {
	v := ClassifyError(ctx, err, interrupted)
	if v.Kind != Retry || k.Classify == nil || hasOutcome(err) {
		return v
	}
	return ClassifyError(ctx, k.Classify(err), interrupted)
}

// Classified returns the error that Kind.Classify makes of a handler's error. It returns business
// failures, and errors with an outcome of WithOutcome, unchanged. If Kind.Classify is nil, it returns
// every error unchanged.
func (k Kind) Classified(err error) error {
	if k.Classify == nil || ClassifyError(context.Background(), err, nil).Kind != Retry || hasOutcome(err) {
		return err
	}
	return k.Classify(err)
}
