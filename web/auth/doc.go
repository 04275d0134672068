// Package auth identifies the sender of a request: by an API key, by a session of a browser, by a
// token of the provider where users sign in, or by a link to one file.
//
// It promises that one credential decides about a request, and that a cookie authorizes a change only
// if a page of this service sent the change. Cookies, links and values that a browser carries are
// signed with a secret of the service, each for one purpose.
//
// It reads requests, but no routes: package web compares the returned rights with the scope of a
// route, stores the caller, and counts requests.
package auth
