package boot

import (
	"context"
	"errors"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/settings"
)

// Resealing is the command reseal, which encrypts stored secrets with the first key of SECRET_KEYS.
type Resealing struct {
	settings.Form
	Check bool `help:"Change nothing; exit code 1 if a secret is not encrypted with the first key."`
}

var (
	errNoSecretKeys = errors.New("SECRET_KEYS is not set: there is no key to encrypt with")

	// ErrNotResealed means that some secrets are not encrypted with the first key of SECRET_KEYS.
	ErrNotResealed = errors.New("secrets are not encrypted with the first key of SECRET_KEYS: run reseal")
)

// Run encrypts the secrets that are not encrypted with the first key of SECRET_KEYS. With --check, Run
// only counts these secrets, and returns ErrNotResealed if there are any.
func (r Resealing) Run(ctx context.Context, cfg settings.Config, d settings.Terminal) error {
	if err := errors.Join(cfg.CheckSecrets(), cfg.CheckLedger(), cfg.HasLedger()); err != nil {
		return err
	}
	if !cfg.Seals() {
		return errNoSecretKeys
	}
	opening, cancel := context.WithTimeout(ctx, settings.OpenTimeout)
	defer cancel()
	db, err := cfg.OpenLedger(opening)
	if err != nil {
		return err
	}
	return errors.Join(r.reseal(ctx, cfg, d, db), db.Close())
}

func (r Resealing) reseal(ctx context.Context, cfg settings.Config, d settings.Terminal, db *ledger.DB) error {
	n, err := notify.New(db, cfg.NotifyOptions(db)).Reseal(ctx, r.Check)
	if err != nil {
		return err
	}
	words := "%d secrets were encrypted with the first key"
	if r.Check {
		words = "%d secrets are not encrypted with the first key"
	}
	err = r.Print(d.Stdout, map[string]any{"secrets": n, "changed": n > 0 && !r.Check}, words, n)
	if err == nil && r.Check && n > 0 {
		err = ErrNotResealed
	}
	return err
}
