package access

import (
	"maps"
	"net/netip"
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/internal/conns"
)

// GuessPause is the window for wrong credentials: 20 per address, and 20 that claim to be the same
// credential. Check then returns ErrGuessing for more wrong ones. A good credential is never
// refused because of them.
const GuessPause = time.Minute

const (
	mostGuesses = 20
	mostGuesser = 10_000 // addresses, or claimed credentials, with a count
)

// guesses counts wrong credentials by address, or by claimed credential. The zero value works.
type guesses struct {
	mu sync.Mutex
	by map[string]tries
}

type tries struct {
	n     int
	since time.Time
}

// add counts a wrong credential and reports whether it exceeds the limit.
func (g *guesses) add(by string, now time.Time) (tooMany bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	t := g.by[by]
	if now.Sub(t.since) >= GuessPause {
		t = tries{since: now}
	}
	t.n++
	if g.by == nil || len(g.by) >= mostGuesser {
		g.shrink(now)
	}
	g.by[by] = t
	return t.n > mostGuesses
}

// shrink removes old counts, or all if none is old.
func (g *guesses) shrink(now time.Time) {
	maps.DeleteFunc(g.by, func(_ string, t tries) bool { return now.Sub(t.since) >= GuessPause })
	if g.by == nil || len(g.by) >= mostGuesser {
		g.by = map[string]tries{}
	}
}

// guessed counts a wrong credential from an address and reports whether it exceeds a limit.
func (s *Store) guessed(secret, from string, now time.Time) (tooMany bool) {
	tooMany = s.guessers.add(block(from), now)
	if name := Shown(secret); name != "" {
		tooMany = s.claims.add(name, now) || tooMany
	}
	return tooMany
}

// block returns the address range under which an address is counted.
func block(from string) string {
	addr, err := netip.ParseAddr(from)
	if err != nil {
		return from
	}
	return conns.Client(addr).String()
}
