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

// Settings of the cache of credentials: the age of a reused result, the time that a good credential
// is remembered, the interval of recorded uses, and the timeout of a record. The next use repeats a
// lost record.
const (
	fresh       = time.Second
	remembered  = 10 * time.Minute
	usedEvery   = time.Minute
	usedTimeout = 300 * time.Millisecond
	findTimeout = 10 * time.Second
)

// seen is the cached result of a check.
type seen struct {
	grant Grant
	at    time.Time
}

// Check returns the rights of a key's secret for a caller from an address. It returns ErrUnknown,
// ErrExpired, ErrRevoked or ErrGuessing. Credentials of other callers, good or wrong, do not change
// the result for a good one. With an error, the grant names the key of the credential, if known,
// and allows nothing. With ErrUnknown and ErrGuessing, the caller only claims to have that key.
func (s *Store) Check(ctx context.Context, secret, from string) (Grant, error) {
	return s.check(ctx, secret, keyMark, from)
}

// Session returns the rights of a session; see Check.
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

// remember checks a credential from an address, or returns a cached result; may reports whether the
// cached result can apply. It checks first and counts wrong credentials afterwards: a good one is
// accepted whatever the count. known reports to judge whether the credential was good in the last
// minutes.
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

// fresh reports whether a result is recent enough to be reused.
func (k seen) fresh(now time.Time) bool {
	age := now.Sub(k.at)
	return age >= 0 && age < fresh
}

// askInLane looks up a secret that may be a guess, unless an earlier request has done so.
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

// ask looks up a well-formed secret, once for all callers that send it at the same time.
func (s *Store) ask(ctx context.Context, secret string) (Grant, error) {
	g, err := s.once(ctx, digest(secret), func(ctx context.Context) (any, error) {
		return s.find(ctx, secret)
	})
	grant, _ := g.(Grant) // empty with an error
	return grant, err
}

// once runs f once for all concurrent callers with the same key. If one caller's context ends, f
// continues for the others.
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

// find looks a secret up in the ledger. The result is cached with the time before the query.
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

// sooner returns the earlier of two times; 0 means never.
func sooner(a, b int64) int64 {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// within returns a grant that has not expired. For an expired grant it returns the name and
// ErrExpired.
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

// used records the use of a key, unless another use is being recorded: lookups do not wait for a
// slow write.
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

// keep caches a good result, and removes results unused for long.
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

// forget removes a key changed by this process from the cache.
func (s *Store) forget(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.seen, func(_ string, old seen) bool { return old.grant.Key == id })
}
