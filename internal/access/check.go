package access

import (
	"context"
	"crypto/subtle"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/find.sql
	findSQL string
	//go:embed sql/used.sql
	usedSQL string
)

// How credentials are remembered: how old an answer may be, how long it is
// known that a credential was good, how often its use is noted, and how long
// that may take. A note that is lost comes with the next use.
const (
	fresh       = time.Second
	remembered  = 10 * time.Minute
	usedEvery   = time.Minute
	usedTimeout = 300 * time.Millisecond
	findTimeout = 10 * time.Second
)

// seen is what the ledger said of a credential.
type seen struct {
	grant Grant
	at    time.Time
}

// Check returns what the secret of a key gives to a caller from an address. It returns
// ErrUnknown, ErrExpired, ErrRevoked or ErrGuessing. Credentials of other callers, good or
// wrong, have no effect on the result for a good one. With an error, the grant names the key
// of the credential, as far as it is known, and allows nothing; with ErrUnknown and
// ErrGuessing, the caller only claims to have that key.
func (s *Store) Check(ctx context.Context, secret, from string) (Grant, error) {
	return s.check(ctx, secret, keyMark, from)
}

// Session returns what a session gives; see Check.
func (s *Store) Session(ctx context.Context, secret, from string) (Grant, error) {
	return s.check(ctx, secret, sessionMark, from)
}

func (s *Store) check(ctx context.Context, secret, mark, from string) (Grant, error) {
	return s.remember(secret, from, strings.HasPrefix(secret, mark), func(known bool) (Grant, error) {
		switch {
		case !whole(secret, mark):
			return Grant{}, ErrUnknown
		case known:
			return s.ask(ctx, secret)
		}
		return s.askInLane(ctx, secret, from)
	})
}

// remember judges a credential from an address, or remembers it from a moment ago; may
// reports whether what is remembered of it could count. It judges first and counts wrong
// ones after: whether a good one is let in depends on no count. judge gets whether the
// credential was good in the last minutes.
func (s *Store) remember(secret, from string, may bool, judge func(known bool) (Grant, error)) (Grant, error) {
	now, sum := s.now(), digest(secret)
	old, known := s.recall(sum)
	known = known && may
	if known && old.fresh(now) {
		return within(old.grant, now)
	}
	g, err := judge(known)
	switch {
	case errors.Is(err, ErrUnknown):
		s.drop(sum)
		if s.guessed(secret, from, now) {
			return g, ErrGuessing
		}
	case errors.Is(err, ErrExpired), errors.Is(err, ErrRevoked):
		s.drop(sum)
	}
	return g, err
}

// fresh reports whether an answer is young enough to be given again.
func (k seen) fresh(now time.Time) bool {
	age := now.Sub(k.at)
	return age >= 0 && age < fresh
}

// askInLane looks up a secret that may be a guess, unless a request before it did.
func (s *Store) askInLane(ctx context.Context, secret, from string) (Grant, error) {
	leave, err := s.lanes.enter(ctx, block(from))
	if err != nil {
		return Grant{}, err
	}
	defer leave()
	now := s.now()
	if found, ok := s.recall(digest(secret)); ok && found.fresh(now) {
		return within(found.grant, now)
	}
	return s.ask(ctx, secret)
}

// ask looks a whole secret up, once for all callers that send it at the same time.
func (s *Store) ask(ctx context.Context, secret string) (Grant, error) {
	g, err := s.once(ctx, digest(secret), func(ctx context.Context) (any, error) {
		return s.find(ctx, secret)
	})
	grant, _ := g.(Grant) // with an error, it is none
	return grant, err
}

// once asks the ledger for all who want to know the same at the same time. Who
// goes away does not spoil it for the others.
func (s *Store) once(
	ctx context.Context, what string, f func(context.Context) (any, error),
) (any, error) {
	answer := s.one.DoChan(what, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), findTimeout)
		defer cancel()
		return f(ctx)
	})
	select {
	case r := <-answer:
		return r.Val, r.Err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// find asks the ledger. What it says is remembered as of before it was asked.
func (s *Store) find(ctx context.Context, secret string) (Grant, error) {
	now, sum := s.now(), digest(secret)
	var g Grant
	var stored string
	var until, expires, revoked, used int64
	_, err := ledger.Row(ctx, s.db.Reader(), findSQL, ledger.Args{"prefix": prefix(secret)},
		&stored, &until, &g.Key, &g.Name, &g.Tenant, &g.Role, &expires, &revoked, &used)
	if err != nil {
		return Grant{}, fmt.Errorf("access: look up %s: %w", prefix(secret), err)
	}
	if subtle.ConstantTimeCompare([]byte(stored), []byte(sum)) != 1 {
		return g.bare(), ErrUnknown
	}
	if revoked > 0 {
		return g.bare(), ErrRevoked
	}
	g.Role = g.Role.of(g.Tenant)
	g.Until = sooner(until, expires)
	if g, err := within(g, now); err != nil {
		return g, err
	}
	s.keep(sum, seen{g, now})
	if now.Sub(time.UnixMilli(used)) >= usedEvery {
		s.used(ctx, g.Key, now)
	}
	return g, nil
}

// sooner is the earlier of two times, of which 0 is never.
func sooner(a, b int64) int64 {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// within returns a grant whose time is not over, or else its name and ErrExpired.
func within(g Grant, now time.Time) (Grant, error) {
	if err := over(g, now); err != nil {
		return g.bare(), err
	}
	return g, nil
}

func over(g Grant, now time.Time) error {
	if g.Until > 0 && now.UnixMilli() >= g.Until {
		return ErrExpired
	}
	return nil
}

// used notes the use of a key, unless another use is being noted: lookups do not queue up
// behind a slow write.
func (s *Store) used(ctx context.Context, id string, now time.Time) {
	if !s.noting.TryLock() {
		return
	}
	defer s.noting.Unlock()
	ctx, cancel := context.WithTimeout(ctx, usedTimeout)
	defer cancel()
	_, _ = s.db.Writer().Exec(ctx, usedSQL, ledger.Args{
		"id": id, "now": now.UnixMilli(), "before": now.Add(-usedEvery).UnixMilli() + 1,
	})
}

func (s *Store) recall(sum string) (seen, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old, ok := s.seen[sum]
	return old, ok
}

// keep remembers what is good, and forgets what nobody came with for long.
func (s *Store) keep(sum string, what seen) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, there := s.seen[sum]; !there {
		maps.DeleteFunc(s.seen, func(_ string, old seen) bool { return what.at.Sub(old.at) > remembered })
	}
	s.seen[sum] = what
}

func (s *Store) drop(sum string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.seen, sum)
}

// forget has the next use of a key ask the ledger: this process has changed it.
func (s *Store) forget(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.seen, func(_ string, old seen) bool { return old.grant.Key == id })
}
