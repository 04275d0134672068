package worker

import (
	"context"
	"slices"

	"github.com/rollcall-dev/rollcall/queue"
)

// Use wraps the handlers of all kinds in middlewares of the queue; the first is the
// outermost. Each gets the jobs of one call of the handler as a batch, and their
// calls by Calls. What it returns counts as if the handler had: the recorder, a
// middleware of the queue itself, stands around them all and writes the outcome.
// An error, or a panic, is a system fault of every job without an outcome of its
// own, also if the handler was not called; nil without a call of next finishes
// the jobs. A middleware neither resolves
// deliveries nor holds the batch. Call Use before the registry is handed on.
func (r *Registry) Use(list ...queue.Middleware) {
	for i := range r.kinds {
		k := &r.kinds[i]
		k.Around = append(k.Around[:len(k.Around):len(k.Around)], list...)
	}
}

// callsKey is where the calls of a batch are in its context.
type callsKey struct{}

// WithCalls returns a context with calls, as a middleware of Registry.Use gets it:
// for tests of one.
func WithCalls(ctx context.Context, calls ...*Call) context.Context {
	return context.WithValue(ctx, callsKey{}, calls)
}

// Calls returns the calls that a middleware of Registry.Use or a handler runs in,
// in the order of the deliveries of their batch; nil if there are none.
func Calls(ctx context.Context) []*Call {
	calls, _ := ctx.Value(callsKey{}).([]*Call)
	return calls
}

// Runner runs the jobs of one call of a handler: see Kind.Run.
type Runner func(ctx context.Context, calls ...*Call) error

// Middleware wraps what runs the jobs of a kind: to put something into the
// context, such as a connection or the locale of a tenant, to measure, or to
// refuse. It sees the calls without the types of their arguments, in
// Definition.Call a single one without id and params. What it returns counts as if
// the handler had.
type Middleware func(next Runner) Runner

// Use wraps the handler of a kind in middlewares; the first is the outermost.
// Kinds share a list of them by sharing the option. A panic of theirs is one of the
// handler.
func Use(list ...Middleware) Option {
	return func(k *Kind) { k.Use = append(k.Use[:len(k.Use):len(k.Use)], list...) }
}

// wrap is a runner in the middlewares of the kind.
func (k *Kind) wrap(run Runner) Runner {
	for _, use := range slices.Backward(k.Use) {
		run = use(run)
	}
	return run
}
