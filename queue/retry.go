package queue

import (
	"math/rand/v2"
	"time"
)

// retryDelay returns the pause before retry n, counted from 0. It is the default of Worker.RetryIn.
func retryDelay(n int) time.Duration {
	seconds := n*n*n*n + 15 + rand.IntN(30)*(n+1)
	return time.Duration(seconds) * time.Second
}

// Next returns the outcome of a delivery whose handler returned err. It is Done for a nil error,
// Dead once MaxRetries are used up, and otherwise Retry after RetryIn. Next does not set the
// outcome of `d`.
func (w Worker) Next(d *Delivery, err error, now time.Time) Outcome {
	if err == nil {
		return Outcome{Kind: Done}
	}
	w = w.withDefaults()
	count, text := d.RetryCount+1, w.FormatError(err)
	if count >= w.MaxRetries {
		return Outcome{Kind: Dead, Err: text}
	}
	return Outcome{Kind: Retry, At: now.Add(w.RetryIn(count)), Err: text}
}
