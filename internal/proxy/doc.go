// Package proxy finds the address of the client of a request that came through reverse
// proxies.
//
// Any client may send X-Forwarded-For or Forwarded. So an entry counts only if a trusted
// proxy added it: both headers are read from the right, up to the first address that is
// not a trusted proxy. What stands left of that address is the client's own text.
//
// The package knows net/http only.
package proxy
