package boot

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/internal/schedules"
	"github.com/rollcall-dev/rollcall/internal/settings"
)

// ErrOpen means that no API key exists, although other machines can reach the API. LISTEN is not a loopback
// address, or HOSTS or PUBLIC_URL names another machine. Any caller would then have the rights of the owner.
var ErrOpen = errors.New("other machines can reach this address, and there is no API key yet: " +
	"create the first key with \"api keys create --name NAME\" " +
	"(go run ./cmd/api keys create --name NAME), on the same DATABASE_URL or DATA_DIR")

// checkGuarded returns ErrOpen if other machines could call the API without a credential.
func (a *app) checkGuarded(ctx context.Context, role settings.Role) error {
	open := a.cfg.OpenBy()
	if !role.API || open == "" {
		return nil
	}
	keyed, err := a.access.Any(ctx)
	if err != nil || keyed {
		return err
	}
	return fmt.Errorf("%s: %w", open, ErrOpen)
}

// Keys calls `f` with the stores of API keys, schedules and webhooks, and with the audit log. All of them
// are in the configured ledger, which Keys closes after `f`. The service may run at the same time.
func Keys(ctx context.Context, cfg settings.Config, f func(context.Context, operate.Makers) error) error {
	if err := cfg.CheckLedger(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, settings.OpenTimeout)
	defer cancel()
	if cfg.DatabaseURL == "" {
		if err := os.MkdirAll(cfg.DataDir, 0o700); err != nil {
			return err
		}
	}
	db, err := cfg.OpenLedger(ctx)
	if err != nil {
		return err
	}
	return errors.Join(f(ctx, operate.Makers{
		Access:    access.New(db, access.Options{Now: db.Now}),
		Schedules: schedules.New(db, schedules.Options{Now: db.Now}),
		Notify:    notify.New(db, cfg.NotifyOptions(db)), Log: audit.New(db, db.Now),
	}), db.Close())
}

// Tenants calls `f` with the tenants of the configured ledger. It closes the ledger and the file store
// after `f`. The service may run at the same time. The argument `actor` is the actor in the audit log.
func Tenants(ctx context.Context, cfg settings.Config, actor string, f func(context.Context, *operate.Tenants) error) error {
	if err := errors.Join(cfg.CheckLedger(), cfg.HasLedger()); err != nil {
		return err
	}
	opening, cancel := context.WithTimeout(ctx, settings.OpenTimeout)
	defer cancel()
	db, err := cfg.OpenLedger(opening)
	if err != nil {
		return err
	}
	files, err := cfg.OpenStore(opening)
	if err == nil {
		err = errors.Join(f(ctx, operate.NewTenants(db, files, actor, db.Now)), files.Close())
	}
	return errors.Join(err, db.Close())
}
