// Package access stores credentials: API keys with their roles, users of an OpenID Connect provider, and
// sessions. A session starts with an API key or with a sign-in at the provider.
//
// A secret has 256 random bits. It is shown once and stored as its SHA-256. One second after an API key has
// ended or was revoked, no process accepts it. Users whose programs send tokens are listed and revoked like
// users with a session. Every change of an API key is recorded with its actor. Wrong credentials are
// counted, but never cause a valid one to be rejected.
//
// An API key belongs to one tenant, or to the owner of the service, and has one role. The package uses only
// SQL; its callers decide which scope an action needs.
package access
