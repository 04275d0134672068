package queue

import (
	"context"
	"fmt"
)

// PushError names the jobs of one Push that were refused before anything was
// sent; all others of the call were pushed. It matches the errors of its items
// with errors.Is.
type PushError struct {
	Items []ItemError // in the order of the jobs
}

// ItemError is the reason why one job was refused.
type ItemError struct {
	Index int   // of the job among the arguments of Push
	Err   error // ErrInvalidJob with the limit that is broken, or ErrUnknownQueue
}

// Error tells the first item and how many there are.
func (e *PushError) Error() string {
	first := e.Items[0]
	return fmt.Sprintf("queue: push refused %d jobs, first job %d: %v",
		len(e.Items), first.Index, first.Err)
}

// Unwrap returns the errors of the items.
func (e *PushError) Unwrap() []error {
	list := make([]error, len(e.Items))
	for i, item := range e.Items {
		list[i] = item.Err
	}
	return list
}

func (e *PushError) orNil() error {
	if len(e.Items) == 0 {
		return nil
	}
	return e
}

// Pusher is what a PushMiddleware wraps: it pushes jobs as Client.Push does.
type Pusher func(ctx context.Context, jobs []Job) error

// PushMiddleware wraps the pushes of a client. It may change, add or drop jobs;
// one that does not call next pushes nothing. What it returns is what Push
// returns.
type PushMiddleware func(next Pusher) Pusher
