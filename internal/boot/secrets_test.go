package boot

import (
	"bytes"
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/settings"
)

func secretKey(letter string) string {
	return base64.StdEncoding.EncodeToString([]byte(strings.Repeat(letter, notify.SealKeySize)))
}

func TestReseal_KeyIsRotated_SealsWithTheFirst(t *testing.T) {
	t.Parallel()
	cfg := settings.Config{DataDir: t.TempDir()}
	db, err := cfg.OpenLedger(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	w, err := notify.New(db, cfg.NotifyOptions(db)).AddWebhook(t.Context(), "acme", "https://x.example", nil)
	if err != nil {
		t.Fatal(err)
	}
	run := func(r Resealing, keys ...string) (string, error) {
		cfg.SecretKeys = keys
		var out bytes.Buffer
		err := r.Run(t.Context(), cfg, settings.Terminal{Stdout: &out})
		return out.String(), err
	}
	if _, err := run(Resealing{}); !errors.Is(err, errNoSecretKeys) {
		t.Errorf("without a key: %v", err)
	}
	for _, keys := range [][]string{{secretKey("a")}, {secretKey("b"), secretKey("a")}} {
		if out, err := run(Resealing{Check: true}, keys...); !errors.Is(err, ErrNotResealed) || !strings.Contains(out, "1 secrets are not") {
			t.Errorf("before: %v, %s", err, out)
		}
		if out, err := run(Resealing{}, keys...); err != nil || !strings.Contains(out, "1 secrets were encrypted") {
			t.Errorf("reseal: %v, %s", err, out)
		}
		if out, err := run(Resealing{Check: true}, keys...); err != nil {
			t.Errorf("after: %v, %s", err, out)
		}
	}
	if _, err := run(Resealing{}, secretKey("c")); !errors.Is(err, notify.ErrSealed) {
		t.Errorf("with another key: %v", err)
	}
	cfg.SecretKeys = []string{secretKey("b")}
	got, err := notify.New(db, cfg.NotifyOptions(db)).Webhook(t.Context(), "acme", w.ID)
	if err != nil || got.Secret != w.Secret {
		t.Errorf("the secret is %+v, %v", got, err)
	}
}

func TestConfig_MalformedSecretKey_IsAFault(t *testing.T) {
	t.Parallel()
	cfg := settings.Config{SecretKeys: []string{"short"}}
	if err := cfg.Check(settings.Role{API: true}); err == nil || !strings.Contains(err.Error(), "SECRET_KEYS") {
		t.Errorf("Check: %v", err)
	}
}
