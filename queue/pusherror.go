package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"
)

// ErrUnanswered means that the answer of Redis to a push was lost, or does not show the result: the
// job may have been pushed.
var ErrUnanswered = errors.New("the job may have been pushed")

// errStopped means that a job was not sent because the push had stopped before it.
var errStopped = errors.New("not sent, as jobs before it were not pushed")

// PushError lists the jobs of one Push that were not pushed; all others of the call were pushed. It
// matches the errors of its items with errors.Is.
type PushError struct {
	Items []ItemError // in the order of the jobs
}

// ItemError is the reason why one job was not pushed.
type ItemError struct {
	// Index of the job among the jobs that reached the client: the arguments of Push, unless a
	// PushMiddleware changed them.
	Index int

	// Err is ErrInvalidJob with the broken limit, ErrUnknownQueue, ErrKeyFull, ErrMoving, or the
	// error of Redis. ErrUnanswered is added if the job may have been pushed.
	Err error
}

// Error returns the number of items and the first error that is a cause.
func (e *PushError) Error() string {
	cause := func(item ItemError) bool { return !errors.Is(item.Err, errStopped) }
	first := e.Items[max(slices.IndexFunc(e.Items, cause), 0)]
	return fmt.Sprintf("queue: %d jobs not pushed, first job %d: %v",
		len(e.Items), first.Index, first.Err)
}

// Unwrap returns the errors of the items. It returns consecutive equal errors once.
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

// orNil returns the error with its items in the order of the jobs, or nil if there
// are none.
func (e *PushError) orNil() error {
	if len(e.Items) == 0 {
		return nil
	}
	slices.SortFunc(e.Items, func(a, b ItemError) int { return a.Index - b.Index })
	return e
}

// refusals are prefixes of errors with which Redis refuses a command or a script before any write.
var refusals = []string{
	"OOM", "NOSCRIPT", "READONLY", "LOADING", "MISCONF", "NOREPLICAS", "MASTERDOWN",
	"CLUSTERDOWN", "TRYAGAIN", "MOVED", "ASK", "BUSY", "NOAUTH", "NOPERM",
}

// pushFault returns the error of a job whose push script ended with err.
func pushFault(err error) error {
	for _, prefix := range refusals {
		if redis.HasErrorPrefix(err, prefix) {
			return err
		}
	}
	return fmt.Errorf("%w: %w", ErrUnanswered, err)
}

// Pusher pushes jobs as Client.Push does. A PushMiddleware wraps it.
type Pusher func(ctx context.Context, jobs []Job) error

// PushMiddleware wraps the pushes of a client. It may change, add or drop jobs. Without a call of
// next, no job is pushed. Push returns its result.
type PushMiddleware func(next Pusher) Pusher
