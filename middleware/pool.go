package middleware

import "sync"

// These are the bounds of a pool.
const (
	poolChains  = 1000 // waiting chains beyond which add waits
	crowd       = 50   // waiting chains per grouping before another starts
	mostLeaders = 25   // groupings at once, including those blocked by a slow handler
)

// chain holds the jobs of one key that were fetched together. Its units run one after another.
type chain struct {
	units []*unit
	waits bool // a job of the chain must run again, and so must all later jobs
}

// pool holds the chains of a kind that wait to run in groups. While one group is committed, chains
// of all batches collect for the next group.
type pool struct {
	mu      sync.Mutex
	room    sync.Cond // signaled when chains are taken; its lock is mu
	chains  []*chain
	active  int // groupings not blocked by a slow handler
	leaders int // groupings
}

// add waits while the pool has more than poolChains chains. It then adds the given chains to the pool,
// and calls startGrouping.
func (t *tracker) add(chains []*chain) {
	p := &t.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.chains) > poolChains {
		p.room.Wait()
	}
	p.chains = append(p.chains, chains...)
	t.startGrouping()
}

// startGrouping starts a grouping if more than `crowd` chains wait for each active grouping. Without an
// active grouping, one chain is enough. A grouping is active unless a slow handler blocks it. At most four
// groupings are active, or one if the ledger has one writer. At most mostLeaders groupings exist. For few
// chains it starts no further grouping, since two small groups are slower than one large group. The caller
// holds pool.mu.
func (t *tracker) startGrouping() {
	p, most := &t.pool, 4
	if t.rec.ledger.OneWriter() {
		most = 1
	}
	if len(p.chains) <= crowd*p.active || p.active >= most || p.leaders >= mostLeaders {
		return
	}
	p.active++
	p.leaders++
	g := &grouping{t: t}
	go g.loop()
}

// pull adds the units of the next chain to the grouping. It returns false if no chain waits, or if another
// grouping has replaced this one.
func (g *grouping) pull() bool {
	p := &g.t.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.chains) == 0 || g.slowed {
		return false
	}
	g.units = append(g.units, p.chains[0].units...)
	p.chains = p.chains[1:]
	p.room.Broadcast()
	return true
}

// markSlow marks a grouping as blocked by a slow handler, so that another grouping may start.
func (g *grouping) markSlow() {
	p := &g.t.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	if !g.slowed && !g.left {
		g.slowed = true
		p.active--
		g.t.startGrouping()
	}
}

// leave ends a grouping that has no units, if no chain waits or if another grouping has replaced it. It
// reports whether the grouping has ended.
func (g *grouping) leave() bool {
	p := &g.t.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	if !g.slowed && len(p.chains) > 0 {
		return false
	}
	g.left = true
	p.leaders--
	if !g.slowed {
		p.active--
	}
	g.t.startGrouping()
	return true
}
