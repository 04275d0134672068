package worker

import (
	"context"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/jobs"
)

// Runner runs the jobs of one call of a handler: one job; with Latest, the jobs of one key; of
// DefineBatch, those of several keys. Its error applies to the unresolved ones.
type Runner func(ctx context.Context, calls ...*Call) error

// Middleware wraps the Runner of a kind, to add to the context, measure or reject. Its result
// counts as the handler's.
type Middleware func(next Runner) Runner

// Use wraps the handler of a kind in middlewares; the first is the outermost.
func Use(list ...Middleware) Option {
	return func(s *spec) { s.use = append(s.use[:len(s.use):len(s.use)], list...) }
}

// wrap returns a runner in middlewares.
func wrap(run Runner, list []Middleware) Runner {
	for _, use := range slices.Backward(list) {
		run = use(run)
	}
	return run
}

// callsKey is the context key of WithCalls.
type callsKey struct{}

// WithCalls returns a context with calls, for tests of a middleware of Registry.Use.
func WithCalls(ctx context.Context, calls ...*Call) context.Context {
	return context.WithValue(ctx, callsKey{}, calls)
}

// Calls returns the calls behind a middleware of Registry.Use or a handler, in order.
func Calls(ctx context.Context) []*Call {
	if calls, ok := ctx.Value(callsKey{}).([]*Call); ok {
		return calls
	}
	if list := jobs.Calls(ctx); list != nil {
		return callsOf(list)
	}
	return nil
}
