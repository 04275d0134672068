package access

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/lock_key.sql
	lockKeySQL string
	//go:embed sql/sign_in.sql
	signInSQL string
	//go:embed sql/sign_out.sql
	signOutSQL string
)

// SignIn starts a session with the secret of an API key. The session ends after `ttl`, by SignOut, or
// with the secret. A secret ends when its API key expires, is revoked or is rotated. SignIn returns the
// same errors as Check.
func (s *Store) SignIn(
	ctx context.Context, secret, from string, ttl time.Duration,
) (session string, err error) {
	g, err := s.Check(ctx, secret, from)
	if err != nil {
		return "", err
	}
	session = newSecret(sessionTag)
	until := sooner(s.now().Add(ttl).UnixMilli(), g.Until)
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		if err := s.signIn(ctx, tx, g.Key, ledger.Args{
			"prefix": prefix(session), "digest": digest(session), "until": until,
			"now": s.now().UnixMilli(), "by": prefix(secret), "by_digest": digest(secret),
		}); err != nil {
			return err
		}
		return sweep(ctx, tx, s.now())
	})
	if err != nil {
		return "", fmt.Errorf("access: sign in: %w", err)
	}
	return session, nil
}

// signIn adds a session to the ledger. It reads the API key from the ledger, because the cache may
// still hold a secret that was just revoked.
func (s *Store) signIn(ctx context.Context, tx ledger.Tx, id string, args ledger.Args) error {
	if err := s.hold(ctx, tx, id); err != nil {
		return err
	}
	n, err := tx.Exec(ctx, signInSQL, args)
	if err == nil && n == 0 {
		err = ErrExpired
	}
	return err
}

// hold locks an API key or person until the transaction ends. It returns ErrRevoked if the key or
// person is revoked or does not exist.
func (s *Store) hold(ctx context.Context, tx ledger.Tx, id string) error {
	n, err := tx.Exec(ctx, lockKeySQL, ledger.Args{"id": id})
	if err == nil && n == 0 {
		err = ErrRevoked
	}
	return err
}

// SignOut deletes a session. An unknown session is not an error.
func (s *Store) SignOut(ctx context.Context, session string) error {
	if !wellFormed(session, sessionTag) {
		return nil
	}
	_, err := s.db.Writer().Exec(ctx, signOutSQL, ledger.Args{
		"prefix": prefix(session), "digest": digest(session),
	})
	s.drop(digest(session))
	if err != nil {
		return fmt.Errorf("access: sign out: %w", err)
	}
	return nil
}
