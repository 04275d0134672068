// Package guard makes requests to addresses from untrusted users, such as webhooks.
//
// It promises that such a request reaches public addresses only, unless Options.AllowPrivate is
// set. It checks the address when the connection is made, after names were resolved, so a later
// change of the name's address has no effect. It follows no redirect, uses no proxy, and has a
// timeout.
//
// It does not read the content of requests.
package guard
