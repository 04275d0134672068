package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/events"
)

// General codes of business failures.
const (
	CodeRequired      = "REQUIRED"
	CodeInvalidNumber = "INVALID_NUMBER"
	CodeInvalidDate   = "INVALID_DATE"
	CodeInvalidValue  = "INVALID_VALUE"
	CodeTooLong       = "TOO_LONG"
	CodeLostDigits    = "LOST_DIGITS" // a spreadsheet has rounded a long number

	// CodeCanceled is the code of a job whose handler returned Cancel.
	CodeCanceled = "CANCELED"

	// CodeSystem is the code of a system fault.
	CodeSystem = "SYSTEM_ERROR"

	// CodeCrashed is the code of a row that repeatedly crashes its process.
	CodeCrashed = "CRASHED"

	// CodeKilled is the code of a row that an operator moved to the morgue.
	CodeKilled = "KILLED"
)

// Failure is a business failure: the row is wrong or not allowed. It is never retried; a person
// repairs it. Make it with Fail.
type Failure struct{ events.Failure }

// Error returns the code and the message.
func (f *Failure) Error() string { return f.Code + ": " + f.Message }

// Fail makes a business failure. code is stable, in UPPER_SNAKE; the message is for the person with
// the spreadsheet.
func Fail(code, format string, args ...any) *Failure {
	return &Failure{events.Failure{Code: code, Message: fmt.Sprintf(format, args...)}}
}

// Fails merges several business failures, one per column. The row gets the code and message of the
// first, and a list of all. Without failures it returns nil.
func Fails(failures ...*Failure) *Failure {
	var fields []events.Field
	for _, f := range failures {
		fields = append(fields, events.Field{
			Column: f.Failure.Column, Value: f.Failure.Value, Code: f.Code,
			Message: f.Message, Hint: f.Failure.Hint, Args: f.Args,
		})
	}
	if len(fields) == 0 {
		return nil
	}
	return invalid(fields)
}

// Column sets the column at fault.
func (f *Failure) Column(name string) *Failure { f.Failure.Column = name; return f }

// Value sets the value at fault.
func (f *Failure) Value(v any) *Failure { f.Failure.Value = fmt.Sprint(v); return f }

// Hint sets the next step for the person.
func (f *Failure) Hint(text string) *Failure { f.Failure.Hint = text; return f }

// With stores a value by name, for the placeholders in the texts of the option Messages: {brand} is
// With("brand", …). {column} and {value} need none.
func (f *Failure) With(name string, v any) *Failure {
	f.Args = f.Args.With(map[string]string{name: fmt.Sprint(v)})
	return f
}

// invalid returns the failure of a row that breaks rules: the code and message of the first fault,
// and a list of all.
func invalid(faults []events.Field) *Failure {
	first := faults[0]
	return &Failure{events.Failure{
		Code: first.Code, Column: first.Column, Value: first.Value,
		Message: first.Message, Hint: first.Hint, Args: first.Args, Fields: faults,
	}}
}

// order is an error that carries a verdict, wrapped around its cause.
type order struct {
	verdict Verdict
	err     error
}

func (o *order) Error() string {
	if o.err == nil {
		return fmt.Sprintf("%s after %v", o.verdict.Kind, o.verdict.Delay)
	}
	return o.err.Error()
}

func (o *order) Unwrap() error { return o.err }

// errNone replaces a nil error.
var errNone = errors.New("a fault without an error")

// NoRetry makes err a system fault that goes to the morgue at once.
func NoRetry(err error) error {
	err = cmp.Or(err, errNone)
	return &order{Verdict{Kind: Dead, Err: err}, err}
}

// RetryAfter makes err a system fault that is retried after d, instead of the pause of the option
// RetryIn.
func RetryAfter(d time.Duration, err error) error {
	err = cmp.Or(err, errNone)
	return &order{Verdict{Kind: Retry, Delay: d, Err: err}, err}
}

// Snooze makes the job run again after d, without using an attempt.
func Snooze(d time.Duration) error { return &order{Verdict{Kind: Later, Delay: d}, nil} }

// Cancel ends the job as failed, with CodeCanceled and the text of err. The status canceled is for
// jobs that never ran.
func Cancel(err error) error {
	err = cmp.Or(err, errNone)
	f := &events.Failure{Code: CodeCanceled, Message: err.Error()}
	return &order{Verdict{Kind: Failed, Failure: f}, err}
}

// VerdictKind is the kind of a job's end.
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

// businessCoder is a business failure of a domain package that does not import Rollcall.
type businessCoder interface {
	error
	BusinessCode() string
}

// Judge classifies a handler's error. ctx is the context of the handler. Its cause is interrupted
// while the process stops; nil means that it cannot stop. An error during a stop or after a cancel
// is an interruption. A business failure anywhere in the error takes precedence: the row needs a
// person, and a retry would not help. A nil *Failure counts as nil.
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
