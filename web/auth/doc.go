// Package auth identifies the sender of a request: by an API key, by a session of a browser, by a
// token of the provider where users sign in, or by a link to one file.
//
// It promises that a request is judged by one credential only, that a cookie counts for a
// change only if a page of this service made it, and that cookies, links and values that a
// browser carries are signed with a secret of the service, each for one purpose.
//
// It reads requests and not routes: package web compares the returned rights with the scope of a
// route, stores the caller, and counts requests.
package auth
