package boot

import (
	"context"
	"net/netip"
	"sync/atomic"
	"time"
)

// A process records a proxy that TRUSTED_PROXIES does not list at most once per forwarderEvery. It drops
// a record that takes longer than forwarderTimeout.
const (
	forwarderEvery   = time.Minute
	forwarderTimeout = 300 * time.Millisecond
)

// forwarder holds the time at which this process last recorded a forwarder: a peer that forwards requests,
// and that TRUSTED_PROXIES does not list. The command doctor reports the last recorded peer.
type forwarder struct {
	noted  atomic.Int64 // unix ms
	warned atomic.Bool
}

// onForwarded records the address of a proxy that TRUSTED_PROXIES does not list, at most once per
// forwarderEvery. The command doctor reports this address. onForwarded logs only the first such proxy.
func (a *app) onForwarded(ctx context.Context, peer netip.Addr) {
	now, last := time.Now().UnixMilli(), a.forwarder.noted.Load()
	if now-last < forwarderEvery.Milliseconds() || !a.forwarder.noted.CompareAndSwap(last, now) {
		return
	}
	if !a.forwarder.warned.Swap(true) {
		a.log.WarnContext(ctx, "a peer outside TRUSTED_PROXIES forwards requests: run doctor for the next step", "peer", peer)
	}
	ctx, cancel := context.WithTimeout(ctx, forwarderTimeout)
	defer cancel()
	if err := a.db.NoteForwarder(ctx, peer.String()); err != nil {
		a.log.DebugContext(ctx, "forwarding peer not recorded", "err", err)
	}
}
