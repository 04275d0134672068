package boot

import (
	"context"
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/internal/flight"
)

// pingFresh is how long the result of a ping is reused. Clients may send any number of probes.
const pingFresh = time.Second

// The timeouts of pings.
const (
	ledgerPing = 2 * time.Second
	queuePing  = time.Second
)

// ping checks whether a part of the service answers, once for all callers within pingFresh.
type ping struct {
	ask     func(context.Context) error
	timeout time.Duration

	one flight.Group[struct{}]
	mu  sync.Mutex
	at  time.Time // of err
	err error
}

// openPings makes the pings of /readyz. The ledger must answer. Redis may be down: reading tasks
// and accepting uploads work without it.
func (a *app) openPings() {
	a.ledgerReady = ping{ask: a.db.Ping, timeout: ledgerPing}
	a.queueReady = ping{ask: func(ctx context.Context) error { return a.rdb.Ping(ctx).Err() }, timeout: queuePing}
}

// answer returns the error of the part, nil if it answers.
func (p *ping) answer(ctx context.Context) error {
	if fresh, err := p.last(); fresh {
		return err
	}
	answer := p.one.Do("", func() (struct{}, error) {
		if fresh, err := p.last(); fresh {
			return struct{}{}, err
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), p.timeout)
		defer cancel()
		return struct{}{}, p.keep(p.ask(ctx))
	})
	select {
	case r := <-answer:
		return r.Err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// last returns the last result, and reports whether it is fresh.
func (p *ping) last() (fresh bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.at.IsZero() && time.Since(p.at) < pingFresh, p.err
}

func (p *ping) keep(err error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at, p.err = time.Now(), err
	return err
}
