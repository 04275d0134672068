package middleware

import "sync"

// Bounds of a pool.
const (
	poolChains  = 1000 // waiting chains; beyond that, batches wait to add more
	crowd       = 50   // waiting chains per grouping before another starts
	mostLeaders = 25   // groupings at once, including those blocked by a slow handler
)

// chain holds the jobs of one key that were fetched together. They run one after another.
type chain struct {
	units []*unit
	waits bool // a job of the chain must run again, and so must the jobs after it
}

// pool holds the chains of a kind that wait to run in groups. While one group is committed, the
// next collects from all batches.
type pool struct {
	mu      sync.Mutex
	room    sync.Cond // on mu: chains were taken
	chains  []*chain
	busy    int // groupings not blocked by a slow handler
	leaders int // groupings
}

// add adds chains, and starts a grouping unless there are enough.
func (t *tracker) add(chains []*chain) {
	p := &t.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.chains) > poolChains {
		p.room.Wait()
	}
	p.chains = append(p.chains, chains...)
	t.lead()
}

// lead starts a grouping if the waiting chains have none, or if many wait: two small groups are
// slower than one large group. Needs pool.mu.
func (t *tracker) lead() {
	p, most := &t.pool, 4
	if t.rec.ledger.OneWriter() {
		most = 1
	}
	if len(p.chains) <= crowd*p.busy || p.busy >= most || p.leaders >= mostLeaders {
		return
	}
	p.busy++
	p.leaders++
	g := &grouping{t: t}
	go g.loop()
}

// pull adds the units of the next chain. It returns false if there is none, or if another grouping
// has taken its place.
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

// slow lets another grouping start beside a grouping that a slow handler blocks.
func (g *grouping) slow() {
	p := &g.t.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	if !g.slowed && !g.left {
		g.slowed = true
		p.busy--
		g.t.lead()
	}
}

// leave ends a grouping without units if no chain waits, or if a slow handler blocked it and
// another has taken its place. It reports whether the grouping has ended.
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
		p.busy--
	}
	g.t.lead()
	return true
}
