// Package sso signs users in through an OpenID Connect provider, the issuer.
//
// The package accepts a token only if the issuer has signed it for this service, and if the token
// has not expired. Only the browser that started a sign-in can end it, once. An unreachable issuer
// delays only sign-ins and tokens of this issuer.
//
// The package queries the issuer over HTTP, and keeps only its metadata and signing keys. Its callers
// decide about rights, and store the sessions.
package sso
