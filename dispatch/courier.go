package dispatch

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/internal/guard"
	"github.com/rollcall-dev/rollcall/internal/periodic"
	"github.com/rollcall-dev/rollcall/internal/turns"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// CourierTopic is the bell that is rung when something is to be delivered.
const CourierTopic = "courier"

// Bounds of what a courier does at once. Tenants take turns at the places. An endpoint, such
// as a webhook, holds at most endpointPlaces, so a hanging endpoint delays no other.
const (
	places         = 32
	endpointPlaces = 4
	routeAtOnce    = 100
)

// lull is how long a courier lets rings gather, for they come with every
// commit.
const lull = 100 * time.Millisecond

// keepLog is how long after its end the deliveries of a task are kept, and
// sweepEvery how often older ones are looked for.
const (
	keepLog    = 30 * 24 * time.Hour
	sweepEvery = time.Hour
)

// CourierOptions tunes a Courier. The zero value works.
type CourierOptions struct {
	// Poll is how often to look without being woken. Default 1s.
	Poll time.Duration

	// Slack is how long after the longest a try can take it is given up for
	// dead, and made elsewhere. Default 25s.
	Slack time.Duration

	// CallbackTimeout bounds one call of a Go callback. Default 1m.
	CallbackTimeout time.Duration

	// Client sends webhooks. Default: guard.Client, which reaches public
	// addresses only and takes up to 5s.
	Client *http.Client

	// Trace is the traceparent header of what is sent about a task; empty: none.
	// Default: none.
	Trace func(taskID string) string

	// Told is called after each try, from its goroutine. Default: nothing.
	Told func(Told)

	// Now tells the time. Default time.Now.
	Now func() time.Time

	// Log gets faults, and what is given up. Default: none.
	Log *slog.Logger
}

