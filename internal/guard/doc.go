// Package guard makes requests to addresses that untrusted users enter, such as the URLs of
// webhooks.
//
// Such a request reaches public addresses only, unless Options.AllowPrivate is set. The client
// checks the address of a connection after it has resolved the name, so a later change of the name
// has no effect. It follows no redirect, uses no proxy, and has a timeout.
//
// The package does not read the content of requests.
package guard
