// Package sso knows people by what another service says of them: an issuer of
// OpenID Connect, where they sign in.
//
// It promises that a token counts only if the issuer has signed it, with a key
// that is its own alone, for this service, and while its time lasts; that a
// sign-in ends in the browser that began it, once; and that an issuer which is
// away holds up nobody for long, and nobody at all who does not sign in there.
//
// It asks the issuer over HTTP and keeps nothing but its keys. Who has which
// rights, and where a session lies, is decided by those who ask.
package sso
