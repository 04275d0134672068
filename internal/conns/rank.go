package conns

import "time"

// rank says how soon a connection is given up: those of the lowest class first, and of these the
// one with the least time left.
type rank struct {
	class int
	left  time.Duration
}

// stays is the class of connections that are not given up.
const stays = -1

// amongOwn ranks the connections of the client of a newcomer: idle before writing.
func (c *conn) amongOwn(other *conn) rank {
	if other.client != c.client || other.phase == busy {
		return rank{class: stays}
	}
	return rank{int(other.phase), other.timeLeft(c.since)}
}

// amongAll ranks all connections for a newcomer in a full table. The site that has clearly more
// than the newcomer's gives up what is not busy, or the newcomer's own site. So nobody grows at
// the cost of others. If there is no such connection, anybody's is given up, idle before
// writing, for many sites with one connection each may hold the table. A busy one of the fullest
// site goes before those that have had no time to send a request.
func (t *Table) amongAll(c *conn) func(*conn) rank {
	own, full := t.sites[Site(c.client)], t.fullest()
	held := 0
	if own != nil && c.client.IsValid() {
		held = own.held
	}
	more := full != nil && full.held > held+1
	if !more {
		full = own
	}
	return func(other *conn) rank {
		class := stays
		switch {
		case other.site == full && other.phase != busy && other.client.IsValid():
			class = int(other.phase)
		case other.phase == busy && other.site == full && more:
			class = 2 + int(busy)
		case other.phase == busy || held >= t.limits.PerAddress:
		case c.since.Sub(other.since) > stall:
			class = 2 + int(other.phase)
		default:
			class = 3 + int(busy) + int(other.phase)
		}
		return rank{class, other.timeLeft(c.since)}
	}
}

// amongWriting ranks the connections that wait in a write: by the patience that is left, of which
// all that wait of a site have one share together.
func amongWriting(now, until time.Time) func(*conn) rank {
	return func(c *conn) rank {
		if c.phase != writing || c.since.After(until) {
			return rank{class: stays}
		}
		sharers := 1
		if c.client.IsValid() {
			sharers = max(1, c.site.writing)
		}
		return rank{0, c.timeLeft(now) / time.Duration(sharers)}
	}
}

// timeLeft returns the patience that is left of a write; else it is the less the longer the phase
// has lasted.
func (c *conn) timeLeft(now time.Time) time.Duration {
	if c.phase == writing {
		return c.until.Sub(now)
	}
	return c.since.Sub(now)
}
