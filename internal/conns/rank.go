package conns

import "time"

// rank orders connections for closing: the lowest class first, and within it the least time left.
type rank struct {
	class int
	left  time.Duration
}

// stays is the class of connections that stay open.
const stays = -1

// amongOwn ranks the connections of the client of a newcomer: idle before writing.
func (c *conn) amongOwn(other *conn) rank {
	if other.client != c.client || other.phase == busy {
		return rank{class: stays}
	}
	return rank{int(other.phase), other.timeLeft(c.since)}
}

// amongAll ranks all connections for a newcomer in a full table:
//
//  1. connections that are not busy, of the fullest site if it has clearly more than the
//     newcomer's site, else of the newcomer's site: no site grows at the cost of others;
//  2. idle, then writing connections of any site that are older than stall: many sites with one
//     connection each may hold the table;
//  3. busy connections of the fullest site, if it has clearly more;
//  4. idle, then writing connections that are younger: they had no time to send a request.
//
// A newcomer whose site has PerAddress connections cannot replace connections of 2 and 4.
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

// amongWriting ranks the connections that wait in a write by their remaining patience, which all
// waiting connections of a site share.
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

// timeLeft returns the remaining patience of a write. In other phases it returns the negative
// duration of the phase, so that the longest one ranks first.
func (c *conn) timeLeft(now time.Time) time.Duration {
	if c.phase == writing {
		return c.until.Sub(now)
	}
	return c.since.Sub(now)
}
