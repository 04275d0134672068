package worker

import (
	"context"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/jobs"
)

// Runner runs jobs. Its error applies to jobs without an outcome.
type Runner func(ctx context.Context, calls ...*Call) error

// Middleware is a wrapper of a Runner. Its error replaces the handler's.
type Middleware func(next Runner) Runner

// Use wraps the handler of a kind in middlewares; the first is the outermost.
func Use(list ...Middleware) Option {
	return func(s *spec) { s.use = append(s.use[:len(s.use):len(s.use)], list...) }
}

// wrap returns run inside middlewares; the first is the outermost.
func wrap(run Runner, list []Middleware) Runner {
	for _, use := range slices.Backward(list) {
		run = use(run)
	}
	return run
}

// callsKey is the context key of WithCalls.
type callsKey struct{}

// WithCalls returns a context with calls, to test a Registry.Use middleware.
func WithCalls(ctx context.Context, calls ...*Call) context.Context {
	return context.WithValue(ctx, callsKey{}, calls)
}

// Calls returns the calls of a Registry.Use middleware or a handler.
func Calls(ctx context.Context) []*Call {
	if calls, ok := ctx.Value(callsKey{}).([]*Call); ok {
		return calls
	}
	if list := jobs.Calls(ctx); list != nil {
		return callsOf(list)
	}
	return nil
}
