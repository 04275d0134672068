// Package auth identifies the caller of a request. The credential is an API key, a session cookie,
// a token of the sign-in provider, or a link to one file.
//
// The package uses at most one credential of a request. A cookie authorizes a change only if a page of
// this service sent the request. The session cookie holds a random secret. Links, and other values that a
// browser sends back, are signed with a secret of the service. A signature for one purpose is invalid for
// any other.
//
// The package does not depend on routes. Package web compares the returned rights with the scope of a
// route, stores the caller, and counts requests.
package auth
