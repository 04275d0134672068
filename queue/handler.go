package queue

import (
	"context"
	"fmt"
	"runtime/debug"
)

// Handler is a function that runs one batch: up to Worker.BatchSize keys, each with up to 500 of its
// payloads.
//
// The returned error applies only to the unresolved deliveries, which Batch.Unresolved returns.
// Resolved deliveries keep their outcome. After a nil error, unresolved deliveries are Done. After an
// error or a panic, the oldest unresolved delivery of each key gets the outcome of Worker.Next,
// usually a retry. The later unresolved deliveries go back to the queue without using an attempt.
// After any result, unresolved deliveries behind a Retry or Return of their key go back, too. If one
// key of a batch fails, the handler should therefore resolve the deliveries of the other keys before
// it returns the error. Otherwise all keys run again. In a test, Worker.End applies the same rule.
//
// The server cancels the context with cause ErrLeaseLost or ErrInterrupted. An error returned after
// ErrInterrupted uses no attempt.
type Handler func(ctx context.Context, b *Batch) error

// Middleware is a function that wraps a handler. If the wrapper returns nil without calling `next`,
// the unresolved deliveries of the batch are Done.
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

// Error returns the value of the panic as a text, without the stack.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Unwrap returns the value of the panic if it is an error, else nil.
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
