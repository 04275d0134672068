package notify

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/periodic"
	"github.com/rollcall-dev/rollcall/internal/turns"
)

// Topic is the pub/sub topic that wakes the deliverers of other processes.
const Topic = "deliveries"

// routeAtOnce is the maximum number of notices that one transaction routes.
const routeAtOnce = 100

// wakeDelay is how long a deliverer collects wake-ups, since each commit wakes it.
const wakeDelay = 100 * time.Millisecond

// keepLog is how long deliveries are kept after they and their tasks have ended. Older deliveries are
// removed once per sweepEvery.
const (
	keepLog    = 30 * 24 * time.Hour
	sweepEvery = time.Hour
)

// Deliverer is a loop that delivers notifications to webhooks, callback URLs and the Go callbacks of
// its kinds. Any number of processes may run a Deliverer.
type Deliverer struct {
	store    *Store
	events   *events.Store
	kinds    *jobs.Registry
	subs     Subscribers
	opt      DelivererOptions
	wake     periodic.Wake // signaled when a delivery is due, or a permit is free
	waking   atomic.Bool   // a signal of wake is scheduled
	attempts sync.WaitGroup
	turns    *turns.Turns

	mu      sync.Mutex
	running map[string]int // attempts in progress, by endpoint
}

// NewDeliverer returns a deliverer for the kinds of a registry.
func NewDeliverer(store *Store, es *events.Store, kinds *jobs.Registry, opt DelivererOptions) *Deliverer {
	return &Deliverer{
		store: store, events: es, kinds: kinds, subs: subscribersOf(kinds), opt: opt.withDefaults(),
		wake: periodic.NewWake(), turns: turns.New(permits), running: map[string]int{},
	}
}

// Wake makes the deliverer poll the ledger within wakeDelay. Call it after a commit.
func (d *Deliverer) Wake() {
	if d.waking.CompareAndSwap(false, true) {
		time.AfterFunc(wakeDelay, func() { d.waking.Store(false); d.wake.Signal() })
	}
}

// Run delivers notifications until ctx ends. A message on the channel `notified`, which may be nil,
// makes Run poll the ledger. When ctx ends, Run cancels running callbacks. It waits for callbacks and
// requests for up to abandonAfter.
func (d *Deliverer) Run(ctx context.Context, notified <-chan string) {
	defer d.opt.Client.CloseIdleConnections()
	defer d.wait()
	defer periodic.Beside(ctx, sweepEvery, d.sweep)()
	periodic.Loop{
		Every: d.opt.Poll, Wake: d.wake, Notify: notified, Log: d.opt.Log, Failed: "delivering notifications failed",
	}.Run(ctx, func(ctx context.Context) error {
		_, err := d.startDue(ctx)
		return err
	})
}

func (d *Deliverer) sweep(ctx context.Context) {
	n, err := d.store.Sweep(ctx, keepLog)
	switch {
	case err != nil && ctx.Err() == nil:
		d.opt.Log.Error("deleting old deliveries failed", "err", err)
	case n > 0:
		d.opt.Log.Info("deleted old deliveries", "notifications", n)
	}
}

// abandonAfter is how long Run waits for delivery attempts after ctx has ended. No request of the default
// client takes that long.
const abandonAfter = 20 * time.Second

// wait waits for the delivery attempts in progress. It abandons a callback that ignores its canceled
// context; the claim of that delivery expires.
func (d *Deliverer) wait() {
	done := make(chan struct{})
	go func() { defer close(done); d.attempts.Wait() }()
	select {
	case <-done:
	case <-time.After(abandonAfter):
		d.opt.Log.Error("a callback ignores its canceled context and is abandoned")
	}
}

// Deliver routes all notices, makes all delivery attempts that are due, and waits for them.
func (d *Deliverer) Deliver(ctx context.Context) error {
	for {
		started, err := d.startDue(ctx)
		d.attempts.Wait()
		if err != nil || started == 0 {
			return err
		}
	}
}

// startDue routes notices, and starts due delivery attempts while permits are free. It returns how many
// deliveries it tried to claim.
func (d *Deliverer) startDue(ctx context.Context) (started int, err error) {
	for {
		routed, err := d.store.Route(ctx, d.subs, routeAtOnce)
		if err != nil {
			return started, err
		}
		if routed > 0 {
			failpoint.Hit("routed")
		}
		n, err := d.start(ctx)
		if started += n; err != nil || n+routed == 0 {
			return started, err
		}
	}
}
