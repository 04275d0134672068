package conns

import "net/netip"

// share holds the number of connections of a site, and the number of its writing connections.
type share struct{ held, writing int }

// countUnder counts a connection under a client and its site.
func (t *Table) countUnder(c *conn, client netip.Addr) {
	at := Site(client)
	if t.sites[at] == nil {
		t.sites[at] = &share{}
	}
	c.client, c.site = client, t.sites[at]
	c.site.held++
	t.clients[client]++
}

// uncount undoes countUnder.
func (t *Table) uncount(c *conn) {
	if c.site.held--; c.site.held == 0 {
		delete(t.sites, Site(c.client))
	}
	if t.clients[c.client]--; t.clients[c.client] == 0 {
		delete(t.clients, c.client)
	}
}

// fullest returns the share of the site with the most connections, or nil if there is none. It ignores
// connections without a client.
func (t *Table) fullest() (most *share) {
	for at, one := range t.sites {
		if at.IsValid() && (most == nil || one.held > most.held) {
			most = one
		}
	}
	return most
}
