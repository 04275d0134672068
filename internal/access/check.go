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
	//go:embed sql/record_use.sql
	recordUseSQL string
)

// These are the settings of the credential cache, and of lookups in the ledger.
const (
	fresh       = time.Second            // a cached result is reused for this time
	remembered  = 10 * time.Minute       // a valid credential stays cached at least this long after its last lookup
	usedEvery   = time.Minute            // the use of a key is recorded at most once in this time
	usedTimeout = 300 * time.Millisecond // a slower record of a use is canceled; the next lookup repeats it
	findTimeout = 10 * time.Second       // longest lookup in the ledger, and longest wait for its start
)

// seen is a cached result: the rights of a valid credential, and the time of the check.
type seen struct {
	grant Grant
	at    time.Time
}

// Check returns the rights of an API key's secret. The argument `from` is the IP address of the caller.
// For a secret without rights, Check returns ErrUnknown, ErrExpired, ErrRevoked or ErrGuessing. Any
// other error means that the check could not be made. Wrong credentials from other callers do not change
// the result for a valid one.
//
// With an error, the returned grant has no rights, but contains the id of the API key, if known. With
// ErrUnknown and ErrGuessing, the caller has not proved that it owns this key.
func (s *Store) Check(ctx context.Context, secret, from string) (Grant, error) {
	return s.check(ctx, secret, keyTag, from)
}

// Session returns the rights of a session's secret. It returns the same errors as Check.
func (s *Store) Session(ctx context.Context, secret, from string) (Grant, error) {
	return s.check(ctx, secret, sessionTag, from)
}

func (s *Store) check(ctx context.Context, secret, tag, from string) (Grant, error) {
	return s.checkCached(secret, from, strings.HasPrefix(secret, tag), func(known bool) (Grant, error) {
		switch {
		case !wellFormed(secret, tag):
			return Grant{}, ErrUnknown
		case known:
			return s.lookUp(ctx, secret)
		}
		return s.lookUpGuess(ctx, secret, from)
	})
}

// checkCached returns the cached result for a credential, or calls `judge`. The argument `cacheable` means
// that the cache may hold a result for this credential. The argument of `judge` is true if the cache holds
// a valid result that is too old to be reused.
//
// checkCached counts a wrong credential only after `judge` has rejected it. A valid credential is therefore
// accepted even if the count exceeds the limit.
func (s *Store) checkCached(secret, from string, cacheable bool, judge func(known bool) (Grant, error)) (Grant, error) {
	now, sum := s.now(), digest(secret)
	old, known := s.recall(sum)
	known = known && cacheable
	if known && old.fresh(now) {
		return unexpired(old.grant, now)
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

func (k seen) fresh(now time.Time) bool {
	age := now.Sub(k.at)
	return age >= 0 && age < fresh
}

// lookUpGuess looks up a secret that may be a guess. It first waits until the constants lookupsOfAll and
// lookupsOfRange allow one more lookup. If another request has found the same secret meanwhile, it
// returns the result of that request.
func (s *Store) lookUpGuess(ctx context.Context, secret, from string) (Grant, error) {
	leave, err := s.lookups.enter(ctx, rangeOf(from))
	if err != nil {
		return Grant{}, err
	}
	defer leave()
	now := s.now()
	if found, ok := s.recall(digest(secret)); ok && found.fresh(now) {
		return unexpired(found.grant, now)
	}
	return s.lookUp(ctx, secret)
}

// lookUp looks up a well-formed secret. Callers that send the same secret at the same time share one
// lookup.
func (s *Store) lookUp(ctx context.Context, secret string) (Grant, error) {
	g, err := s.once(ctx, digest(secret), func(ctx context.Context) (any, error) {
		return s.find(ctx, secret)
	})
	grant, _ := g.(Grant) // empty with an error
	return grant, err
}

// once calls `f` once for all concurrent callers with the same `what`. If the context of one caller ends,
// `f` still runs for the others.
func (s *Store) once(
	ctx context.Context, what string, f func(context.Context) (any, error),
) (any, error) {
	answer := s.one.Do(what, func() (any, error) {
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

// find reads a secret from the ledger, and records the use of its API key. It caches a valid result with
// a time before the query, so that the result never seems newer than it is.
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
		return g.withoutRights(), ErrUnknown
	}
	if revoked > 0 {
		return g.withoutRights(), ErrRevoked
	}
	g.Role = g.Role.withTenant(g.Tenant)
	g.Until = sooner(until, expires)
	if g, err := unexpired(g, now); err != nil {
		return g, err
	}
	s.keep(sum, seen{g, now})
	if now.Sub(time.UnixMilli(used)) >= usedEvery {
		s.recordUse(ctx, g.Key, now)
	}
	return g, nil
}

// sooner returns the earlier of two times in unix ms. The value 0 means never.
func sooner(a, b int64) int64 {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// unexpired returns an unexpired grant unchanged. For an expired grant, it returns the grant without
// rights, and ErrExpired.
func unexpired(g Grant, now time.Time) (Grant, error) {
	if err := over(g, now); err != nil {
		return g.withoutRights(), err
	}
	return g, nil
}

func over(g Grant, now time.Time) error {
	if g.Until > 0 && now.UnixMilli() >= g.Until {
		return ErrExpired
	}
	return nil
}

// recordUse records the use of an API key, unless another use is being recorded. At most one lookup at a
// time therefore waits for such a write, for at most usedTimeout.
func (s *Store) recordUse(ctx context.Context, id string, now time.Time) {
	if !s.noting.TryLock() {
		return
	}
	defer s.noting.Unlock()
	ctx, cancel := context.WithTimeout(ctx, usedTimeout)
	defer cancel()
	_, _ = s.db.Writer().Exec(ctx, recordUseSQL, ledger.Args{
		"id": id, "now": now.UnixMilli(), "before": now.Add(-usedEvery).UnixMilli() + 1,
	})
}

func (s *Store) recall(sum string) (seen, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old, ok := s.seen[sum]
	return old, ok
}

// keep caches a valid result. When it adds a secret, it removes results that are older than the
// constant `remembered`.
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

// forget removes the cached results of an API key, after this process has changed the API key.
func (s *Store) forget(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.seen, func(_ string, old seen) bool { return old.grant.Key == id })
}
