package jobs

import (
	"context"
	"errors"
	"slices"
)

// Submission is a task or job that is being added. A middleware of OnSubmit may change its name, labels and
// priority.
type Submission struct {
	Source   string
	Name     string
	Labels   map[string]string
	Priority int

	Kind, Tenant string
}

// Submit is a function that adds the work of a submission.
type Submit func(ctx context.Context, s *Submission) error

// hooks holds the functions, other than handlers, that the service calls in a host program.
type hooks struct {
	submit []func(next Submit) Submit
	start  []func(context.Context) error
	stop   []func(context.Context) error
}

// OnSubmit adds middlewares around each addition of work. The first middleware is the outermost.
func (r *Registry) OnSubmit(list ...func(next Submit) Submit) { r.submit = append(r.submit, list...) }

// Submit runs the middlewares of OnSubmit around the function `add`. It returns an error if no
// middleware fails and `add` was not called.
func (r *Registry) Submit(ctx context.Context, s *Submission, add Submit) error {
	if len(r.submit) == 0 {
		return add(ctx, s)
	}
	added := false
	next := func(ctx context.Context, s *Submission) error { added = true; return add(ctx, s) }
	for _, wrap := range slices.Backward(r.submit) {
		next = wrap(next)
	}
	err := next(ctx, s)
	if err == nil && !added {
		err = errNotAdded
	}
	return err
}

var errNotAdded = errors.New("a client middleware returned no error and did not call next")

// OnStart adds a function that runs before the workers of a process start.
func (r *Registry) OnStart(f func(context.Context) error) { r.start = append(r.start, f) }

// OnStop adds a function that runs after the workers of a process have stopped.
func (r *Registry) OnStop(f func(context.Context) error) { r.stop = append(r.stop, f) }

// Start runs the functions of OnStart in their order, until one fails.
func (r *Registry) Start(ctx context.Context) error {
	for _, f := range r.start {
		if err := f(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Stop runs the functions of OnStop, the last first, and returns all their errors.
func (r *Registry) Stop(ctx context.Context) error {
	var errs []error
	for _, f := range slices.Backward(r.stop) {
		errs = append(errs, f(ctx))
	}
	return errors.Join(errs...)
}
