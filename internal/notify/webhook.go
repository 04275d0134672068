package notify

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
	"github.com/rollcall-dev/rollcall/tasks"
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
	//go:embed sql/callback_target.sql
	callbackTargetSQL string
)

// MaxWebhooks is how many webhooks a tenant may have.
const MaxWebhooks = 50

// These are errors that callers may test for with errors.Is.
var (
	// ErrTooMany means that the tenant has MaxWebhooks webhooks. It must delete one first.
	ErrTooMany = errors.New("too many webhooks")

	// ErrDisabled means that the webhook is disabled: its server answered 410 Gone, or DisableMade was
	// called. The tenant must add a new one.
	ErrDisabled = errors.New("webhook is disabled")
)

// Webhook is an address to which notifications of a tenant are sent. Times are unix
// milliseconds.
type Webhook struct {
	Num        int64
	ID         string // UUIDv7, the public id
	Tenant     string
	URL        string
	Topics     string // such as ",a,,b,"; empty means all but tasks.TopicProgress
	Secret     string // whsec_ and base64; in lists, its stored form, which may be sealed
	Enabled    bool   // false after a response 410 Gone, or after DisableMade
	CreatedAt  int64
	DisabledAt int64  // 0 while enabled
	Maker      string // id of the key or user that made it; empty if unknown
}

// Subscribed returns the topics that the webhook subscribes to.
func (w *Webhook) Subscribed() []string {
	if w.Topics == "" {
		return defaultTopics()
	}
	return strings.Split(strings.Trim(w.Topics, ","), ",,")
}

// NewSecret returns a new signing secret of 32 random bytes.
func NewSecret() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // it never fails
	return "whsec_" + base64.StdEncoding.EncodeToString(b)
}

// AddWebhook adds a webhook for topics. No topics means all topics but tasks.TopicProgress, including
// topics of future versions. The result has the secret in plain text. AddWebhook returns ErrTooMany if the
// tenant already has MaxWebhooks.
func (s *Store) AddWebhook(ctx context.Context, tenant, url string, topics []string) (*Webhook, error) {
	w := &Webhook{
		ID: uuid.Must(uuid.NewV7()).String(), Tenant: tenant, URL: url,
		Secret: NewSecret(), Enabled: true, CreatedAt: s.now().UnixMilli(), Maker: s.maker,
	}
	if len(topics) > 0 {
		w.Topics = "," + strings.Join(topics, ",,") + ","
	}
	n, err := s.db.Writer().Exec(ctx, insertWebhookSQL, ledger.Args{
		"id": w.ID, "tenant": tenant, "url": url, "topics": w.Topics, "secret": s.seal.seal(w.Secret, ofWebhook(w.ID)),
		"now": w.CreatedAt, "most": MaxWebhooks, "maker": w.Maker,
	})
	if err == nil && n == 0 {
		err = ErrTooMany
	}
	if err != nil {
		return nil, fmt.Errorf("notify: add webhook: %w", err)
	}
	return w, nil
}

// Webhook returns a tenant's webhook by its id, or tasks.ErrNotFound. Its secret is empty if no key
// of the process's Seal opens it.
func (s *Store) Webhook(ctx context.Context, tenant, id string) (*Webhook, error) {
	w, err := ledger.Take[Webhook](ctx, s.db, "id = ? AND tenant = ?", id, tenant)
	if err == nil && w == nil {
		err = tasks.ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("notify: webhook %q: %w", id, err)
	}
	w.Secret = s.opened(w.Secret, ofWebhook(w.ID))
	return w, nil
}

// Webhooks returns up to `limit` webhooks of a tenant with numbers below the argument `before`, newest first. If
// `before` is 0, it begins with the newest.
func (s *Store) Webhooks(ctx context.Context, tenant string, before int64, limit int) ([]Webhook, error) {
	out, err := ledger.Page[Webhook](s.db.Read.WithContext(ctx).Where("tenant = ?", tenant), before, limit)
	if err != nil {
		return nil, fmt.Errorf("notify: webhooks: %w", err)
	}
	return out, nil
}

// DeleteWebhook removes a tenant's webhook with its deliveries, or returns tasks.ErrNotFound. A
// request in progress may still arrive.
func (s *Store) DeleteWebhook(ctx context.Context, tenant, id string) error {
	res := s.db.Write.WithContext(ctx).Where("id = ? AND tenant = ?", id, tenant).Delete(&Webhook{})
	err := res.Error
	if err == nil && res.RowsAffected == 0 {
		err = tasks.ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("notify: delete webhook %q: %w", id, err)
	}
	return nil
}

// Replay resets the attempts of a tenant's delivery, and makes it due now. It returns
// tasks.ErrNotFound for an unknown delivery, and ErrDisabled if its webhook is disabled.
func (s *Store) Replay(ctx context.Context, tenant, id string) (*Delivery, error) {
	d, err := s.Delivery(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	if d.Webhook != nil {
		w, err := s.Webhook(ctx, tenant, *d.Webhook)
		if err == nil && !w.Enabled {
			err = fmt.Errorf("notify: replay %q: %w", id, ErrDisabled)
		}
		if err != nil {
			return nil, err
		}
	}
	if _, err = s.db.Writer().Exec(ctx, replaySQL, ledger.Args{"num": d.Num, "now": s.now().UnixMilli()}); err != nil {
		return nil, fmt.Errorf("notify: replay %q: %w", id, err)
	}
	return s.Delivery(ctx, tenant, id)
}

// NewCallbackSecret replaces the secret that signs deliveries to a tenant's callback URLs, and
// returns the new secret. Users cannot read the secret later.
func (s *Store) NewCallbackSecret(ctx context.Context, tenant string) (string, error) {
	secret := NewSecret()
	if err := s.secret(ctx, setSecretSQL, tenant, secret); err != nil {
		return "", fmt.Errorf("notify: new callback secret: %w", err)
	}
	return secret, nil
}

func (s *Store) secret(ctx context.Context, text, tenant, secret string) error {
	_, err := s.db.Writer().Exec(ctx, text, ledger.Args{
		"tenant": tenant, "secret": s.seal.seal(secret, ofCallbacks(tenant)), "now": s.now().UnixMilli(),
	})
	return err
}

// opened decrypts a stored secret. It returns "" if no key of the process's Seal decrypts the secret. A delivery
// attempt with an empty secret fails and is repeated later, so it does not delay other deliveries.
func (s *Store) opened(stored, of string) string {
	secret, err := s.seal.open(stored, of)
	if err != nil {
		return ""
	}
	return secret
}

// address returns the address and the signing secret of a delivery over HTTP.
func (s *Store) address(ctx context.Context, d *Delivery) (url, secret string, err error) {
	switch d.Channel {
	case ChannelWebhook:
		w, err := s.Webhook(ctx, d.Tenant, *d.Webhook)
		if err != nil {
			return "", "", err
		}
		if !w.Enabled {
			return "", "", ErrDisabled
		}
		return w.URL, w.Secret, nil
	case ChannelCallbackURL:
		if err := s.secret(ctx, ensureSecretSQL, d.Tenant, NewSecret()); err != nil {
			return "", "", err
		}
		row := s.db.Read.WithContext(ctx).Raw(ledger.Plain(callbackTargetSQL), map[string]any{"num": d.Task.Num}).Row()
		err = row.Scan(&url, &secret)
		return url, s.opened(secret, ofCallbacks(d.Tenant)), err
	}
	return "", "", nil
}
