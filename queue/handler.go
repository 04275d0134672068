package queue

import (
	"context"
	"fmt"
	"runtime/debug"
)

// Handler runs one batch: up to Worker.BatchSize keys, each with up to 500 of its payloads.
//
// A nil error ends every unresolved delivery as Done. An error or a panic applies only to the
// unresolved deliveries, which Batch.Unresolved returns. Resolved deliveries keep their outcome.
// The oldest unresolved delivery of each key gets the outcome of Worker.Next, usually a retry. The
// later deliveries of the key go back to the queue without using an attempt. If one key of a batch
// fails, the handler should therefore resolve the deliveries of the other keys before it returns
// the error. Otherwise all keys run again. In a test, Worker.End applies the same rule.
//
// The server cancels the context with cause ErrLeaseLost or ErrInterrupted. An error returned after
// ErrInterrupted uses no attempt.
type Handler func(ctx context.Context, b *Batch) error

// Middleware wraps a handler. A middleware that returns nil without calling next ends the batch as
// Done.
type Middleware func(next Handler) Handler

// Chain wraps h in the middlewares; the first is the outermost.
func Chain(h Handler, mw ...Middleware) Handler {
	for i := len(mw) - 1; i >= 0; i-- {
		h = mw[i](h)
	}
	return h
}

// PanicError is the error of a handler that panicked.
type PanicError struct {
	Value any    // the argument of panic
	Stack []byte // of the goroutine that panicked
}

// Error returns the value without the stack.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Unwrap returns the value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Recover is a middleware that turns a panic into a *PanicError. The server applies it outside of
// all other middlewares. Put another Recover inside a middleware that should receive the error.
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
