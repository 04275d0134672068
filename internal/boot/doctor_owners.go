package boot

import "github.com/rollcall-dev/rollcall/internal/ledger"

// owners checks that there is a key of the owner once credentials are asked for: no other makes
// such a key, and admins of tenants see nothing of the service.
func (d *doctor) owners(c ledger.Condition) {
	switch {
	case c.Schema != c.Known:
		return // told by schema
	case c.Owners > 0:
		d.finds("owner", stateOK, "", "%d keys of the owner", c.Owners)
	case !c.Keyed && d.cfg.OIDC.Issuer == "":
		d.finds("owner", stateOK, "", "no keys yet: callers from this machine are the owner")
	default:
		d.finds("owner", stateWarn, "make one: api keys create --role owner --name NAME",
			"credentials are asked for, and no key is the owner's: nobody sees /ops/tenants, nodes, metrics and the "+
				"counts of all tenants, pauses queues or sets limits")
	}
}
