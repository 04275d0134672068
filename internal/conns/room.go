package conns

// first returns the connection with the lowest rank, or nil if no connection may be closed.
func (t *Table) first(rankOf func(*conn) rank) (victim *conn) {
	var least rank
	for c := range t.all {
		r := rankOf(c)
		if r.class == stays {
			continue
		}
		if victim == nil || r.class < least.class || r.class == least.class && r.left < least.left {
			victim, least = c, r
		}
	}
	return victim
}

// room returns the connection that must be closed to admit `c`, with the reason. If neither the client nor
// the table is at its limit, room returns nil and true. If a limit is reached and no connection can be
// closed, `ok` is false.
func (t *Table) room(c *conn) (victim *conn, why Reason, ok bool) {
	switch {
	case c.client.IsValid() && t.clients[c.client] >= t.limits.PerAddress:
		victim, why = t.first(c.amongOwn), ClientFull
	case len(t.all) < t.limits.Connections:
		return nil, "", true
	default:
		victim, why = t.first(t.amongAll(c)), TableFull
	}
	if victim == nil {
		return nil, Refused, false
	}
	return victim, why, true
}
