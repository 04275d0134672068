package queue

import (
	"context"
	"fmt"
	"runtime/debug"
)

// Handler runs one batch: up to Worker.BatchSize keys, each with all its payloads.
//
// Nil ends every unresolved delivery as Done. An error, or a panic, is about the
// unresolved deliveries alone, which Batch.Unresolved lists: those that were resolved
// keep their outcome and do not run again for it. The oldest unresolved delivery of
// each key gets the outcome of Worker.Next, and so a retry; those behind it return
// without using an attempt, since they wait for it. A handler of many keys that fails
// for one key therefore resolves the others, or all of them run again. Worker.End does
// the same to a batch in a test.
//
// The context is cancelled with cause ErrLeaseLost or ErrInterrupted. An error behind
// ErrInterrupted uses no attempt.
type Handler func(ctx context.Context, b *Batch) error

// Middleware wraps a handler. One that does not call next and returns nil ends
// the batch as Done.
type Middleware func(next Handler) Handler

// Chain wraps h in the middlewares; the first is the outermost.
func Chain(h Handler, mw ...Middleware) Handler {
	for i := len(mw) - 1; i >= 0; i-- {
		h = mw[i](h)
	}
	return h
}

// PanicError is what a handler that panicked returned.
type PanicError struct {
	Value any    // what was handed to panic
	Stack []byte // of the goroutine that panicked
}

// Error tells the value without the stack.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Unwrap returns the value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Recover is a middleware that turns a panic into a *PanicError. The server
// applies it outermost; an inner one lets other middlewares see the error.
func Recover(next Handler) Handler {
	return func(ctx context.Context, b *Batch) (err error) {
		defer func() {
			if value := recover(); value != nil {
				err = &PanicError{Value: value, Stack: debug.Stack()}
			}
		}()
		return next(ctx, b)
	}
}
