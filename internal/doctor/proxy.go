package doctor

import (
	"net/netip"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// forwarderAge is how long doctor warns of a peer after the last request that the peer forwarded.
const forwarderAge = 24 * time.Hour

// proxies warns if a peer outside TRUSTED_PROXIES forwards requests.
func (d *checkup) proxies(c ledger.Condition) {
	peer, err := netip.ParseAddr(c.Forwarder)
	if err != nil || time.Since(c.ForwardedAt) > forwarderAge || d.cfg.TrustedProxies().Has(peer) {
		d.report("proxies", stateOK, "", "no other peer than TRUSTED_PROXIES has forwarded requests in the last day")
		return
	}
	d.report("proxies", stateWarn,
		"if it is a proxy of yours, add its address or network to TRUSTED_PROXIES; if not, a client sends the header itself",
		"%s forwards requests (X-Forwarded-For, Forwarded), last at %s, and TRUSTED_PROXIES does not name it: "+
			"all its clients count as one address", peer, c.ForwardedAt.UTC().Format(time.RFC3339))
}
