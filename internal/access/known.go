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

// known is the record of a person. The zero value means that the person is new.
type known struct {
	role    Role
	vouched int64 // unix ms at which the newest token was issued
	revoked int64
	used    int64
}

// recognize returns the rights of a person's token. It records the person at the first token. At
// each newer token it updates name and role, at most once a second, since issuers date tokens by
// the second. A token older than the newest gives the lesser role of both.
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

// known returns the record of a user.
func (s *Store) known(ctx context.Context, id string) (k known, err error) {
	_, err = ledger.Row(ctx, s.db.Reader(), knownSQL, ledger.Args{"id": id}, &k.role, &k.vouched, &k.revoked, &k.used)
	if err != nil {
		return known{}, fmt.Errorf("access: look up %s: %w", id, err)
	}
	return k, nil
}

// vouch records a person by a token issued at a time, once for all concurrent requests with tokens
// of that person.
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

// mostAhead is the tolerated error of an issuer's clock.
const mostAhead = time.Minute

// issued returns when the issuer made the token of a person, in unix ms, at most mostAhead from
// now. Without this bound, one token of a fast clock would make all later tokens count as old. It
// returns 0 if the token has no time.
func (p Person) issued(now time.Time) int64 {
	if p.Issued.IsZero() {
		return 0
	}
	return max(0, min(p.Issued.UnixMilli(), now.Add(mostAhead).UnixMilli()))
}

// lesser returns the role with fewer rights.
func lesser(a, b Role) Role {
	if slices.Index(Roles(), a) < slices.Index(Roles(), b) {
		return a
	}
	return b
}
