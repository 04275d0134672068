package worker

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
)

// Failure is a business failure: a person repairs the row. Any error with the method BusinessCode()
// string counts as a business failure, too.
type Failure struct{ events.Failure }

// Error returns the code and the message.
func (f *Failure) Error() string { return f.Code + ": " + f.Message }

// As makes errors.As find a *jobs.Failure, which the service uses.
func (f *Failure) As(target any) bool {
	found, ok := target.(**jobs.Failure)
	if !ok {
		return false
	}
	if *found = nil; f != nil {
		*found = &jobs.Failure{Failure: f.Failure}
	}
	return true
}

// Fail makes a business failure with a stable code and a message for people.
func Fail(code, format string, args ...any) *Failure {
	return &Failure{events.Failure{Code: code, Message: fmt.Sprintf(format, args...)}}
}

// Fails merges failures other than nil. The row has the code of the first.
func Fails(failures ...*Failure) *Failure {
	var fields []events.Field
	for _, f := range failures {
		if f == nil {
			continue
		}
		fields = append(fields, events.Field{
			Column: f.Failure.Column, Value: f.Failure.Value, Code: f.Code,
			Message: f.Message, Hint: f.Failure.Hint, Args: f.Args,
		})
	}
	return failureOf(rowschema.Invalid(fields))
}

// failureOf returns f as a *Failure, or nil for nil.
func failureOf(f *events.Failure) *Failure {
	if f == nil {
		return nil
	}
	return &Failure{*f}
}

// Column sets the column at fault.
func (f *Failure) Column(name string) *Failure { f.Failure.Column = name; return f }

// Value sets the value at fault.
func (f *Failure) Value(v any) *Failure { f.Failure.Value = fmt.Sprint(v); return f }

// Hint sets the next step for the person.
func (f *Failure) Hint(text string) *Failure { f.Failure.Hint = text; return f }

// With stores a value by name, for the placeholders of Messages.
func (f *Failure) With(name string, v any) *Failure {
	f.Args = f.Args.With(map[string]string{name: fmt.Sprint(v)})
	return f
}

// errNone replaces a nil error passed to NoRetry, RetryAfter or Cancel.
var errNone = errors.New("a system fault without an error")

// NoRetry makes err a system fault and sends the job to the morgue at once.
func NoRetry(err error) error {
	err = cmp.Or(err, errNone)
	return jobs.WithOutcome(jobs.Outcome{Kind: jobs.Dead, Err: err}, err)
}

// RetryAfter makes err a system fault, retried after d if retries are left.
func RetryAfter(d time.Duration, err error) error {
	err = cmp.Or(err, errNone)
	return jobs.WithOutcome(jobs.Outcome{Kind: jobs.Retry, Delay: d, Err: err}, err)
}

// Snooze makes the job run again after d, without using up a retry.
func Snooze(d time.Duration) error {
	return jobs.WithOutcome(jobs.Outcome{Kind: jobs.Later, Delay: d}, nil)
}

// Cancel ends the job as failed, with CodeCanceled and the text of err.
func Cancel(err error) error {
	err = cmp.Or(err, errNone)
	f := &events.Failure{Code: CodeCanceled, Message: err.Error()}
	return jobs.WithOutcome(jobs.Outcome{Kind: jobs.Failed, Failure: f}, err)
}
