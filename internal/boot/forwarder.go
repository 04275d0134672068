package boot

import (
	"context"
	"net/netip"
	"sync/atomic"
	"time"
)

// The interval at which a process records a forwarder, and the timeout of the record.
const (
	forwarderEvery   = time.Minute
	forwarderTimeout = 300 * time.Millisecond
)

// forwarder records for doctor that a peer forwards requests and is missing in TRUSTED_PROXIES.
type forwarder struct {
	noted  atomic.Int64 // unix ms
	warned atomic.Bool
}

// forwarded records a peer, at most once a minute, and logs the first one.
func (a *app) forwarded(ctx context.Context, peer netip.Addr) {
	now, last := time.Now().UnixMilli(), a.forwarder.noted.Load()
	if now-last < forwarderEvery.Milliseconds() || !a.forwarder.noted.CompareAndSwap(last, now) {
		return
	}
	if !a.forwarder.warned.Swap(true) {
		a.log.WarnContext(ctx, "a peer forwards requests, and TRUSTED_PROXIES does not name it", "peer", peer)
	}
	ctx, cancel := context.WithTimeout(ctx, forwarderTimeout)
	defer cancel()
	if err := a.db.NoteForwarder(ctx, peer.String()); err != nil {
		a.log.DebugContext(ctx, "forwarder not noted", "err", err)
	}
}
