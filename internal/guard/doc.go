// Package guard makes requests to addresses from untrusted users, such as webhooks.
//
// It promises that such a request reaches public addresses only. It checks the address when the
// connection is made, after names were resolved, so a change of the name after a check has no
// effect. It follows no redirect, uses no proxy, and has a timeout.
//
// It does not depend on the content of requests.
package guard
