// Package proxy finds the address of the client of a request that came through reverse
// proxies.
//
// Any client may send X-Forwarded-For or Forwarded, so an entry counts only if a trusted proxy
// added it. Both headers are read from the right, up to the first address that is not a trusted
// proxy. The entries left of that address may come from the client, and are ignored.
//
// The package imports only the standard library.
package proxy
