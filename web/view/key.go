package view

import (
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/textutil"
)

// Key is an API key. It contains the secret only in the response to the request that creates the
// secret.
type Key struct {
	ID         string         `json:"id"`
	Secret     string         `json:"secret,omitempty" doc:"Shown once, in the response that creates it."`
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

// OfKey returns the view of an API key, without its secret.
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

// OfNewKey returns the view of an API key with its secret. The JSON omits an empty secret.
func OfNewKey(k *access.Key, secret string) Key {
	v := OfKey(k)
	v.Secret = secret
	return v
}

// Ended holds the numbers of API keys, schedules and webhooks that a revocation has ended. The number of
// API keys includes keys that had been revoked before.
type Ended struct {
	Keys      int64 `json:"keys" doc:"Number of revoked keys, including the named key or user." schema:"minimum=1"`
	Schedules int64 `json:"schedules" doc:"Number of paused schedules." schema:"minimum=0"`
	Webhooks  int64 `json:"webhooks" doc:"Number of disabled webhooks." schema:"minimum=0"`
}

// Link is a URL from which a file can be downloaded without a credential.
type Link struct {
	URL       string `json:"url"`
	ExpiresAt string `json:"expires_at"`
}

// Secret holds a new secret with which the service signs requests to callback URLs.
type Secret struct {
	Secret string `json:"secret"`
}
