package boot

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// pingFresh is how old the answer of a part may be. Any client may send probes, as many as it
// likes.
const pingFresh = time.Second

// How long the parts of a service may take to answer a ping.
const (
	ledgerPing = 2 * time.Second
	queuePing  = time.Second
)

// ping asks a part of the service whether it answers: once for all callers within pingFresh.
type ping struct {
	ask     func(context.Context) error
	timeout time.Duration

	one singleflight.Group
	mu  sync.Mutex
	at  time.Time // of err
	err error
}

// openPings makes the pings of /readyz. The ledger must answer; Redis may be away: reading tasks
// and accepting uploads go on without it.
func (a *app) openPings() {
	a.ledgerReady = ping{ask: a.db.Ping, timeout: ledgerPing}
	a.queueReady = ping{ask: func(ctx context.Context) error { return a.rdb.Ping(ctx).Err() }, timeout: queuePing}
}

// answer returns why the part does not answer, nil if it does.
func (p *ping) answer(ctx context.Context) error {
	if fresh, err := p.last(); fresh {
		return err
	}
	answer := p.one.DoChan("", func() (any, error) {
		if fresh, err := p.last(); fresh {
			return nil, err
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), p.timeout)
		defer cancel()
		return nil, p.keep(p.ask(ctx))
	})
	select {
	case r := <-answer:
		return r.Err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// last returns the last answer, and whether it is fresh.
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
