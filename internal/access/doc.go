// Package access keeps the credentials of the API: keys, the roles they give,
// the people whom another service vouches for, and the sessions that are opened
// with either.
//
// It promises that a secret is shown once and stored as a SHA-256 of 256 random
// bits; that a key which is revoked, or whose time is over, opens nothing
// anywhere one second later; that a person who brings only tokens is listed and
// revoked like others; that every change of a key is on record with who made it;
// and that wrong credentials are counted, but refuse no good one.
//
// A key belongs to one tenant, or to the owner, and has one role. The package knows SQL and
// nothing else: what a scope opens is decided by those who ask for it.
package access