func (o CourierOptions) withDefaults() CourierOptions {
	o.Poll = cmp.Or(o.Poll, time.Second)
	o.Slack = cmp.Or(o.Slack, 25*time.Second)
	o.CallbackTimeout = cmp.Or(o.CallbackTimeout, time.Minute)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Client == nil {
		o.Client = guard.Client(guard.Options{})
	}
	if o.Told == nil {
		o.Told = func(Told) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Courier tells listeners what becomes of tasks: Go callbacks of its kinds, and
// webhooks. Run it once; any number of processes may have one.
type Courier struct {
	out       *tasks.Outbox
	events    *events.Store
	kinds     *worker.Registry
	listeners tasks.Listeners
	opt       CourierOptions
	wake      periodic.Wake // something is due, or a slot is free
	lulled    atomic.Bool   // wake follows after the lull
	flights   sync.WaitGroup
	turns     *turns.Turns

	mu   sync.Mutex
	busy map[string]int // tries under way, by endpoint
}

// NewCourier returns a courier for the kinds of a registry.
func NewCourier(
	out *tasks.Outbox, es *events.Store, kinds *worker.Registry, opt CourierOptions,
) *Courier {
	return &Courier{
		out: out, events: es, kinds: kinds, listeners: listeners(kinds), opt: opt.withDefaults(),
		wake: periodic.NewWake(), turns: turns.New(places), busy: map[string]int{},
	}
}

// listeners are the kinds of a registry, and which callbacks they have.
func listeners(kinds *worker.Registry) tasks.Listeners {
	l := tasks.Listeners{Kinds: kinds.Names(), Callbacks: map[string][]string{}}
	for _, k := range kinds.Kinds() {
		for topic, has := range map[string]bool{
			tasks.TopicFinished:     k.OnDone != nil,
			tasks.TopicFirstFailure: k.OnFirstFailure != nil,
			tasks.TopicExhausted:    k.OnExhausted != nil,
		} {
			if has {
				l.Callbacks[topic] = append(l.Callbacks[topic], k.Name)
			}
		}
	}
	return l
}

// Silent returns, by topic, the kinds of a registry that have no Go callback for it.
func Silent(kinds *worker.Registry) map[string][]string {
	out, has := map[string][]string{}, listeners(kinds).Callbacks
	for _, topic := range []string{
		tasks.TopicFinished, tasks.TopicFirstFailure, tasks.TopicExhausted, tasks.TopicExportReady,
	} {
		out[topic] = slices.DeleteFunc(kinds.Names(), func(name string) bool { return slices.Contains(has[topic], name) })
	}
	return out
}

// Wake makes the courier look soon: something may have been committed.
func (c *Courier) Wake() {
	if c.lulled.CompareAndSwap(false, true) {
		time.AfterFunc(lull, func() { c.lulled.Store(false); c.wake.Signal() })
	}
}

// Run delivers until ctx ends; bell, which may be nil, makes it look. Requests
// under way are waited for, callbacks are cancelled first.
func (c *Courier) Run(ctx context.Context, bell <-chan string) {
	defer c.opt.Client.CloseIdleConnections()
	defer c.land()
	defer periodic.Beside(ctx, sweepEvery, c.sweep)()
	periodic.Loop{
		Every: c.opt.Poll, Wake: c.wake, Bell: bell, Log: c.opt.Log, Failed: "delivering failed",
	}.Run(ctx, func(ctx context.Context) error {
		_, err := c.look(ctx)
		return err
	})
}

func (c *Courier) sweep(ctx context.Context) {
	n, err := c.out.Sweep(ctx, keepLog)
	switch {
	case err != nil && ctx.Err() == nil:
		c.opt.Log.Error("sweeping the outbox", "err", err)
	case n > 0:
		c.opt.Log.Info("removed old deliveries", "notices", n)
	}
}

// land waits for the tries under way. A callback that ignores its cancelled
// context for long is left behind; its claim runs out.
func (c *Courier) land() {
	done := make(chan struct{})
	go func() { defer close(done); c.flights.Wait() }()
	select {
	case <-done:
	case <-time.After(leaveBehind):
		c.opt.Log.Error("a callback ignores its cancelled context and is left behind")
	}
}

// leaveBehind is longer than any request takes.
const leaveBehind = 20 * time.Second

// Deliver finds the listeners of what is to be told, makes all tries that are
// due, and waits for them.
func (c *Courier) Deliver(ctx context.Context) error {
	for {
		started, err := c.look(ctx)
		c.flights.Wait()
		if err != nil || started == 0 {
			return err
		}
	}
}

// look finds listeners and starts as many tries as are due and may be under
// way at once. It tells how many it started.
func (c *Courier) look(ctx context.Context) (started int, err error) {
	for {
		routed, err := c.out.Route(ctx, c.listeners, routeAtOnce)
		if err != nil {
			return started, err
		}
		if routed > 0 {
			failpoint.Hit("routed")
		}
		n, err := c.start(ctx)
		if started += n; err != nil || n+routed == 0 {
			return started, err
		}
	}
}

// start starts some of the tries that are due, and returns how many it claimed or found
// claimed.
func (c *Courier) start(ctx context.Context) (n int, err error) {
	if !c.turns.Free() || ctx.Err() != nil {
		return 0, nil
	}
	due, err := c.out.Due(ctx, c.listeners.Kinds, endpointPlaces)
	if err != nil {
		return 0, err
	}
	for d := c.next(&due); d != nil; d = c.next(&due) {
		n++
		p, err := c.out.ClaimDelivery(ctx, *d, c.longest(d.Lane)+c.opt.Slack)
		if err != nil || p == nil {
			c.leave(d.Tenant, d.Endpoint)
			if err != nil {
				return n, err
			}
			continue
		}
		c.flights.Go(func() { c.fly(ctx, p) })
	}
	return n, nil
}

// next takes a place for one of the deliveries, and takes it off the list: the first of the
// tenant whose turn it is. It returns nil if none may be tried now.
func (c *Courier) next(due *[]tasks.Due) *tasks.Due {
	c.mu.Lock()
	defer c.mu.Unlock()
	*due = slices.DeleteFunc(*due, func(d tasks.Due) bool { return c.busy[d.Endpoint] >= endpointPlaces })
	waiting := make([]turns.Waiting, len(*due))
	for i, d := range *due {
		waiting[i] = d.Waiting
	}
	i := c.turns.Next(waiting, 1)
	if i < 0 {
		return nil
	}
	d := (*due)[i]
	*due = slices.Delete(*due, i, i+1)
	c.busy[d.Endpoint]++
	return &d
}

// longest is how long one try can take.
func (c *Courier) longest(lane tasks.Lane) time.Duration {
	if lane == tasks.LaneCallback {
		return c.opt.CallbackTimeout
	}
	return c.opt.Client.Timeout
}

// leave gives back a place of a tenant, and of an endpoint.
func (c *Courier) leave(tenant, endpoint string) {
	c.turns.Leave(tenant)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy[endpoint]--; c.busy[endpoint] == 0 {
		delete(c.busy, endpoint)
	}
}
