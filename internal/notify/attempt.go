package notify

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/internal/periodic"
)

// retryDelays are the delays after the first seven failed delivery attempts. The eighth delivery attempt,
// after about three days, is the last.
var retryDelays = [...]time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 8 * time.Hour,
	24 * time.Hour, 36 * time.Hour,
}

// maxRetryAfter bounds the delay taken from a Retry-After header.
const maxRetryAfter = 24 * time.Hour

// reply is the result of one delivery attempt.
type reply struct {
	status     int           // of the HTTP response
	err        string        // the reason for the failure, for users; empty if the recipient accepted
	response   string        // the start of the response's body
	retryAfter time.Duration // the delay of the Retry-After header
	gone       bool          // the server answered 410 Gone
	aborted    bool          // the attempt does not count: this process stops, or lacks the kind
}

// deliverOnce sends a claimed delivery once, and records the result.
func (d *Deliverer) deliverOnce(ctx context.Context, c *Claim) {
	defer d.wake.Signal()
	defer d.leave(c.Tenant, c.Endpoint)
	failpoint.Hit("claimed")
	begun := d.opt.Now()
	var r reply
	if c.Channel == ChannelCallback {
		r = d.call(ctx, c)
	} else {
		r = d.post(context.WithoutCancel(ctx), c)
	}
	failpoint.Hit("sent")
	took := d.opt.Now().Sub(begun)
	res := resultOf(r, c.Tries+1, d.opt.Now(), jitter())
	res.Attempt = Attempt{
		At: begun.UnixMilli(), Status: r.status, Error: r.err, Response: r.response, Duration: took.Milliseconds(),
	}
	if !r.aborted {
		d.opt.OnAttempt(AttemptReport{Claim: c, State: res.State, Status: r.status, Err: r.err, Took: took})
	}
	d.record(context.WithoutCancel(ctx), c, r, res)
}

// resultOf returns the result of the n-th delivery attempt. The delay before the next delivery attempt is
// multiplied by `spread`, so that deliveries that failed together are retried at different times. A
// Retry-After header can raise the delay to up to maxRetryAfter.
func resultOf(r reply, n int, now time.Time, spread float64) Result {
	switch {
	case r.err == "":
		return Result{State: StateDelivered}
	case r.gone:
		return Result{State: StateDead, Disable: true}
	case n > len(retryDelays):
		return Result{State: StateDead}
	}
	delay := time.Duration(float64(retryDelays[n-1]) * spread)
	delay = max(delay, min(r.retryAfter, maxRetryAfter))
	return Result{State: StateWaiting, Next: now.Add(delay)}
}

// jitter returns a random factor from 0.9 to 1.1.
func jitter() float64 { return 0.9 + rand.Float64()/5 }

// recordTimeout bounds how long record retries while the ledger is unavailable. After this time, record
// returns, and a process repeats the delivery attempt when the claim expires.
const recordTimeout = 10 * time.Second

// recordPause is the delay before record tries again.
const recordPause = 500 * time.Millisecond

// record stores the result of a delivery attempt. For an aborted delivery attempt it only releases the
// claim. It retries for at most recordTimeout.
func (d *Deliverer) record(ctx context.Context, c *Claim, r reply, res Result) {
	ctx, cancel := context.WithTimeout(ctx, recordTimeout)
	defer cancel()
	for {
		err := d.recordOnce(ctx, c, r, res)
		if err == nil {
			break
		}
		if periodic.Pause(ctx, recordPause); ctx.Err() != nil {
			d.opt.Log.Error("the result of a delivery is not recorded: the delivery will be repeated", "delivery", c.ID, "err", err)
			return
		}
	}
	if res.State == StateDead && !r.aborted {
		d.opt.Log.Error("a delivery was given up after its last attempt", "delivery", c.ID, "task", c.Task.ID,
			"topic", c.Topic, "channel", string(c.Channel), "attempt", c.Tries+1, "err", r.err)
	}
}

func (d *Deliverer) recordOnce(ctx context.Context, c *Claim, r reply, res Result) error {
	if r.aborted {
		return d.store.Release(ctx, c)
	}
	return d.store.Record(ctx, c, res)
}
