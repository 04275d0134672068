package worker

import (
	"context"
	"slices"

	"github.com/rollcall-dev/rollcall/queue"
)

// Use wraps the handlers of all kinds in middlewares of the queue; the first is the outermost. Each
// gets the jobs of one call of the handler as a batch, and their calls by Calls. Its result counts
// as the handler's: the recorder, the outermost middleware, writes the outcome. An error or a panic
// is a system fault of every unresolved job, also if the handler was not called. Nil without a call
// of next finishes the jobs. A middleware must not resolve deliveries or hold the batch. Call Use
// before the registry is used.
func (r *Registry) Use(list ...queue.Middleware) {
	for i := range r.kinds {
		k := &r.kinds[i]
		k.Around = append(k.Around[:len(k.Around):len(k.Around)], list...)
	}
}

// callsKey is the context key of the calls of a batch.
type callsKey struct{}

// WithCalls returns a context with calls, for tests of a middleware of Registry.Use.
func WithCalls(ctx context.Context, calls ...*Call) context.Context {
	return context.WithValue(ctx, callsKey{}, calls)
}

// Calls returns the calls behind a middleware of Registry.Use or a handler, in the order of the
// deliveries of their batch; nil if there are none.
func Calls(ctx context.Context) []*Call {
	calls, _ := ctx.Value(callsKey{}).([]*Call)
	return calls
}

// Runner runs the jobs of one call of a handler: see Kind.Run.
type Runner func(ctx context.Context, calls ...*Call) error

// Middleware wraps the Runner of a kind. It can add to the context, such as a connection or the
// locale of a tenant, or measure, or reject. It sees the calls without the types of their
// arguments; in Definition.Call it sees one without id and params. Its result counts as the
// handler's.
type Middleware func(next Runner) Runner

// Use wraps the handler of a kind in middlewares; the first is the outermost. Kinds may share the
// option. A panic of a middleware counts as the handler's.
func Use(list ...Middleware) Option {
	return func(k *Kind) { k.Use = append(k.Use[:len(k.Use):len(k.Use)], list...) }
}

// wrap returns a runner in the middlewares of the kind.
func (k *Kind) wrap(run Runner) Runner {
	for _, use := range slices.Backward(k.Use) {
		run = use(run)
	}
	return run
}
