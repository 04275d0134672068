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
	//go:embed sql/record_issued.sql
	recordIssuedSQL string
)

// personRecord holds the stored data of a person. It is the zero value if the ledger does not have the
// person.
type personRecord struct {
	role    Role
	vouched int64 // unix ms at which the newest token was issued
	revoked int64
	used    int64
}

// recognize returns the rights of a person's token, or ErrRevoked if the person is revoked. The first token
// records the person. A token that was issued after all recorded tokens updates the name and role. An older
// token has the rights of the lesser role: its own role or the recorded role.
func (s *Store) recognize(ctx context.Context, p Person) (Grant, error) {
	k, err := s.record(ctx, p.id())
	if err == nil && k.revoked > 0 {
		err = ErrRevoked
	}
	if err != nil {
		return p.grant().withoutRights(), err
	}
	now := s.now()
	issued := p.issued(now)
	switch {
	case k.role == "" || issued > k.vouched:
		err = s.recordOnce(ctx, p, issued)
	case now.Sub(time.UnixMilli(k.used)) >= usedEvery:
		s.recordUse(ctx, p.id(), now)
	}
	if err != nil {
		return p.grant().withoutRights(), err
	}
	if k.role != "" && issued < k.vouched {
		p.Role = lesser(p.Role, k.role)
	}
	return p.grant(), nil
}

func (s *Store) record(ctx context.Context, id string) (k personRecord, err error) {
	_, err = ledger.Row(ctx, s.db.Reader(), knownSQL, ledger.Args{"id": id}, &k.role, &k.vouched, &k.revoked, &k.used)
	if err != nil {
		return personRecord{}, fmt.Errorf("access: look up %s: %w", id, err)
	}
	return k, nil
}

// recordOnce records a person with the name and role in a token. The argument `issued` is the time at which
// the token was issued, in unix ms. Concurrent requests with tokens of the same issue time share one write.
func (s *Store) recordOnce(ctx context.Context, p Person, issued int64) error {
	_, err := s.once(ctx, fmt.Sprint("record ", p.id(), issued), func(ctx context.Context) (any, error) {
		return nil, s.db.InTx(ctx, func(tx ledger.Tx) error {
			if err := s.recordPerson(ctx, tx, p, issued); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, recordUseSQL, ledger.Args{
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

// mostAhead is how far in the future the issue time of a token may be. A later time is reduced to this
// limit.
const mostAhead = time.Minute

// issued returns the time at which a person's token was issued, in unix ms, or 0 if the token has no time.
// It returns at most the current time plus mostAhead. Otherwise, after one token from a fast clock, all
// later tokens would count as older.
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
