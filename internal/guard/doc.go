// Package guard makes requests to addresses that strangers have given, such as
// webhooks.
//
// It promises that such a request reaches public addresses only: the address
// is looked at when the connection is made, after names were resolved, so a
// name that changes its mind between a check and its use gains nothing. It
// follows no redirect, asks no proxy, and ends in time.
//
// It knows nothing of what is sent.
package guard
