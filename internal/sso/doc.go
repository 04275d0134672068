// Package sso signs users in through an issuer of OpenID Connect.
//
// It accepts a token only if the issuer has signed it for this service, with its private key, and
// before its expiry. A sign-in ends in the browser that started it, once. An unreachable issuer delays
// only its own sign-ins, and only shortly.
//
// It queries the issuer over HTTP and stores only its keys. Its callers decide about rights, and
// store the sessions.
package sso
