package access

import (
	"maps"
	"net/netip"
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/internal/conns"
)

// GuessPause is the time for which wrong credentials are counted. After 20 from one address range, or 20
// with the same prefix, Check returns ErrGuessing for further wrong credentials. A valid credential is
// never rejected because of these counts.
const GuessPause = time.Minute

const (
	mostGuesses = 20
	mostGuesser = 10_000 // the most address ranges, or prefixes of credentials, with a count
)

// guesses holds the counts of wrong credentials, by address range or by the prefix of the credential.
// The zero value works.
type guesses struct {
	mu sync.Mutex
	by map[string]tries
}

type tries struct {
	n     int
	since time.Time
}

// add counts a wrong credential and reports whether the count exceeds mostGuesses.
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

// shrink removes counts older than GuessPause. If at least mostGuesser counts are left, it removes all.
func (g *guesses) shrink(now time.Time) {
	maps.DeleteFunc(g.by, func(_ string, t tries) bool { return now.Sub(t.since) >= GuessPause })
	if g.by == nil || len(g.by) >= mostGuesser {
		g.by = map[string]tries{}
	}
}

// guessed counts a wrong credential by its address range and, if it has the form of a secret, by
// its prefix. It reports whether either count exceeds the limit.
func (s *Store) guessed(secret, from string, now time.Time) (tooMany bool) {
	tooMany = s.guessers.add(rangeOf(from), now)
	if name := Shown(secret); name != "" {
		tooMany = s.claims.add(name, now) || tooMany
	}
	return tooMany
}

// rangeOf returns the address range to which an address belongs. Addresses of one range share one count. A
// `from` that is not an address is returned unchanged.
func rangeOf(from string) string {
	addr, err := netip.ParseAddr(from)
	if err != nil {
		return from
	}
	return conns.Client(addr).String()
}
