package queue

import (
	"errors"
	"fmt"
	"math"
	"time"
	"unicode/utf8"
)

// Limits on the fields of a Job.
const (
	MaxKeyBytes     = 512
	MaxPayloadBytes = 256 << 10
)

// Errors that callers may test for with errors.Is.
var (
	// ErrInvalidJob means that a Job broke a limit on its fields. Nothing was pushed; a retry fails
	// again.
	ErrInvalidJob = errors.New("invalid job")

	// ErrUnknownQueue means that the client does not have the queue. Nothing was pushed; add the
	// queue to ClientOptions.Queues.
	ErrUnknownQueue = errors.New("unknown queue")

	// ErrKeyFull means that as many payloads of the key wait as Job.Limit allows. The later jobs of
	// the key in the same Push are refused, too. Push the refused jobs of a key again, in order, when
	// Client.Wanted returns the key.
	ErrKeyFull = errors.New("key is full")

	// ErrLeaseLost is the cause of a handler's canceled context when its shard passed, or may have
	// passed, to another node. The work is not recorded as done.
	ErrLeaseLost = errors.New("lease lost")

	// ErrInterrupted is the cause of a handler's canceled context when the server stops. An error
	// returned then uses no attempt.
	ErrInterrupted = errors.New("interrupted by stop")
)

// Job is one unit of ordered work.
type Job struct {
	// Queue names the queue; the client must have it.
	Queue string

	// Key names the subject of the job, such as "order:42". Jobs with equal keys keep their order.
	// Required, valid UTF-8, at most MaxKeyBytes.
	Key string

	// Payload is passed to the handler unchanged; may be empty. At most MaxPayloadBytes. A payload
	// already waiting under its key is not added again; the smaller of the two scores is kept.
	Payload []byte

	// Score orders the payloads of one key, lowest first; equal scores go by the bytes of the payload.
	// Must be finite. 0 means none: Redis appends the payload to its key. Its score is then 1 above
	// the highest score of the key: waiting, in flight or in the morgue. It is 0 if the key has no
	// payload. Payloads without a score thus run in the order of their pushes, independent of clocks.
	// Negative zero is the score 0.
	Score float64

	// RunAt is the earliest time to run, stored to the millisecond, from 1970 to 2200. The zero
	// time means now: the time of the client, or of Redis if that is earlier. A waiting key keeps
	// its time; Pushed reports that.
	RunAt time.Time

	// Redelivered means that the job may have run before. It is for callers that rebuild a lost queue.
	Redelivered bool

	// Limit is the most payloads of the key that may wait; payloads in flight do not count. At the
	// limit, Push refuses the job and all later jobs of the key in the call, with ErrKeyFull. A
	// payload already waiting is accepted, unless an earlier job of the key was refused. 0 means no
	// limit. Client.Wanted returns the key once at most half of its limit waits.
	Limit int

	// Pushed, if not nil, receives the result of the push.
	Pushed *Pushed
}

// Pushed is the result of a push.
type Pushed struct {
	// Waited reports whether payloads of the key were waiting. The key then keeps its run-at, and
	// Job.RunAt is ignored.
	Waited bool

	// Merged reports whether an equal payload was waiting. Nothing was added: the payload runs
	// once, at the smaller of both scores.
	Merged bool
}

// maxRunAt bounds RunAt. A later time is usually a mistake of units.
var maxRunAt = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)

// validate returns ErrInvalidJob with the reason if a limit is broken.
func (j *Job) validate() error {
	switch {
	case j.Key == "":
		return fmt.Errorf("%w: key is empty", ErrInvalidJob)
	case len(j.Key) > MaxKeyBytes:
		return fmt.Errorf("%w: key has %d bytes, more than %d",
			ErrInvalidJob, len(j.Key), MaxKeyBytes)
	case !utf8.ValidString(j.Key):
		return fmt.Errorf("%w: key is not valid UTF-8", ErrInvalidJob)
	case len(j.Payload) > MaxPayloadBytes:
		return fmt.Errorf("%w: payload has %d bytes, more than %d",
			ErrInvalidJob, len(j.Payload), MaxPayloadBytes)
	case math.IsNaN(j.Score) || math.IsInf(j.Score, 0):
		return fmt.Errorf("%w: score is not finite", ErrInvalidJob)
	case j.Limit < 0:
		return fmt.Errorf("%w: limit %d is negative", ErrInvalidJob, j.Limit)
	case !j.RunAt.IsZero() && (j.RunAt.UnixMilli() < 0 || !j.RunAt.Before(maxRunAt)):
		return fmt.Errorf("%w: run-at %s is not between 1970 and 2200",
			ErrInvalidJob, j.RunAt.UTC().Format(time.RFC3339))
	}
	return nil
}
