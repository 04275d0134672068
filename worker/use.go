package worker

import (
	"context"
	"slices"
)

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
