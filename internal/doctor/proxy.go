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
		d.report("proxies", stateOK, "", "no peer outside TRUSTED_PROXIES has forwarded requests in the last day")
		return
	}
	d.report("proxies", stateWarn,
		"if it is your proxy, add its address or network to TRUSTED_PROXIES; otherwise a client sent the header, which is ignored",
		"%s forwards requests (X-Forwarded-For, Forwarded), last at %s, but is not in TRUSTED_PROXIES: "+
			"all its clients count as one address", peer, c.ForwardedAt.UTC().Format(time.RFC3339))
}
