package tasks_test

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/tasks"
)

// sealOf returns a seal of keys of one repeated letter.
func sealOf(t *testing.T, letters ...string) *tasks.Seal {
	t.Helper()
	var keys []string
	for _, letter := range letters {
		keys = append(keys, base64.StdEncoding.EncodeToString([]byte(strings.Repeat(letter, tasks.SealKeySize))))
	}
	s, err := tasks.NewSeal(keys)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// signs returns the secret with which a delivery to a webhook is signed.
func (d *desk) signs(id string, letters ...string) string {
	d.Helper()
	w, err := tasks.NewOutbox(d.db, tasks.Options{Seal: sealOf(d.T, letters...)}).Webhook(d.Context(), "acme", id)
	d.fine(err)
	return w.Secret
}

// stored returns the secrets in the ledger.
func (d *desk) stored() (list []string) {
	d.Helper()
	d.fine(d.db.Read.Raw("SELECT secret FROM webhooks UNION ALL SELECT secret FROM callback_secrets").Scan(&list).Error)
	return list
}

func TestSeal_SecretsOfWebhooks_AreSealedAndRotated(t *testing.T) {
	on(t, func(d *desk) {
		plain := tasks.NewOutbox(d.db, tasks.Options{})
		old, err := plain.AddWebhook(d.Context(), "acme", "https://x.example", nil)
		d.fine(err)
		sealed := tasks.NewOutbox(d.db, tasks.Options{Seal: sealOf(d.T, "a")})
		w, err := sealed.AddWebhook(d.Context(), "acme", "https://x.example", nil)
		d.fine(err)
		callbacks, err := sealed.NewCallbackSecret(d.Context(), "acme")
		d.fine(err)
		if n, err := sealed.Reseal(d.Context(), true); n != 1 || err != nil {
			d.Errorf("%d secrets are not sealed, %v, want 1", n, err)
		}
		for round, letters := range [][]string{{"a"}, {"b", "a"}, {"b"}} {
			n, err := tasks.NewOutbox(d.db, tasks.Options{Seal: sealOf(d.T, letters...)}).Reseal(d.Context(), false)
			if want := []int64{1, 3, 0}[round]; n != want || err != nil {
				d.Errorf("%v sealed %d, %v, want %d", letters, n, err, want)
			}
			for _, one := range []*tasks.Webhook{old, w} {
				if got := d.signs(one.ID, letters...); got != one.Secret {
					d.Errorf("with %v the secret is %q", letters, got)
				}
			}
		}
		for _, text := range d.stored() {
			if !strings.HasPrefix(text, "sealed:") || strings.Contains(text, "whsec_") || strings.Contains(text, callbacks) {
				d.Errorf("stored: %s", text)
			}
		}
		for _, letters := range [][]string{{"a"}, nil} {
			if got := d.signs(w.ID, letters...); got != "" {
				d.Errorf("with %v the secret is %q", letters, got)
			}
		}
		d.fine(d.db.Write.Exec("UPDATE webhooks SET secret = (SELECT secret FROM webhooks WHERE id = ?) WHERE id = ?", w.ID, old.ID).Error)
		if got := d.signs(old.ID, "b"); got != "" {
			d.Errorf("the secret of another webhook opens: %q", got)
		}
	})
}

func TestNewSeal_BlankKeys_AreNone(t *testing.T) {
	t.Parallel()
	if s, err := tasks.NewSeal([]string{"", " "}); s != nil || err != nil {
		t.Errorf("a seal of nothing: %v, %v", s, err)
	}
}

func TestNewSeal_MalformedKey_IsRejected(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"x", "short", base64.StdEncoding.EncodeToString(make([]byte, 16))} {
		if _, err := tasks.NewSeal([]string{key}); !errors.Is(err, tasks.ErrSealKey) {
			t.Errorf("%q: %v", key, err)
		}
	}
}
