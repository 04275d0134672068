// Package periodic calls a function repeatedly. Loop.Run calls it until a context ends. Beside
// calls it while other work runs, for example to renew a claim.
//
// Calls of one function never overlap. No call runs after Run, or the stop function of Beside, has
// returned.
package periodic

import (
	"context"
	"log/slog"
	"time"
)

// Wake is a signal whose sender never blocks: unreceived signals are merged. Make it with NewWake.
type Wake chan struct{}

// NewWake returns a Wake.
func NewWake() Wake { return make(Wake, 1) }

// Signal sends the signal.
func (w Wake) Signal() {
	select {
	case w <- struct{}{}:
	default:
	}
}

// Loop holds the settings of a function that is called repeatedly.
type Loop struct {
	// Every is the longest pause between two calls. Required.
	Every time.Duration

	// A signal of Wake or Notify ends the pause at once, except after an error. Either channel may be nil.
	Wake   Wake
	Notify <-chan string

	// Log receives the errors of the function, each with the message Failed. Required.
	Log    *slog.Logger
	Failed string
}

// Run calls f at once and again after each pause, until ctx ends. Errors of a call whose context
// has ended are not logged.
func (l Loop) Run(ctx context.Context, f func(context.Context) error) {
	for {
		wake, notify := l.Wake, l.Notify
		err := f(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			l.Log.Error(l.Failed, "err", err)
			wake, notify = nil, nil
		}
		select {
		case <-ctx.Done():
			return
		case <-wake:
		case <-notify:
		case <-time.After(l.Every):
		}
	}
}
