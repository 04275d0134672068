package access

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/checkvalid.sql
var checkValidSQL string

// CheckValid returns the reason why a tenant's API key or person no longer has rights: ErrRevoked,
// ErrExpired or ErrNotFound. It returns nil while the key or person has rights. Each call reads the
// ledger, and may return an error of the ledger.
func (s *Store) CheckValid(ctx context.Context, tenant, id string) error {
	var revoked, expires int64
	found, err := ledger.Row(ctx, s.db.Reader(), checkValidSQL, ledger.Args{"id": id, "tenant": tenant}, &revoked, &expires)
	switch {
	case err != nil:
		return fmt.Errorf("access: look up %s: %w", id, err)
	case !found:
		return ErrNotFound
	case revoked > 0:
		return ErrRevoked
	}
	return over(Grant{Until: expires}, s.now())
}
