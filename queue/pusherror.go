package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"
)

// ErrUnanswered means that Redis did not answer a push, or that its reply does not show the result. The
// job may have been pushed.
var ErrUnanswered = errors.New("the job may have been pushed")

// errStopped means that a job was not sent because the push had already stopped.
var errStopped = errors.New("not sent, because earlier jobs were not pushed")

// PushError holds the jobs that one call of Push did not push, or may not have pushed. All other jobs of
// the call were pushed. For errors.Is, a PushError matches the errors of its items.
type PushError struct {
	Items []ItemError // in the order of the jobs
}

// ItemError is the reason why one job was not pushed, or may not have been pushed.
type ItemError struct {
	// Index is the position of the job among the arguments of Push. If a PushMiddleware changes the
	// jobs, Index is the position in the changed list.
	Index int

	// Err is ErrInvalidJob with the broken limit, ErrUnknownQueue, ErrKeyFull, ErrMoving, or the
	// error of Redis. ErrUnanswered is added if the job may have been pushed. A job that was not
	// sent because of an earlier job has another error.
	Err error
}

// Error returns a text with the number of items and the first error. It skips items that were not sent
// because the push had stopped. It prefers any other error to ErrKeyFull, which is no fault.
func (e *PushError) Error() string {
	cause := func(item ItemError) bool { return !errors.Is(item.Err, errStopped) }
	fault := func(item ItemError) bool { return cause(item) && !errors.Is(item.Err, ErrKeyFull) }
	at := slices.IndexFunc(e.Items, fault)
	if at < 0 {
		at = max(slices.IndexFunc(e.Items, cause), 0)
	}
	first := e.Items[at]
	return fmt.Sprintf("queue: %d jobs not pushed, first job %d: %v",
		len(e.Items), first.Index, first.Err)
}

// Unwrap returns the errors of the items, without consecutive duplicates.
func (e *PushError) Unwrap() []error {
	var list []error
	for _, item := range e.Items {
		if len(list) == 0 || list[len(list)-1] != item.Err {
			list = append(list, item.Err)
		}
	}
	return list
}

func (e *PushError) add(err error, jobs ...int) {
	for _, i := range jobs {
		e.Items = append(e.Items, ItemError{Index: i, Err: err})
	}
}

// orNil returns the error with its items in the order of the jobs, or nil if it has no items.
func (e *PushError) orNil() error {
	if len(e.Items) == 0 {
		return nil
	}
	slices.SortFunc(e.Items, func(a, b ItemError) int { return a.Index - b.Index })
	return e
}

// refusals are the prefixes of errors with which Redis refuses a command or script before it writes
// anything.
var refusals = []string{
	"OOM", "NOSCRIPT", "READONLY", "LOADING", "MISCONF", "NOREPLICAS", "MASTERDOWN",
	"CLUSTERDOWN", "TRYAGAIN", "MOVED", "ASK", "BUSY", "NOAUTH", "NOPERM",
}

// pushFault returns the error for the jobs of a push script that ended with err. It adds
// ErrUnanswered unless Redis refused the script.
func pushFault(err error) error {
	for _, prefix := range refusals {
		if redis.HasErrorPrefix(err, prefix) {
			return err
		}
	}
	return fmt.Errorf("%w: %w", ErrUnanswered, err)
}

// Pusher is a function that pushes jobs, with the contract of Client.Push. A PushMiddleware wraps
// it.
type Pusher func(ctx context.Context, jobs []Job) error

// PushMiddleware is a function that wraps the pushes of a client. It may change, add or drop jobs.
// If it does not call `next`, no job is pushed. Push returns the error of the outermost middleware.
type PushMiddleware func(next Pusher) Pusher
