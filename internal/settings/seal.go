package settings

import (
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/notify"
)

// CheckSecrets returns an error if an encryption key in SECRET_KEYS is malformed.
func (c Config) CheckSecrets() error {
	if _, err := notify.NewSeal(c.SecretKeys); err != nil {
		return fmt.Errorf("SECRET_KEYS: %w; \"openssl rand -base64 32\" prints one", err)
	}
	return nil
}

// Seals reports whether SECRET_KEYS is set and valid.
func (c Config) Seals() bool {
	seal, err := notify.NewSeal(c.SecretKeys)
	return seal != nil && err == nil
}

// NotifyOptions returns the options of the store of webhooks. Config.Check has validated
// SECRET_KEYS.
func (c Config) NotifyOptions(db *ledger.DB) notify.Options {
	seal, _ := notify.NewSeal(c.SecretKeys) // Config.Check reports a malformed key
	return notify.Options{Now: db.Now, Seal: seal}
}
