package boot

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/rollcall-dev/rollcall/access"
)

// ErrOpen means that others could reach the API, and that there is no key yet:
// whoever reached it would own it.
var ErrOpen = errors.New("others can reach this address, and there is no API key yet: " +
	"make the first one with \"api keys create --name NAME\" " +
	"(go run ./cmd/api keys create --name NAME), on the same DATABASE_URL or DATA_DIR")

// guarded refuses to answer others while nobody is asked who they are.
func (a *app) guarded(ctx context.Context, role Role) error {
	if !role.API || loopback(a.cfg.Listen) || a.cfg.OIDC.Issuer != "" {
		return nil
	}
	keyed, err := a.access.Any(ctx)
	if err == nil && !keyed {
		err = fmt.Errorf("LISTEN=%s: %w", a.cfg.Listen, ErrOpen)
	}
	return err
}

// Keys hands the API keys of the configured ledger to f, and closes the ledger
// behind it. It may run beside the service.
func Keys(ctx context.Context, cfg Config, f func(context.Context, *access.Store) error) error {
	if err := cfg.checkLedger(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	if cfg.DatabaseURL == "" {
		if err := os.MkdirAll(cfg.DataDir, 0o750); err != nil {
			return err
		}
	}
	db, err := cfg.openLedger(ctx)
	if err != nil {
		return err
	}
	return errors.Join(f(ctx, access.New(db, access.Options{Now: db.Now})), db.Close())
}
