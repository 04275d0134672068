package access

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/made.sql
var madeSQL string

// RevokeMade revokes an API key or a user of a tenant. It also revokes all API keys that were made with
// this API key or by this user, directly or through other API keys. All changes are in one transaction.
// RevokeMade returns the ids of all these API keys and users, even of those revoked earlier. The caller
// can then end their schedules and webhooks. A repeated call returns the same ids. RevokeMade returns
// ErrNotFound for an unknown API key or user.
func (s *Store) RevokeMade(ctx context.Context, actor, tenant, id string) (ids []string, err error) {
	if _, err := s.Get(ctx, tenant, id); err != nil {
		return nil, err
	}
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		ids = nil
		return s.revokeTree(ctx, tx, actor, Key{ID: id, Tenant: tenant}, &ids)
	})
	for _, one := range ids {
		s.forget(one)
	}
	if err != nil {
		return nil, fmt.Errorf("access: revoke %q with what it made: %w", id, err)
	}
	return ids, nil
}

// revokeTree revokes an API key and all API keys made with it, and adds their ids to `done`. An API key is
// older than the API keys made with it, so they form a tree.
func (s *Store) revokeTree(ctx context.Context, tx ledger.Tx, actor string, k Key, done *[]string) error {
	if err := s.revoke(ctx, tx, actor, k); err != nil {
		return err
	}
	*done = append(*done, k.ID)
	made, err := ledger.List(ctx, tx, madeSQL, ledger.Args{"maker": k.ID},
		func(scan ledger.Scan, k *Key) error { return scan(&k.ID, &k.Tenant) })
	for i := 0; i < len(made) && err == nil; i++ {
		err = s.revokeTree(ctx, tx, actor, made[i], done)
	}
	return err
}
