package queue

import "time"

// Kind says what becomes of a payload after its delivery.
type Kind uint8

// The kinds of Outcome.
const (
	// Done forgets the payload.
	Done Kind = iota + 1

	// Retry keeps it for Outcome.At, with a retry count one higher. The whole
	// key waits for it.
	Retry

	// Dead moves it to the morgue; the rest of the key starts anew, at once.
	Dead

	// Return puts it back without using an attempt: at its old place, or not
	// before Outcome.At if that is set.
	Return
)

// String names the kind in lower case.
func (k Kind) String() string {
	names := [...]string{"none", "done", "retry", "dead", "return"}
	if int(k) >= len(names) {
		return "unknown"
	}
	return names[k]
}

// Outcome is the end of one delivery.
type Outcome struct {
	// Kind is required.
	Kind Kind

	// At is the earliest time to run again, for Retry and Return.
	At time.Time

	// Err is the text kept with a Retry, Return or Dead; cut at 4 KiB.
	Err string

	// Redelivered marks a Return or Retry for the next delivery, as after a crash:
	// whether the payload ran is not known.
	Redelivered bool
}

// Delivery is one payload in flight.
type Delivery struct {
	// Key, Payload and Score are those of the Job.
	Key     string
	Payload []byte
	Score   float64

	// RetryCount is -1 until the payload has failed, then the number of the
	// retry, from 0. It belongs to the oldest payload of a key; the others
	// have -1.
	RetryCount int

	// Redelivered counts the deliveries of the key before this one whose end
	// is unknown. Above 0, the payload may have run.
	Redelivered int

	// RunAt is the time the key was due.
	RunAt time.Time

	// Token rises whenever the shard changes hands, and when the key moves
	// to another cut of its queue: a store that has seen a
	// higher one for the key should refuse the write.
	Token int64

	// Seq numbers the deliveries of the shard, rising under one Token. What
	// was fetched together shares it.
	Seq int64

	outcome Outcome
	crashed bool // its process died each time it was started
}

// Resolve sets the outcome, replacing an earlier one. It may be called from the
// handler and, in a batch on hold, until the release; not from two goroutines
// at once.
func (d *Delivery) Resolve(o Outcome) { d.outcome = o }

// Outcome returns what Resolve set, and whether it did.
func (d *Delivery) Outcome() (Outcome, bool) { return d.outcome, d.outcome.Kind != 0 }
