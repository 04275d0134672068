package access

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/known.sql
	knownSQL string
	//go:embed sql/vouch.sql
	vouchSQL string
)

// known is what is recorded of a person. The zero value is of a person who was never here.
type known struct {
	role    Role
	vouched int64 // unix ms at which the newest token was issued
	revoked int64
	used    int64
}

// recognize returns what a token gives to a person. It records the person at the first token,
// and name and role at each newer one: at most once a second, since issuers date tokens by
// the second. A token that is older than the newest gives the lesser role of both.
func (s *Store) recognize(ctx context.Context, p Person) (Grant, error) {
	k, err := s.known(ctx, p.id())
	if err == nil && k.revoked > 0 {
		err = ErrRevoked
	}
	if err != nil {
		return p.grant().bare(), err
	}
	now := s.now()
	issued := p.issued(now)
	switch {
	case k.role == "" || issued > k.vouched:
		err = s.vouch(ctx, p, issued)
	case now.Sub(time.UnixMilli(k.used)) >= usedEvery:
		s.used(ctx, p.id(), now)
	}
	if err != nil {
		return p.grant().bare(), err
	}
	if k.role != "" && issued < k.vouched {
		p.Role = lesser(p.Role, k.role)
	}
	return p.grant(), nil
}

// known looks a person up.
func (s *Store) known(ctx context.Context, id string) (k known, err error) {
	_, err = ledger.Row(ctx, s.db.Reader(), knownSQL, ledger.Args{"id": id}, &k.role, &k.vouched, &k.revoked, &k.used)
	if err != nil {
		return known{}, fmt.Errorf("access: look up %s: %w", id, err)
	}
	return k, nil
}

// vouch records a person by a token that was issued at a time, once for all requests with
// tokens of that person at the same time.
func (s *Store) vouch(ctx context.Context, p Person, issued int64) error {
	_, err := s.once(ctx, fmt.Sprint("vouch ", p.id(), issued), func(ctx context.Context) (any, error) {
		return nil, s.db.InTx(ctx, func(tx ledger.Tx) error {
			if err := s.enter(ctx, tx, p, issued); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, usedSQL, ledger.Args{
				"id": p.id(), "now": s.now().UnixMilli(), "before": s.now().Add(-usedEvery).UnixMilli() + 1,
			})
			return err
		})
	})
	s.forget(p.id())
	if err != nil {
		return fmt.Errorf("access: record %s: %w", p.id(), err)
	}
	s.any.Store(true)
	return nil
}

// mostAhead is how far the clock of an issuer may be ahead.
const mostAhead = time.Minute

// issued returns when the issuer vouched for a person, in unix ms, but no later than mostAhead
// from now. Without this bound, one token of a clock that is far ahead would make all later
// tokens count as old. It returns 0 if the token has no time.
func (p Person) issued(now time.Time) int64 {
	if p.Issued.IsZero() {
		return 0
	}
	return max(0, min(p.Issued.UnixMilli(), now.Add(mostAhead).UnixMilli()))
}

// lesser returns the role that may less.
func lesser(a, b Role) Role {
	if slices.Index(Roles(), a) < slices.Index(Roles(), b) {
		return a
	}
	return b
}
