package dispatch

import (
	"context"
	"time"

	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/tasks"
)

// pauses are how long after each failed try the next one comes: eight tries
// over about three days.
var pauses = [...]time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 8 * time.Hour,
	24 * time.Hour, 36 * time.Hour,
}

// maxRetryAfter bounds what a receiver may ask us to wait.
const maxRetryAfter = 24 * time.Hour

// result is what a try has come to.
type result struct {
	status   int           // of the HTTP answer
	err      string        // why it failed, in words; empty if it is delivered
	response string        // what was read of the answer
	after    time.Duration // the receiver wants to be left alone for so long
	gone     bool          // the receiver wants no more
	broken   bool          // this process stops: the try does not count
}

// Told tells of one try to tell a listener.
type Told struct {
	Parcel *tasks.Parcel
	State  string // that of the delivery behind it: tasks.DeliveryWaiting and so on
	Status int    // of the HTTP answer; 0 if there was none
	Err    string // why it failed, in words; empty if it is delivered
	Took   time.Duration
}

// fly makes one try, notes it, and frees its place.
func (c *Courier) fly(ctx context.Context, p *tasks.Parcel) {
	defer c.wake.Signal()
	defer c.leave(p.Tenant, p.Endpoint)
	failpoint.Hit("claimed")
	begun := c.opt.Now()
	var r result
	if p.Lane == tasks.LaneCallback {
		r = c.call(ctx, p)
	} else {
		r = c.post(context.WithoutCancel(ctx), p)
	}
	failpoint.Hit("told")
	out := outcome(r, p.Tries+1, c.opt.Now(), jitter())
	out.Attempt = tasks.Attempt{
		At: begun.UnixMilli(), Status: r.status, Error: r.err, Response: r.response,
		Duration: c.opt.Now().Sub(begun).Milliseconds(),
	}
	if !r.broken {
		c.opt.Told(Told{Parcel: p, State: out.State, Status: r.status, Err: r.err, Took: c.opt.Now().Sub(begun)})
	}
	c.note(context.WithoutCancel(ctx), p, r, out)
}

// outcome is what the result of the n-th try means; spread, about 1, keeps
// tries that failed together apart.
func outcome(r result, n int, now time.Time, spread float64) tasks.Outcome {
	switch {
	case r.err == "":
		return tasks.Outcome{State: tasks.DeliveryDelivered}
	case r.gone:
		return tasks.Outcome{State: tasks.DeliveryDead, Disable: true}
	case n > len(pauses):
		return tasks.Outcome{State: tasks.DeliveryDead}
	}
	pause := time.Duration(float64(pauses[n-1]) * spread)
	pause = max(pause, min(r.after, maxRetryAfter))
	return tasks.Outcome{State: tasks.DeliveryWaiting, Next: now.Add(pause)}
}

// noteTimeout bounds how long a ledger that is away is waited for, to note a
// try. After that, the try is made again when its claim has run out.
const noteTimeout = 10 * time.Second

// note writes down what became of a try.
func (c *Courier) note(ctx context.Context, p *tasks.Parcel, r result, out tasks.Outcome) {
	ctx, cancel := context.WithTimeout(ctx, noteTimeout)
	defer cancel()
	for {
		err := c.noteOnce(ctx, p, r, out)
		if err == nil {
			break
		}
		if sleep(ctx, 500*time.Millisecond); ctx.Err() != nil {
			c.opt.Log.Error("a delivery is not noted, and will be made again", "delivery", p.ID, "err", err)
			return
		}
	}
	if out.State == tasks.DeliveryDead && !r.broken {
		c.opt.Log.Error("a delivery is given up", "delivery", p.ID, "task", p.Task.ID, "topic", p.Topic,
			"lane", string(p.Lane), "attempt", p.Tries+1, "err", r.err)
	}
}

func (c *Courier) noteOnce(ctx context.Context, p *tasks.Parcel, r result, out tasks.Outcome) error {
	if r.broken {
		return c.out.Release(ctx, p)
	}
	return c.out.Note(ctx, p, out)
}
