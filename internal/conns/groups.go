package conns

import (
	"net/netip"
	"time"
)

// group are the connections of one client.
type group map[*conn]struct{}

// groups are connections by client.
type groups map[netip.Addr]group

func (g groups) add(c *conn) {
	if g[c.client] == nil {
		g[c.client] = group{}
	}
	g[c.client][c] = struct{}{}
}

func (g groups) remove(c *conn) {
	delete(g[c.client], c)
	if len(g[c.client]) == 0 {
		delete(g, c.client)
	}
}

// fullest returns the connections of the client that has the most. Connections of no client
// do not count.
func (g groups) fullest() group {
	var most group
	for client, one := range g {
		if client.IsValid() && len(one) > len(most) {
			most = one
		}
	}
	return most
}

// first returns the connection to give up first: one that is idle before one that writes
// before one that is busy, and of these the one that has been so for the longest time. It
// returns nil if all are in a later phase, or younger.
func (g group) first(last phase, until time.Time) (victim *conn) {
	for c := range g {
		switch {
		case c.phase > last || c.since.After(until):
		case victim == nil, c.phase < victim.phase,
			c.phase == victim.phase && c.since.Before(victim.since):
			victim = c
		}
	}
	return victim
}
