package conns

// first returns the connection to give up first; nil if all stay.
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

// room returns the connection to give up for another one, nil if there is room. ok reports
// whether there is such a connection or room.
func (t *Table) room(c *conn) (victim *conn, ok bool) {
	switch {
	case c.client.IsValid() && t.clients[c.client] >= t.limits.PerAddress:
		victim = t.first(c.amongOwn)
	case len(t.all) < t.limits.Connections:
		return nil, true
	default:
		victim = t.first(t.amongAll(c))
	}
	return victim, victim != nil
}
