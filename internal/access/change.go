package access

import (
	"context"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// forgetAfter is the minimum time for which the digest of an expired secret stays stored. While it is
// stored, requests with the secret are rejected with ErrExpired; after its deletion, with ErrUnknown.
const forgetAfter = 30 * 24 * time.Hour

// Revoke revokes an API key or a person of a tenant, which ends all sessions of this key or person.
// Within a second, every process rejects the credential. Revoking a revoked key is a no-op. Revoke
// returns ErrNotFound for an unknown key or person.
func (s *Store) Revoke(ctx context.Context, actor, tenant, id string) error {
	if _, err := s.Get(ctx, tenant, id); err != nil {
		return err
	}
	err := s.db.InTx(ctx, func(tx ledger.Tx) error { return s.revoke(ctx, tx, actor, Key{ID: id, Tenant: tenant}) })
	s.forget(id)
	if err != nil {
		return fmt.Errorf("access: revoke %q: %w", id, err)
	}
	return nil
}

// revoke revokes an API key of a tenant, unless the key is already revoked.
func (s *Store) revoke(ctx context.Context, tx ledger.Tx, actor string, k Key) error {
	n, err := tx.Exec(ctx, revokeSQL, ledger.Args{"id": k.ID, "tenant": k.Tenant, "now": s.now().UnixMilli()})
	if err != nil || n == 0 {
		return err
	}
	return s.note(ctx, tx, change{k.Tenant, k.ID, actor, "revoke", ""})
}

// Rotate gives a tenant's API key a new secret and returns the secret. No other method returns the secret.
// The argument `grace` is the time for which the old secret and its sessions stay valid, unless they
// expire earlier. With 0, they end immediately. Rotate returns ErrDraft for a grace below 0 or above
// MaxGrace. It returns ErrNotFound for an unknown, expired or revoked key, and for a person.
func (s *Store) Rotate(
	ctx context.Context, actor, tenant, id string, grace time.Duration,
) (secret string, err error) {
	if grace < 0 || grace > MaxGrace {
		return "", fmt.Errorf("%w: the grace must be from 0 to %s", ErrDraft, MaxGrace)
	}
	secret = newSecret(keyTag)
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		if err := s.rotate(ctx, tx, secret, tenant, id, grace); err != nil {
			return err
		}
		return s.note(ctx, tx, change{tenant, id, actor, "rotate", "grace " + grace.String()})
	})
	s.forget(id)
	if err != nil {
		return "", fmt.Errorf("access: rotate %q: %w", id, err)
	}
	return secret, nil
}

func (s *Store) rotate(
	ctx context.Context, tx ledger.Tx, secret, tenant, id string, grace time.Duration,
) error {
	now := s.now()
	n, err := tx.Exec(ctx, rotateSQL, ledger.Args{
		"id": id, "tenant": tenant, "prefix": prefix(secret), "now": now.UnixMilli(),
	})
	if err == nil && n == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, shortenSQL, ledger.Args{"id": id, "until": now.Add(grace).UnixMilli()})
	if err != nil {
		return err
	}
	if err := s.addSecret(ctx, tx, id, secret, 0); err != nil {
		return err
	}
	return sweep(ctx, tx, now)
}

// sweep deletes secrets that ended more than forgetAfter ago.
func sweep(ctx context.Context, tx ledger.Tx, now time.Time) error {
	_, err := tx.Exec(ctx, sweepSQL, ledger.Args{"before": now.Add(-forgetAfter).UnixMilli()})
	return err
}
