// Package access stores credentials: API keys and their roles, users of an OpenID Connect provider,
// and the sessions of both.
//
// A secret has 256 random bits. It is shown once and stored as its SHA-256. One second after an API key
// has ended or was revoked, no process accepts it. Users without a session, whose programs send tokens,
// are listed and revoked like other users. Every change of a key is recorded with its actor. Wrong
// credentials are counted, but never cause a valid one to be rejected.
//
// An API key belongs to one tenant, or to the owner, and has one role. The package uses only SQL; its
// callers decide which scope an action needs.
package access
