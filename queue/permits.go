package queue

import (
	"cmp"
	"context"
	"crypto/rand"
	_ "embed" // for the scripts
	"fmt"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

var (
	//go:embed lua/clock.lua
	clockLua string
	//go:embed lua/take.lua
	takeLua string
	//go:embed lua/give.lua
	giveLua string

	takeScript = newScript("take", preludeLua, clockLua, takeLua)
	giveScript = newScript("give", preludeLua, clockLua, giveLua)
)

// Limit bounds the permits for the jobs of one scope of a queue. It counts the permits of all nodes.
type Limit struct {
	// Scope names the jobs that the limit counts, such as the jobs of one tenant. "" means all jobs
	// of the queue. Use at most one limit for each Scope and Per of a queue.
	Scope string

	// AtOnce is the maximum number of permits that are held at once. 0 means no limit.
	AtOnce int

	// Rate is the maximum number of permits that are granted within any span of length Per. A permit
	// that was given back by GiveUnused does not count. 0 means no limit.
	Rate int
	Per  time.Duration
}

// Permits is a source of permits to run jobs. Redis counts the permits of all nodes, by its own
// clock. If a process dies, its permits end with their leases. Permits is safe for concurrent use.
type Permits struct {
	client *Client
	lease  time.Duration
	name   string // unique prefix of the names of the permits
	last   atomic.Int64

	mu   sync.Mutex
	held map[*Permit]bool
	late map[lateKey]lateTry
	kick chan struct{} // signals that field late is not empty
}

// NewPermits returns a Permits for the queues of a client. The argument `lease` is how long a permit
// outlives its process; 0 means 10 s. The caller must call Run, which extends the leases.
func NewPermits(c *Client, lease time.Duration) *Permits {
	return &Permits{
		client: c, lease: cmp.Or(lease, 10*time.Second), name: rand.Text()[:10] + ".",
		held: make(map[*Permit]bool), late: make(map[lateKey]lateTry), kick: make(chan struct{}, 1),
	}
}

// Permit is the permission to run a job under some limits.
type Permit struct {
	of         *Permits
	name       string
	queue, key string
	limits     []Limit
}

// Take takes a permit under all limits for a job of a key. If a limit is reached, it returns a nil
// permit, and the time at which the job should try again. The handler must put the job back with exactly
// this time, as Outcome.At. If another permit is given back before that time, Give can make the key due
// earlier.
func (p *Permits) Take(
	ctx context.Context, queue, key string, limits ...Limit,
) (t *Permit, until time.Time, err error) {
	t = &Permit{of: p, queue: queue, key: key, name: p.name + strconv.FormatInt(p.last.Add(1), 36)}
	for _, l := range limits {
		if until, err = t.take(ctx, l); until.IsZero() || err != nil {
			t.limits = append(t.limits, l) // after an error, Redis may have granted the permit
		}
		if !until.IsZero() || err != nil {
			t.giveAll(ctx, true)
			return nil, until, err
		}
	}
	p.mu.Lock()
	p.held[t] = true
	p.mu.Unlock()
	return t, time.Time{}, nil
}

// take takes the permit of one limit. If the limit is reached, it returns the time at which the job should
// try again.
func (t *Permit) take(ctx context.Context, l Limit) (until time.Time, err error) {
	now := t.of.client.opt.Now().UnixMilli()
	c := t.call(takeScript, l, t.key, l.AtOnce, l.Rate, l.Per.Milliseconds(), t.of.lease.Milliseconds(), now)
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	t.of.client.engine.run(ctx, []*call{c})
	if c.err != nil {
		return until, fmt.Errorf("queue: take a permit of %q: %w", t.queue, c.err)
	}
	if pause := c.status(); pause > 0 {
		until = time.UnixMilli(now + int64(pause))
	}
	return until, nil
}

// call returns a call of a script for the permit of one limit.
func (t *Permit) call(s *script, l Limit, args ...any) *call {
	k := t.of.client.keys.limit(t.queue, l)
	return &call{
		script: s, keys: []string{k.permits, k.starts, k.refused, k.runAts}, args: append([]any{t.name}, args...),
	}
}

// Give gives the permit back after the run of its job. It then makes refused keys due, as many as the
// limits allow. It works even if ctx has ended. If Redis does not answer, the permit ends with its
// lease. A second call is a no-op, and so is a call on nil.
func (t *Permit) Give(ctx context.Context) { t.end(ctx, false) }

// GiveUnused gives the permit back for a job that did not start, so that the job does not count for
// Limit.Rate. Otherwise it does the same as Give.
func (t *Permit) GiveUnused(ctx context.Context) { t.end(ctx, true) }

func (t *Permit) end(ctx context.Context, unused bool) {
	if t == nil {
		return
	}
	p := t.of
	p.mu.Lock()
	held := p.held[t]
	delete(p.held, t)
	p.mu.Unlock()
	if held {
		t.giveAll(ctx, unused)
	}
}

// giveAll gives back the permits of all limits. If the job has started, giveAll skips limits that have
// only a Rate, since these limits still count the start.
func (t *Permit) giveAll(ctx context.Context, unused bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), callTimeout)
	defer cancel()
	for _, l := range t.limits {
		if l.AtOnce > 0 || unused {
			t.give(ctx, l, unused)
		}
	}
}

// giveTries is the maximum number of times that Permit.give runs give.lua. The script chooses keys that may
// run now. Permit.give runs it again if one of these keys could not be made due.
const giveTries = 3

// give gives back the permit of one limit. The script give.lua chooses refused keys that may run now,
// and Permit.give makes them due. If a chosen key cannot be made due now, give.lua chooses further keys.
func (t *Permit) give(ctx context.Context, l Limit, unused bool) {
	for range giveTries {
		c := t.call(giveScript, l, l.AtOnce, l.Rate, l.Per.Milliseconds(), map[bool]int{true: 1}[unused])
		t.of.client.engine.run(ctx, []*call{c})
		runAt := make(map[string]int64, len(c.reply)/2)
		for pair := range slices.Chunk(c.reply, 2) {
			key, _ := pair[0].(string)
			at, _ := pair[1].(string)
			runAt[key] = count(at)
		}
		if len(runAt) == 0 || t.of.wake(ctx, t.queue, runAt) {
			return
		}
	}
}
