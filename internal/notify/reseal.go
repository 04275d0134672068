package notify

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/webhook_secrets.sql
	webhookSecretsSQL string
	//go:embed sql/callback_secrets.sql
	callbackSecretsSQL string
	//go:embed sql/reseal_webhook.sql
	resealWebhookSQL string
	//go:embed sql/reseal_callback.sql
	resealCallbackSQL string
)

// resealPage is how many secrets Reseal reads at once.
const resealPage = 100

// sealedSecret is a stored secret, with the id of its webhook or its tenant.
type sealedSecret struct{ of, secret string }

// Reseal seals the secrets of webhooks and callbacks with the first key of the Seal, unless that
// key has sealed them. It returns the number of the secrets that it sealed. If `check` is true,
// Reseal changes nothing, and returns how many secrets the first key has not sealed. Reseal ends
// with ErrSealed at a secret that it cannot open. Secrets that it sealed before stay sealed.
func (s *Store) Reseal(ctx context.Context, check bool) (n int64, err error) {
	for _, kind := range []struct {
		list, replace string
		of            func(string) string
	}{{webhookSecretsSQL, resealWebhookSQL, ofWebhook}, {callbackSecretsSQL, resealCallbackSQL, ofCallbacks}} {
		err := s.eachUnsealed(ctx, kind.list, func(t sealedSecret) error {
			done := int64(1)
			if !check {
				var err error
				if done, err = s.reseal(ctx, kind.replace, t, kind.of(t.of)); err != nil {
					return err
				}
			}
			n += done
			return nil
		})
		if err != nil {
			return n, fmt.Errorf("notify: reseal: %w", err)
		}
	}
	return n, nil
}

// eachUnsealed calls f for each secret that the statement `text` lists, page by page.
func (s *Store) eachUnsealed(ctx context.Context, text string, f func(sealedSecret) error) error {
	args := ledger.Args{"after": "", "prefix": s.seal.prefix(), "most": resealPage}
	for {
		page, err := ledger.List(ctx, s.db.Reader(), text, args, func(scan ledger.Scan, t *sealedSecret) error {
			return scan(&t.of, &t.secret)
		})
		if err != nil {
			return err
		}
		for _, t := range page {
			if err := f(t); err != nil {
				return fmt.Errorf("of %q: %w", t.of, err)
			}
			args["after"] = t.of
		}
		if len(page) < resealPage {
			return nil
		}
	}
}

// reseal replaces a stored secret by its form sealed with the first key of the Seal. It returns 1, or 0
// if the secret has changed since it was read.
func (s *Store) reseal(ctx context.Context, text string, t sealedSecret, of string) (int64, error) {
	secret, err := s.seal.open(t.secret, of)
	if err != nil {
		return 0, err
	}
	return s.db.Writer().Exec(ctx, text, ledger.Args{"of": t.of, "old": t.secret, "new": s.seal.seal(secret, of)})
}
