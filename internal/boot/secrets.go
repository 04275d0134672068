package boot

import (
	"context"
	"errors"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/notify"
)

// Resealing is the command that seals stored secrets with the first key of SECRET_KEYS.
type Resealing struct {
	Form
	Check bool `help:"Change nothing; exit code 1 if a secret is not encrypted with the first key."`
}

// Errors of Resealing.
var (
	errNoSecretKeys = errors.New("SECRET_KEYS is not set: there is no key to encrypt with")

	// ErrNotResealed means that secrets are not sealed with the first key.
	ErrNotResealed = errors.New("secrets are not encrypted with the first key of SECRET_KEYS: run reseal")
)

// Run seals, or counts, the secrets that the first key has not sealed.
func (r Resealing) Run(ctx context.Context, cfg Config, d Desk) error {
	if err := errors.Join(cfg.checkSecrets(), cfg.checkLedger(), cfg.hasLedger()); err != nil {
		return err
	}
	if !cfg.seals() {
		return errNoSecretKeys
	}
	opening, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	db, err := cfg.openLedger(opening)
	if err != nil {
		return err
	}
	return errors.Join(r.reseal(ctx, cfg, d, db), db.Close())
}

func (r Resealing) reseal(ctx context.Context, cfg Config, d Desk, db *ledger.DB) error {
	n, err := notify.New(db, cfg.notifyOptions(db)).Reseal(ctx, r.Check)
	if err != nil {
		return err
	}
	words := "%d secrets were encrypted with the first key"
	if r.Check {
		words = "%d secrets are not encrypted with the first key"
	}
	err = r.tell(d.Stdout, map[string]any{"secrets": n, "changed": n > 0 && !r.Check}, words, n)
	if err == nil && r.Check && n > 0 {
		err = ErrNotResealed
	}
	return err
}

// checkSecrets reports a malformed key.
func (c Config) checkSecrets() error {
	if _, err := notify.NewSeal(c.SecretKeys); err != nil {
		return fmt.Errorf("SECRET_KEYS: %w, as \"openssl rand -base64 32\" makes", err)
	}
	return nil
}

// seals reports whether there is a key.
func (c Config) seals() bool {
	seal, err := notify.NewSeal(c.SecretKeys)
	return seal != nil && err == nil
}

// notifyOptions returns the options of the store of webhooks. Check has validated the keys.
func (c Config) notifyOptions(db *ledger.DB) notify.Options {
	seal, _ := notify.NewSeal(c.SecretKeys) // Check reports a malformed key
	return notify.Options{Now: db.Now, Seal: seal}
}

// secrets reports whether signing secrets are sealed.
func (d *doctor) secrets() {
	d.finds("secret keys", unless(d.cfg.seals(), stateWarn),
		"set SECRET_KEYS to a key of \"openssl rand -base64 32\" for all processes, then run \"reseal\"",
		"%s", map[bool]string{
			true:  "signing secrets are encrypted in the database; \"reseal --check\" counts the others",
			false: "signing secrets of webhooks are stored as they are: a copy of the database is enough to sign",
		}[d.cfg.seals()])
}
