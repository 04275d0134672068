package doctor

import "github.com/rollcall-dev/rollcall/internal/ledger"

// owners reports a fault if the API needs an API key to start, and none was created yet. It warns if
// credentials are required and no API key belongs to the owner. Only a command on the machine can create
// an owner's API key. Admins of a tenant see only their tenant.
func (d *checkup) owners(c ledger.Condition) {
	switch {
	case c.Fault != nil || 0 < c.Schema && c.Schema < c.Known:
		return // the check of the schema reports it
	case !c.Keyed && d.cfg.OpenBy() != "":
		d.noKey()
	case c.Schema == 0:
		return // the check of the schema reports it
	case c.Owners > 0:
		d.report("owner", stateOK, "", "%d valid keys of the owner", c.Owners)
	case !c.Keyed && d.cfg.OIDC.Issuer == "":
		d.report("owner", stateOK, "", "no API keys yet: callers on this machine have the rights of the owner")
	default:
		d.report("owner", stateWarn, "create one: api keys create --role owner --name NAME",
			"credentials are required, and no valid key belongs to the owner: only the owner can see /ops/tenants, nodes, "+
				"metrics and the counts of all tenants, pause queues and limit tenants")
	}
}

// noKey reports a fault if the API needs an API key to start. The caller has checked that none was
// created yet.
func (d *checkup) noKey() {
	if open := d.cfg.OpenBy(); open != "" {
		d.report("owner", stateFail, "create the first key: api keys create --name NAME",
			"%s, and there is no API key yet: the API does not start", open)
	}
}
