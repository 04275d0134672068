package access

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/sign_out.sql
var signOutSQL string

// SignIn opens a session with the secret of a key. It ends after ttl, with
// SignOut, and with its key. Errors are those of Check.
func (s *Store) SignIn(
	ctx context.Context, secret, from string, ttl time.Duration,
) (session string, err error) {
	g, err := s.Check(ctx, secret, from)
	if err != nil {
		return "", err
	}
	session = newSecret(sessionMark)
	until := sooner(s.now().Add(ttl).UnixMilli(), g.Until)
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		if err := sweep(ctx, tx, s.now()); err != nil {
			return err
		}
		return s.addSecret(ctx, tx, g.Key, session, until)
	})
	if err != nil {
		return "", fmt.Errorf("access: sign in: %w", err)
	}
	return session, nil
}

// SignOut ends a session; one that is none is left as it is.
func (s *Store) SignOut(ctx context.Context, session string) error {
	if !whole(session, sessionMark) {
		return nil
	}
	err := s.db.InTx(ctx, func(tx ledger.Tx) error {
		_, err := tx.Exec(ctx, signOutSQL, ledger.Args{
			"prefix": prefix(session), "digest": digest(session),
		})
		return err
	})
	s.drop(digest(session))
	if err != nil {
		return fmt.Errorf("access: sign out: %w", err)
	}
	return nil
}
