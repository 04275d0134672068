package conns

import "time"

// rank is the position of a connection in the order of closing. The connection with the lowest class is
// closed first; within a class, the connection with the least time left.
type rank struct {
	class int
	left  time.Duration
}

// stays is the class of connections that are not closed.
const stays = -1

// amongOwn returns the rank of `other` among the connections of the client of `c`. Idle connections
// come before writing connections. Busy connections are not closed.
func (c *conn) amongOwn(other *conn) rank {
	if other.client != c.client || other.phase == busy {
		return rank{class: stays}
	}
	return rank{int(other.phase), other.timeLeft(c.since)}
}

// amongAll returns a function that ranks the connections that may be closed for c, a new connection
// in a full table:
//
//  1. idle and then writing connections of the fullest site, if that site has at least two more
//     connections than the site of c; otherwise, of the site of c, so that no site grows at the cost
//     of others;
//  2. idle and then writing connections of any site that were idle or made no progress for longer than
//     stall: many sites with one connection each may fill the table;
//  3. busy connections of the fullest site, if it has at least two more;
//  4. the other idle and then writing connections: they had no time to send a request.
//
// If the site of c already has PerAddress connections, only 1 and 3 apply.
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

// amongWriting returns a function that ranks the writing connections without progress since the
// time `until`. The rank depends on timeLeft, divided by the number of writing connections of the
// site.
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

// timeLeft returns the time until the patience of a writing connection ends. For another phase, it
// returns the time since the phase began, as a negative number. So the connection that has been in its phase
// longest ranks first.
func (c *conn) timeLeft(now time.Time) time.Duration {
	if c.phase == writing {
		return c.until.Sub(now)
	}
	return c.since.Sub(now)
}
