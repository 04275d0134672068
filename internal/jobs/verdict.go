package jobs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/events"
)

// Codes of jobs that end without a result of their handler, or by Cancel.
const (
	CodeCanceled = "CANCELED"     // the handler returned Cancel
	CodeSystem   = "SYSTEM_ERROR" // a system fault
	CodeCrashed  = "CRASHED"      // a row repeatedly crashes its process
	CodeKilled   = "KILLED"       // an operator moved the row to the morgue
	CodeStopped  = "KEY_STOPPED"  // an earlier row of the key has died
)

// VerdictKind is the kind of a Verdict.
type VerdictKind string

// The verdicts.
const (
	Finish      VerdictKind = "finish"      // done
	Failed      VerdictKind = "failed"      // business failure
	Retry       VerdictKind = "retry"       // system fault, retried while retries are left
	Dead        VerdictKind = "dead"        // system fault, not retried
	Later       VerdictKind = "snooze"      // again after a while, no attempt used
	Interrupted VerdictKind = "interrupted" // the process stops, or the task is canceled: no attempt used
)

// Verdict is the meaning of a handler's error.
type Verdict struct {
	Kind    VerdictKind
	Failure *events.Failure // with Failed
	Delay   time.Duration   // with Later; with Retry if not 0, instead of the pause of the kind
	Err     error           // with Retry and Dead
}

// Failure is a business failure as an error. The method As of *worker.Failure converts to it.
type Failure struct{ events.Failure }

// Error returns the code and the message.
func (f *Failure) Error() string { return f.Code + ": " + f.Message }

// order is an error that carries a verdict, wrapped around its cause.
type order struct {
	verdict Verdict
	err     error
}

// WithVerdict returns an error that means the verdict; cause may be nil.
func WithVerdict(v Verdict, cause error) error { return &order{v, cause} }

func (o *order) Error() string {
	if o.err == nil {
		return fmt.Sprintf("%s after %v", o.verdict.Kind, o.verdict.Delay)
	}
	return o.err.Error()
}

func (o *order) Unwrap() error { return o.err }

// ordered reports whether an error carries a verdict.
func ordered(err error) bool {
	var o *order
	return errors.As(err, &o)
}

// businessCoder is a business failure of a domain package that does not import Rollcall.
type businessCoder interface {
	error
	BusinessCode() string
}

// Judge classifies a handler's error. ctx is the context of the handler. Its cause is interrupted
// while the process stops; nil means that it cannot stop. An error during a stop or after a cancel is
// an interruption. A business failure anywhere in the error takes precedence: a user must correct the
// row, and a retry would fail again. A nil *Failure counts as nil.
func Judge(ctx context.Context, err, interrupted error) Verdict {
	var f *Failure
	var o *order
	var b businessCoder
	switch {
	case err == nil:
		return Verdict{Kind: Finish}
	case errors.As(err, &f) && f == nil:
		return Verdict{Kind: Finish}
	case f != nil:
		return Verdict{Kind: Failed, Failure: &f.Failure}
	case errors.As(err, &b):
		text := strings.TrimPrefix(b.Error(), b.BusinessCode()+": ")
		return Verdict{Kind: Failed, Failure: &events.Failure{Code: b.BusinessCode(), Message: text}}
	case errors.As(err, &o):
		return o.verdict
	case interrupted != nil && errors.Is(context.Cause(ctx), interrupted),
		errors.Is(context.Cause(ctx), ErrCanceled):
		return Verdict{Kind: Interrupted}
	}
	return Verdict{Kind: Retry, Err: err}
}

// Judge classifies an error of the kind's handler, with the classifier of the kind. See the
// function Judge.
func (k Kind) Judge(ctx context.Context, err, interrupted error) Verdict {
	v := Judge(ctx, err, interrupted)
	if v.Kind != Retry || k.Classify == nil || ordered(err) {
		return v
	}
	return Judge(ctx, k.Classify(err), interrupted)
}

// Classified returns an error of a handler after the classifier of the kind.
func (k Kind) Classified(err error) error {
	if k.Classify == nil || Judge(context.Background(), err, nil).Kind != Retry || ordered(err) {
		return err
	}
	return k.Classify(err)
}
