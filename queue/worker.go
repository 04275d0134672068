package queue

import (
	"cmp"
	"context"
	"time"
)

// NoRetries is a value of Worker.MaxRetries: a payload then goes to the morgue on its first
// failure.
const NoRetries = -1

// These are the defaults of a Worker.
const (
	defaultBatchSize  = 1
	defaultMaxRetries = 25
	defaultMaxCrashes = 3
)

// Worker holds the handler of one queue and its settings.
type Worker struct {
	// Queue names the queue, without braces. Required.
	Queue string

	// Shards is the number of shards that the queue gets when it is added to Redis, from 1 to
	// MaxShards, as in Spec. 0 means the default, 5. An existing queue keeps its number, and the
	// server logs a different value here. Admin.Reshard changes the number.
	Shards int

	// Weight is the relative weight of this queue among the queues of the node. Fetches and the Weighted
	// scheduler serve the queues in proportion to it. Values below 1 mean the default, 1.
	Weight int

	// BatchSize is the maximum number of keys in one call of Handle, each with up to 500 of its payloads. 0
	// means the default, 1.
	BatchSize int

	// MaxRetries is how often the oldest payload of a key is retried before it goes to the morgue:
	// n retries are n+1 attempts. The next payload of the key then runs at once, with a fresh retry
	// count. 0 means the default, 25, which takes about 20 days. NoRetries, or any value below 0,
	// means no retries.
	MaxRetries int

	// MaxCrashes is how often a payload is started again after its node died while the handler ran.
	// If the node dies each time, the payload goes to the morgue. A value below 0 means no limit. 0
	// means the default, 3.
	MaxCrashes int

	// RetryIn returns the pause before retry n, counted from 0. Default n⁴ + 15 + rand(30)·(n+1)
	// seconds: 25 retries take about 20 days.
	RetryIn func(retryCount int) time.Duration

	// FormatError returns the stored text of an error; it is truncated to 4 KiB. Default: the
	// error's text.
	FormatError func(err error) string

	// Handle runs one batch. The server calls it on up to Concurrency goroutines at once. Required.
	Handle Handler

	// Exhausted is called with payloads after the server has moved them to the morgue. It is not
	// called if the node dies in between. Default: none.
	Exhausted func(ctx context.Context, dead []DeadJob)
}

// DeadJob is a payload that was moved to the morgue.
type DeadJob struct {
	Queue, Key string
	Payload    []byte
	Score      float64
	Err        string // text of its last error, at most 4 KiB
	Crashed    bool   // its process died each time it ran, so no handler returned
}

func (w Worker) withDefaults() Worker {
	w.Shards = cmp.Or(w.Shards, defaultShards)
	w.Weight = max(w.Weight, 1)
	w.BatchSize = cmp.Or(w.BatchSize, defaultBatchSize)
	w.MaxRetries = cmp.Or(w.MaxRetries, defaultMaxRetries)
	w.MaxCrashes = cmp.Or(w.MaxCrashes, defaultMaxCrashes)
	if w.FormatError == nil {
		w.FormatError = error.Error
	}
	if w.RetryIn == nil {
		w.RetryIn = retryDelay
	}
	return w
}
