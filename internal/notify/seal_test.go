package notify_test

import (
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// sealOf returns a seal with one key for each letter: the letter, repeated.
func sealOf(t *testing.T, letters ...string) *notify.Seal {
	t.Helper()
	var keys []string
	for _, letter := range letters {
		keys = append(keys, base64.StdEncoding.EncodeToString([]byte(strings.Repeat(letter, notify.SealKeySize))))
	}
	s, err := notify.NewSeal(keys)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// secretOf returns the signing secret of a webhook as a process with these keys reads it.
func secretOf(t *testing.T, db *ledger.DB, id string, letters ...string) string {
	t.Helper()
	w, err := notify.New(db, notify.Options{Seal: sealOf(t, letters...)}).Webhook(t.Context(), "acme", id)
	must(t, err)
	return w.Secret
}

// storedSecrets returns the secrets as they are stored.
func storedSecrets(t *testing.T, db *ledger.DB) (list []string) {
	t.Helper()
	must(t, db.Read.Raw("SELECT secret FROM rollcall.webhooks UNION ALL SELECT secret FROM rollcall.callback_secrets").Scan(&list).Error)
	return list
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestSeal_SecretsOfWebhooks_AreSealedAndRotated(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		db := fixture.New(t, fixture.Options{Ledger: url}).DB
		plain := notify.New(db, notify.Options{})
		old, err := plain.AddWebhook(t.Context(), "acme", "https://x.example", nil)
		must(t, err)
		sealed := notify.New(db, notify.Options{Seal: sealOf(t, "a")})
		w, err := sealed.AddWebhook(t.Context(), "acme", "https://x.example", nil)
		must(t, err)
		callbacks, err := sealed.NewCallbackSecret(t.Context(), "acme")
		must(t, err)
		if n, err := sealed.Reseal(t.Context(), true); n != 1 || err != nil {
			t.Errorf("%d secrets are not sealed, %v, want 1", n, err)
		}
		for round, letters := range [][]string{{"a"}, {"b", "a"}, {"b"}} {
			n, err := notify.New(db, notify.Options{Seal: sealOf(t, letters...)}).Reseal(t.Context(), false)
			if want := []int64{1, 3, 0}[round]; n != want || err != nil {
				t.Errorf("%v sealed %d, %v, want %d", letters, n, err, want)
			}
			for _, one := range []*notify.Webhook{old, w} {
				if got := secretOf(t, db, one.ID, letters...); got != one.Secret {
					t.Errorf("with %v the secret is %q", letters, got)
				}
			}
		}
		for _, text := range storedSecrets(t, db) {
			if !strings.HasPrefix(text, "sealed:") || strings.Contains(text, "whsec_") || strings.Contains(text, callbacks) {
				t.Errorf("stored: %s", text)
			}
		}
		for _, letters := range [][]string{{"a"}, nil} {
			if got := secretOf(t, db, w.ID, letters...); got != "" {
				t.Errorf("with %v the secret is %q", letters, got)
			}
		}
		must(t, db.Write.Exec("UPDATE rollcall.webhooks SET secret = (SELECT secret FROM rollcall.webhooks WHERE id = ?) WHERE id = ?", w.ID, old.ID).Error)
		if got := secretOf(t, db, old.ID, "b"); got != "" {
			t.Errorf("the secret of another webhook opens: %q", got)
		}
	})
}

// TestReseal_SecretOfLostKey_IsNotCounted: Reseal ends at a secret that it cannot open, and counts only the secrets
// that it sealed before.
func TestReseal_SecretOfLostKey_IsNotCounted(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		db := fixture.New(t, fixture.Options{Ledger: url}).DB
		for _, opt := range []notify.Options{{}, {Seal: sealOf(t, "a")}} {
			_, err := notify.New(db, opt).AddWebhook(t.Context(), "acme", "https://x.example", nil)
			must(t, err)
		}
		before := storedSecrets(t, db)
		n, err := notify.New(db, notify.Options{Seal: sealOf(t, "b")}).Reseal(t.Context(), false)
		if !errors.Is(err, notify.ErrSealed) {
			t.Errorf("err = %v, want ErrSealed", err)
		}
		for _, text := range storedSecrets(t, db) {
			if !slices.Contains(before, text) {
				n--
			}
		}
		if n != 0 {
			t.Errorf("the count and the sealed secrets differ by %d", n)
		}
	})
}

func TestNewSeal_BlankKeys_AreNone(t *testing.T) {
	t.Parallel()
	if s, err := notify.NewSeal([]string{"", " "}); s != nil || err != nil {
		t.Errorf("a seal of nothing: %v, %v", s, err)
	}
}

func TestNewSeal_MalformedKey_IsRejected(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"x", "short", base64.StdEncoding.EncodeToString(make([]byte, 16))} {
		if _, err := notify.NewSeal([]string{key}); !errors.Is(err, notify.ErrSealKey) {
			t.Errorf("%q: %v", key, err)
		}
	}
}
