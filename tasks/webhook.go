package tasks

import (
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/insert_webhook.sql
	insertWebhookSQL string
	//go:embed sql/replay.sql
	replaySQL string
	//go:embed sql/ensure_secret.sql
	ensureSecretSQL string
	//go:embed sql/set_secret.sql
	setSecretSQL string
	//go:embed sql/address.sql
	addressSQL string
)

// MaxWebhooks is how many webhooks a tenant may have.
const MaxWebhooks = 50

// Errors that callers may test for with errors.Is.
var (
	// ErrTooMany means the tenant has MaxWebhooks. It must delete one first.
	ErrTooMany = errors.New("too many webhooks")

	// ErrDisabled means the webhook has answered 410 Gone. A new one must be
	// registered.
	ErrDisabled = errors.New("webhook is disabled")
)

// Webhook is an address that a tenant wants to be told at. Times are unix
// milliseconds.
type Webhook struct {
	Num        int64
	ID         string // UUIDv7, what the outside knows
	Tenant     string
	URL        string
	Topics     string // ",a,,b,"; empty: all
	Secret     string // whsec_ and base64, since it signs; in lists as it is stored, maybe sealed
	Enabled    bool   // false since it answered 410 Gone
	CreatedAt  int64
	DisabledAt int64  // 0 while enabled
	Maker      string // id of the key or person that made it; empty: not known
}

// Told are the topics that the webhook is told.
func (w *Webhook) Told() []string {
	if w.Topics == "" {
		return WebhookTopics()
	}
	return strings.Split(strings.Trim(w.Topics, ","), ",,")
}

// NewSecret makes a signing secret of 32 random bytes.
func NewSecret() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails
	return "whsec_" + base64.StdEncoding.EncodeToString(b)
}

// AddWebhook registers an address for topics; none means all, those to come
// too. The answer is the only one that shows the secret. It returns ErrTooMany
// beyond MaxWebhooks.
func (o *Outbox) AddWebhook(ctx context.Context, tenant, url string, topics []string) (*Webhook, error) {
	w := &Webhook{
		ID: uuid.Must(uuid.NewV7()).String(), Tenant: tenant, URL: url,
		Secret: NewSecret(), Enabled: true, CreatedAt: o.now().UnixMilli(), Maker: o.maker,
	}
	if len(topics) > 0 {
		w.Topics = list(topics)
	}
	n, err := o.db.Writer().Exec(ctx, insertWebhookSQL, ledger.Args{
		"id": w.ID, "tenant": tenant, "url": url, "topics": w.Topics, "secret": o.seal.seal(w.Secret, ofWebhook(w.ID)),
		"now": w.CreatedAt, "most": MaxWebhooks, "maker": w.Maker,
	})
	if err == nil && n == 0 {
		err = ErrTooMany
	}
	if err != nil {
		return nil, fmt.Errorf("tasks: add webhook: %w", err)
	}
	return w, nil
}

// Webhook returns a tenant's webhook by its id, or ErrNotFound. Its secret is empty if the keys
// of this process do not open it.
func (o *Outbox) Webhook(ctx context.Context, tenant, id string) (*Webhook, error) {
	w, err := ledger.Take[Webhook](ctx, o.db, "id = ? AND tenant = ?", id, tenant)
	if err == nil && w == nil {
		err = ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("tasks: webhook %q: %w", id, err)
	}
	w.Secret = o.opened(w.Secret, ofWebhook(w.ID))
	return w, nil
}

// Webhooks returns up to limit of a tenant's webhooks, newest first, of numbers
// below before; 0 means all.
func (o *Outbox) Webhooks(ctx context.Context, tenant string, before int64, limit int) ([]Webhook, error) {
	out, err := ledger.Page[Webhook](o.db.Read.WithContext(ctx).Where("tenant = ?", tenant), before, limit)
	if err != nil {
		return nil, fmt.Errorf("tasks: webhooks: %w", err)
	}
	return out, nil
}

// DeleteWebhook removes a tenant's webhook with its deliveries, or returns
// ErrNotFound. A delivery under way may still arrive.
func (o *Outbox) DeleteWebhook(ctx context.Context, tenant, id string) error {
	res := o.db.Write.WithContext(ctx).Where("id = ? AND tenant = ?", id, tenant).Delete(&Webhook{})
	err := res.Error
	if err == nil && res.RowsAffected == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("tasks: delete webhook %q: %w", id, err)
	}
	return nil
}

// Replay has a tenant's delivery tried again, from the first try on; one that
// waits is tried at once. It returns ErrNotFound, or ErrDisabled.
func (o *Outbox) Replay(ctx context.Context, tenant, id string) (*Delivery, error) {
	d, err := o.Delivery(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	if d.Webhook != nil {
		w, err := o.Webhook(ctx, tenant, *d.Webhook)
		if err == nil && !w.Enabled {
			err = fmt.Errorf("tasks: replay %q: %w", id, ErrDisabled)
		}
		if err != nil {
			return nil, err
		}
	}
	if _, err = o.db.Writer().Exec(ctx, replaySQL, ledger.Args{"num": d.Num, "now": o.now().UnixMilli()}); err != nil {
		return nil, fmt.Errorf("tasks: replay %q: %w", id, err)
	}
	return o.Delivery(ctx, tenant, id)
}

// NewCallbackSecret replaces what deliveries to a tenant's callback URLs are
// signed with, and returns it: the only answer that shows it.
func (o *Outbox) NewCallbackSecret(ctx context.Context, tenant string) (string, error) {
	secret := NewSecret()
	if err := o.secret(ctx, setSecretSQL, tenant, secret); err != nil {
		return "", fmt.Errorf("tasks: new callback secret: %w", err)
	}
	return secret, nil
}

func (o *Outbox) secret(ctx context.Context, text, tenant, secret string) error {
	_, err := o.db.Writer().Exec(ctx, text, ledger.Args{
		"tenant": tenant, "secret": o.seal.seal(secret, ofCallbacks(tenant)), "now": o.now().UnixMilli(),
	})
	return err
}

// opened returns a stored secret, or "" if the keys of this process do not open it. A try to
// deliver with an empty secret fails and is repeated later, so it holds up no other delivery.
func (o *Outbox) opened(stored, of string) string {
	secret, err := o.seal.open(stored, of)
	if err != nil {
		return ""
	}
	return secret
}

// address is where a delivery over HTTP goes, and what it is signed with.
func (o *Outbox) address(ctx context.Context, d *Delivery) (url, secret string, err error) {
	switch d.Lane {
	case LaneWebhook:
		w, err := o.Webhook(ctx, d.Tenant, *d.Webhook)
		if err != nil {
			return "", "", err
		}
		return w.URL, w.Secret, nil
	case LaneURL:
		if err := o.secret(ctx, ensureSecretSQL, d.Tenant, NewSecret()); err != nil {
			return "", "", err
		}
		row := o.db.Read.WithContext(ctx).Raw(ledger.Plain(addressSQL), map[string]any{"num": d.Task.Num}).Row()
		err = row.Scan(&url, &secret)
		return url, o.opened(secret, ofCallbacks(d.Tenant)), err
	}
	return "", "", nil
}
