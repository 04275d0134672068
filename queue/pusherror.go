package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"
)

// ErrUnanswered means that the answer of Redis to a push was lost, or that the
// error of Redis leaves open what was done: the job may have been pushed.
var ErrUnanswered = errors.New("not known whether it was pushed")

// errStopped means that a job was not sent, because the push had stopped before.
var errStopped = errors.New("not sent, as jobs before it were not pushed")

// PushError names the jobs of one Push that were not pushed; all others of the
// call were pushed. It matches the errors of its items with errors.Is.
type PushError struct {
	Items []ItemError // in the order of the jobs
}

// ItemError is the reason why one job was not pushed.
type ItemError struct {
	// Index of the job among those that reached the client: the arguments of Push,
	// unless a PushMiddleware changed them.
	Index int

	// Err is ErrInvalidJob with the limit that is broken, ErrUnknownQueue, ErrKeyFull,
	// ErrMoving, or the error of Redis, with ErrUnanswered if the job may have been pushed.
	Err error
}

// Error returns the number of items and the text of the first that is a cause.
func (e *PushError) Error() string {
	cause := func(item ItemError) bool { return !errors.Is(item.Err, errStopped) }
	first := e.Items[max(slices.IndexFunc(e.Items, cause), 0)]
	return fmt.Sprintf("queue: %d jobs not pushed, first job %d: %v",
		len(e.Items), first.Index, first.Err)
}

// Unwrap returns the errors of the items, equal neighbours once.
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

// refusals begin the errors with which Redis refuses a command or a script before
// it has written anything.
var refusals = []string{
	"OOM", "NOSCRIPT", "READONLY", "LOADING", "MISCONF", "NOREPLICAS", "MASTERDOWN",
	"CLUSTERDOWN", "TRYAGAIN", "MOVED", "ASK", "BUSY", "NOAUTH", "NOPERM",
}

// pushFault is what became of a push script that ended with err.
func pushFault(err error) error {
	for _, prefix := range refusals {
		if redis.HasErrorPrefix(err, prefix) {
			return err
		}
	}
	return fmt.Errorf("%w: %w", ErrUnanswered, err)
}

// Pusher is what a PushMiddleware wraps: it pushes jobs as Client.Push does.
type Pusher func(ctx context.Context, jobs []Job) error

// PushMiddleware wraps the pushes of a client. It may change, add or drop jobs;
// one that does not call next pushes nothing. What it returns is what Push
// returns.
type PushMiddleware func(next Pusher) Pusher
