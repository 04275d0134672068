package notify

import (
	"cmp"
	"log/slog"
	"net/http"
	"time"

	"github.com/rollcall-dev/rollcall/internal/guard"
)

// DelivererOptions holds the settings of a Deliverer. The zero value works.
type DelivererOptions struct {
	// Poll is the interval at which the ledger is polled. Default 1s.
	Poll time.Duration

	// CallbackTimeout bounds one call of a Go callback. Default 1m.
	CallbackTimeout time.Duration

	// Client sends webhooks. Default: guard.Client, which connects to public addresses only
	// and has a timeout of 5s.
	Client *http.Client

	// Base is the path with which links to a task begin, such as /rollcall. Default "".
	Base string

	// Trace returns the traceparent header of the requests about a task. If the result is empty, or
	// Trace is nil, the requests have no such header.
	Trace func(taskID string) string

	// OnAttempt is called after each delivery attempt, on the goroutine of the attempt. It is not
	// called after an attempt that does not count, because the process stops or lacks the kind.
	// Default: none.
	OnAttempt func(AttemptReport)

	// Now returns the current time. Default time.Now.
	Now func() time.Time

	// Log receives errors, deliveries whose attempts are used up, and numbers of notices deleted with
	// their deliveries. Default: none.
	Log *slog.Logger
}

// AttemptReport is the report of one delivery attempt.
type AttemptReport struct {
	Claim  *Claim
	State  string // of the delivery after the attempt: StateWaiting and so on
	Status int    // of the HTTP response; 0 without one
	Err    string // the reason for the failure, for users; empty if the recipient accepted
	Took   time.Duration
}

func (o DelivererOptions) withDefaults() DelivererOptions {
	o.Poll = cmp.Or(o.Poll, time.Second)
	o.CallbackTimeout = cmp.Or(o.CallbackTimeout, time.Minute)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Client == nil {
		o.Client = guard.Client(guard.Options{})
	}
	if o.OnAttempt == nil {
		o.OnAttempt = func(AttemptReport) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}
