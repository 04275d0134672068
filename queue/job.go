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
	// ErrInvalidJob means a Job broke a limit on its fields. Nothing was
	// pushed; retrying cannot help.
	ErrInvalidJob = errors.New("invalid job")

	// ErrUnknownQueue means the client was not told of the queue. Nothing was
	// pushed; name the queue in ClientOptions.Queues.
	ErrUnknownQueue = errors.New("unknown queue")

	// ErrKeyFull means that as many payloads of the key waited as Job.Limit admits, or
	// that an earlier job of the key in the same Push was refused so. Push again the
	// refused jobs of a key, in order, when Client.Wanted returns the key.
	ErrKeyFull = errors.New("key is full")

	// ErrLeaseLost is the cause of a handler's cancelled context when its shard
	// passed, or may have passed, to another node. The work counts as not done.
	ErrLeaseLost = errors.New("lease lost")

	// ErrInterrupted is the cause of a handler's cancelled context when the
	// server stops. An error returned then uses no attempt.
	ErrInterrupted = errors.New("interrupted by stop")
)

// Job is one unit of ordered work.
type Job struct {
	// Queue names the queue; the client must know it.
	Queue string

	// Key names what the job is about, such as "order:42". Jobs of equal key
	// keep their order. Required, valid UTF-8, at most MaxKeyBytes.
	Key string

	// Payload is handed to the handler untouched; may be empty. At most
	// MaxPayloadBytes. A payload that waits already under its key is not
	// added again; the smaller of the two scores is kept.
	Payload []byte

	// Score orders the payloads of one key, lowest first; equal scores go by
	// the bytes of the payload. Must be finite. 0 stands for none: Redis puts the
	// payload behind all others of its key, with the highest score that the key has
	// waiting, in flight or in the morgue plus 1, or 0 if the key has none. So payloads
	// without a score run in the order of their pushes, whatever the clocks. The
	// negative zero is the score 0.
	Score float64

	// RunAt is the earliest time to run, kept to the millisecond, from 1970
	// to 2200. The zero time means now: the time of the client, or of Redis if that is
	// earlier. A key that waits already keeps the time it has; Pushed reports that.
	RunAt time.Time

	// Redelivered tells consumers that the job may have run before, for
	// pushers that rebuild a lost queue.
	Redelivered bool

	// Limit is the most payloads of the key that may wait; those in flight do not count.
	// At the limit, Push refuses the job and all later jobs of the key in the call, with
	// ErrKeyFull. A payload that waits already is accepted, unless an earlier job of the
	// key was refused. 0 means no limit. Client.Wanted returns the key once at most half
	// of its limit waits.
	Limit int

	// Pushed, if not nil, is set to what became of the job once it is pushed.
	Pushed *Pushed
}

// Pushed is what a push found in the queue.
type Pushed struct {
	// Waited reports that payloads of the key waited. The key keeps its run-at, and
	// Job.RunAt is not used.
	Waited bool

	// Merged reports that an equal payload waited. Nothing was added: the payload
	// runs once, at the smaller of both scores.
	Merged bool
}

// maxRunAt is the first instant after the last RunAt that is taken; later ones
// are far more often a unit mistake than a plan.
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
