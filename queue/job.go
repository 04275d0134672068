package queue

import (
	"errors"
	"fmt"
	"math"
	"time"
	"unicode/utf8"
)

// MaxKeyBytes and MaxPayloadBytes are the greatest sizes of a Job's key and payload, in bytes.
const (
	MaxKeyBytes     = 512
	MaxPayloadBytes = 256 << 10
)

// These are errors that callers may test for with errors.Is.
var (
	// ErrInvalidJob means that a Job broke a limit on its fields. The job was not pushed; a retry
	// fails again.
	ErrInvalidJob = errors.New("invalid job")

	// ErrUnknownQueue means that the queue is not in ClientOptions.Queues. For an Admin, it means
	// that the queue is not in Redis either. The job was not pushed.
	ErrUnknownQueue = errors.New("unknown queue")

	// ErrKeyFull means that as many payloads of the key wait as Job.Limit allows. Push also refuses
	// the later jobs of the key in the same call. Push the refused jobs of a key again, in order,
	// when Client.Wanted returns the key.
	ErrKeyFull = errors.New("key is full")

	// ErrLeaseLost is the cause of a handler's canceled context if another node took, or may have
	// taken, the shard of the batch. The server drops the outcomes of the batch.
	ErrLeaseLost = errors.New("lease lost")

	// ErrInterrupted is the cause of a handler's canceled context if the handler still runs
	// ServerOptions.StopTimeout after Stop began. An error that the handler then returns uses no attempt.
	ErrInterrupted = errors.New("interrupted by stop")
)

// Job is one unit of ordered work.
type Job struct {
	// Queue names the queue, one of ClientOptions.Queues.
	Queue string

	// Key names the subject of the job, such as "order:42". Jobs with equal keys keep their order.
	// Key is required, must be valid UTF-8 and has at most MaxKeyBytes.
	Key string

	// Payload is passed to the handler unchanged. It may be empty, and has at most MaxPayloadBytes.
	// A payload that already waits for its key is not added again; it keeps the smaller of the two
	// scores.
	Payload []byte

	// Score orders the payloads of one key, lowest first; equal scores go by the bytes of the
	// payload. Score must be finite. 0 means no score. The payload then gets the highest score of its
	// key plus 1. Payloads in flight and in the morgue count, too. If the key has no payload, the
	// score is 0. Payloads without a score thus run in the order of their pushes,
	// independent of clocks. Negative zero means the score 0.
	Score float64

	// RunAt is the earliest time to run, stored to the millisecond, from 1970 to 2200. The zero time
	// means now, by the clock of the client or of Redis, whichever is earlier. If the key already waits,
	// it keeps its time, and Pushed.Waited is true.
	RunAt time.Time

	// Redelivered reports whether the job may have run before. Callers that rebuild a lost queue set it.
	Redelivered bool

	// Limit is the maximum number of payloads of the key that may wait; payloads in flight do not count.
	// 0 means no limit. At the limit, Push refuses the job and all later jobs of the key in the call,
	// with ErrKeyFull. Push accepts a payload that already waits, unless it has refused an earlier job
	// of the key. Client.Wanted returns the key once the number of its waiting payloads is at most half
	// of the limit.
	Limit int

	// Pushed, if not nil, receives the result of the push.
	Pushed *Pushed
}

// Pushed is the result of a push.
type Pushed struct {
	// Waited reports whether payloads of the key were already waiting. The key then keeps its
	// run-at, and Job.RunAt is ignored.
	Waited bool

	// Merged reports whether an equal payload was already waiting. The push then added nothing: the
	// payload runs once, at the smaller of the two scores.
	Merged bool
}

// maxRunAt bounds RunAt. A later time is usually a mistake, such as milliseconds taken for seconds.
var maxRunAt = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)

// validate returns ErrInvalidJob with the reason if a field breaks a limit.
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
