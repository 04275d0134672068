package doctor

import "github.com/rollcall-dev/rollcall/internal/ledger"

// owners warns if credentials are required and no key belongs to the owner. Only a command on the
// machine makes such a key, and admins of a tenant see only that tenant.
func (d *checkup) owners(c ledger.Condition) {
	switch {
	case c.Schema != c.Known:
		return // the check of the schema reports it
	case c.Owners > 0:
		d.finds("owner", stateOK, "", "%d keys of the owner", c.Owners)
	case !c.Keyed && d.cfg.OIDC.Issuer == "":
		d.finds("owner", stateOK, "", "no keys yet: callers from this machine are the owner")
	default:
		d.finds("owner", stateWarn, "make one: api keys create --role owner --name NAME",
			"credentials are required, and no key is the owner's: only the owner sees /ops/tenants, nodes, metrics and "+
				"the counts of all tenants, pauses queues and sets what tenants are allowed")
	}
}
