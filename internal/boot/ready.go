package boot

import (
	"context"
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/internal/flight"
)

// pingFresh is how long the result of a ping is reused. Clients may send any number of health checks.
const pingFresh = time.Second

// ledgerPing and queuePing are the timeouts of pings.
const (
	ledgerPing = 2 * time.Second
	queuePing  = time.Second
)

// ping is a check that the ledger or Redis is reachable, with its last result. All callers within pingFresh
// share one check.
type ping struct {
	ask     func(context.Context) error
	timeout time.Duration

	one flight.Group[struct{}]
	mu  sync.Mutex
	at  time.Time // time of err
	err error
}

// openPings prepares the checks of /readyz. A process is ready only if the ledger is reachable. The API is
// ready without Redis, because it can still return tasks and accept uploads. The /readyz of METRICS_LISTEN
// also requires Redis.
func (a *app) openPings() {
	a.ledgerReady = ping{ask: a.db.Ping, timeout: ledgerPing}
	a.queueReady = ping{ask: func(ctx context.Context) error { return a.rdb.Ping(ctx).Err() }, timeout: queuePing}
}

// answer returns the result of a check that is at most pingFresh old: nil if the server was reachable. If
// the last result is older, it makes a new check. If `ctx` ends during the check, it returns the cause.
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

// last returns the last result, and reports whether it may be reused.
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
