// Package proxy finds the address of the client of a request that came through reverse
// proxies.
//
// Any client may send X-Forwarded-For or Forwarded. So an entry counts only if a trusted proxy
// added it. Both headers are read from the right, up to the first address that is not a trusted
// proxy. The text left of that address comes from the client.
//
// The package uses only net/http.
package proxy
