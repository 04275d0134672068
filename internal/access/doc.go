// Package access stores the credentials of the API: keys and their roles, users of an OpenID
// Connect provider, and the sessions of both.
//
// It promises that a secret is shown once and stored as a SHA-256 of 256 random bits. One second after
// its end or revocation, no process accepts a key. Users who only send tokens are listed and revoked
// like others. Every change of a key is recorded with its actor. Wrong credentials are counted, but do
// not block good ones.
//
// A key belongs to one tenant, or to the owner, and has one role. The package uses SQL alone; its
// callers decide which scope an action needs.
package access
