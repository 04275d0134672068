package view

import (
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/textutil"
)

// Key is an API key. Only the answer that creates a secret contains it.
type Key struct {
	ID         string         `json:"id"`
	Secret     string         `json:"secret,omitempty" doc:"Shown once, when it is made."`
	Prefix     string         `json:"prefix" doc:"Public prefix of the secret."`
	Tenant     string         `json:"tenant"`
	Name       string         `json:"name"`
	Role       access.Role    `json:"role" schema:"enum=viewer|reviewer|operator|admin|owner"`
	Scopes     []access.Scope `json:"scopes"`
	CreatedBy  string         `json:"created_by"`
	CreatedAt  *string        `json:"created_at" schema:"time"`
	ExpiresAt  *string        `json:"expires_at" schema:"time"`
	RevokedAt  *string        `json:"revoked_at" schema:"time"`
	LastUsedAt *string        `json:"last_used_at" schema:"time"`
	Links      Links          `json:"links" schema:"ref=Links"`
}

// OfKey returns the view of a key, without its secret.
func OfKey(k *access.Key) Key {
	self := "/api/v1/keys/" + k.ID
	return Key{
		ID: k.ID, Prefix: k.Prefix, Tenant: k.Tenant, Name: k.Name, Role: k.Role,
		Scopes: k.Role.Scopes(), CreatedBy: k.CreatedBy, CreatedAt: textutil.Instant(k.CreatedAt),
		ExpiresAt: textutil.Instant(k.ExpiresAt), RevokedAt: textutil.Instant(k.RevokedAt),
		LastUsedAt: textutil.Instant(k.LastUsedAt),
		Links:      Links{"audit": self + "/audit", "rotate": self + "/rotate"},
	}
}

// OfNewKey returns the view of a key with its secret. If secret is empty, the JSON omits it.
func OfNewKey(k *access.Key, secret string) Key {
	v := OfKey(k)
	v.Secret = secret
	return v
}

// Ended counts the keys, schedules and webhooks that were revoked, paused or disabled with a key or a
// user.
type Ended struct {
	Keys      int64 `json:"keys" doc:"Revoked, with the key or person itself." schema:"minimum=1"`
	Schedules int64 `json:"schedules" doc:"Paused." schema:"minimum=0"`
	Webhooks  int64 `json:"webhooks" doc:"Disabled." schema:"minimum=0"`
}

// Link is the address of a file that needs no credential.
type Link struct {
	URL       string `json:"url"`
	ExpiresAt string `json:"expires_at"`
}

// Secret is a new secret.
type Secret struct {
	Secret string `json:"secret"`
}
