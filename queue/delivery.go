package queue

import "time"

// Kind is the type of an Outcome.
type Kind uint8

// These are the types of an Outcome.
const (
	// Done removes the payload.
	Done Kind = iota + 1

	// Retry counts a failed attempt and runs the payload again, not before Outcome.At. The other
	// payloads of the key wait for it.
	Retry

	// Dead moves the payload to the morgue. If it was the oldest payload of the key, the next one
	// can run at once, with a fresh retry count.
	Dead

	// Return puts the payload back without using an attempt. The run-at of the key stays the same,
	// or becomes Outcome.At if that is later.
	Return
)

// String returns the name of the type in lower case, "none" for 0, or "unknown".
func (k Kind) String() string {
	names := [...]string{"none", "done", "retry", "dead", "return"}
	if int(k) >= len(names) {
		return "unknown"
	}
	return names[k]
}

// Outcome is the result of one delivery.
type Outcome struct {
	// Kind is required.
	Kind Kind

	// At is the earliest time of the next run, for Retry and Return.
	At time.Time

	// Err is the error text stored with a Retry, Return or Dead, truncated to 4 KiB.
	Err string

	// Redelivered marks the next delivery after a Return or Retry as redelivered, as after a crash:
	// the payload may have run already.
	Redelivered bool

	// Unstarted reports whether no payload of the key has run in this delivery. The crash count of a
	// suspect key then stays unchanged. Only the Unstarted of the key's oldest payload has an effect.
	Unstarted bool
}

// Delivery is one payload in flight.
type Delivery struct {
	// Key and Payload are the fields of the Job. Score is the score that Redis stores for the payload.
	Key     string
	Payload []byte
	Score   float64

	// RetryCount is -1 until the payload has failed, then the number of the retry, from 0. Only the
	// oldest payload of a key has a count; the others have -1.
	RetryCount int

	// Redelivered is the number of earlier deliveries of the key without a known outcome. If it is above
	// 0, the payload may have run already.
	Redelivered int

	// RunAt is the time at which the key was due.
	RunAt time.Time

	// Token rises whenever the shard changes its owner, or the key moves to another layout of its
	// queue. A store should refuse a write whose token is lower than the last token of the key.
	Token int64

	// Seq is the number of the fetch in its shard. All deliveries of a fetch share it. While the
	// Token stays the same, a later fetch has a higher Seq.
	Seq int64

	outcome Outcome
	crashed bool // the process died each time the payload was started
}

// Resolve sets the outcome and replaces an earlier outcome. The handler may call Resolve until it
// returns or, after Batch.Hold, until the release of the batch. Resolve is not safe for concurrent use
// on one delivery.
func (d *Delivery) Resolve(o Outcome) { d.outcome = o }

// Outcome returns the outcome that Resolve set, and reports whether there is one.
func (d *Delivery) Outcome() (Outcome, bool) { return d.outcome, d.outcome.Kind != 0 }
