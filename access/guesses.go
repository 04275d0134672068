package access

import (
	"maps"
	"net/netip"
	"sync"
	"time"
)

// GuessPause is how long who guesses has to wait: an address gets 20 wrong
// credentials in that time. Credentials that were good a moment ago go on, so
// that nobody is shut out by another behind the same proxy.
const GuessPause = time.Minute

const (
	mostGuesses = 20
	mostGuesser = 10_000 // addresses that are remembered
)

// guesses counts wrong credentials by address. The zero value works.
type guesses struct {
	mu sync.Mutex
	by map[string]tries
}

type tries struct {
	n     int
	since time.Time
}

// over tells whether an address has guessed too often.
func (g *guesses) over(from string, now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	t := g.by[block(from)]
	return t.n >= mostGuesses && now.Sub(t.since) < GuessPause
}

func (g *guesses) add(from string, now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	t := g.by[block(from)]
	if now.Sub(t.since) >= GuessPause {
		t = tries{since: now}
	}
	t.n++
	if g.by == nil || len(g.by) >= mostGuesser {
		g.shrink(now)
	}
	g.by[block(from)] = t
}

// shrink makes room: for what is old first, else for all.
func (g *guesses) shrink(now time.Time) {
	maps.DeleteFunc(g.by, func(_ string, t tries) bool { return now.Sub(t.since) >= GuessPause })
	if g.by == nil || len(g.by) >= mostGuesser {
		g.by = map[string]tries{}
	}
}

// block is what an address is counted as: an IPv6 network belongs to one user.
func block(from string) string {
	ip, err := netip.ParseAddr(from)
	if err != nil || ip.Unmap().Is4() {
		return from
	}
	net, err := ip.Prefix(64)
	if err != nil {
		return from
	}
	return net.String()
}
