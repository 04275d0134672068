package conns

import (
	"net"
	"net/http"
	"time"
)

// phaseOf returns the phase of a connection.
func (t *Table) phaseOf(c *conn) phase {
	t.mu.Lock()
	defer t.mu.Unlock()
	return c.phase
}

// enter begins a phase. If too many connections write, another one is given up.
func (t *Table) enter(c *conn, next phase) {
	t.mu.Lock()
	if c.gone {
		t.mu.Unlock()
		return
	}
	t.leave(c)
	c.phase, c.since = next, time.Now()
	var victim *conn
	if next == writing {
		victim = t.tooMany(c.since)
		t.giveUp(victim)
		c.until = c.since.Add(c.left)
		c.site.writing++
		t.writers++
	}
	t.mu.Unlock()
	if victim != nil {
		t.limits.GivenUp(Stalled)
		victim.end()
	}
}

// tooMany returns the writing connection to give up for another one; nil for none. Clients that
// take an answer soon wait, too, so up to twice the limit only stalled ones are given up.
func (t *Table) tooMany(now time.Time) *conn {
	until := now
	switch {
	case t.writers < t.limits.Stalled:
		return nil
	case t.writers < 2*t.limits.Stalled:
		until = now.Add(-stall)
	}
	return t.first(amongWriting(now, until))
}

// state follows a connection of net/http.
func state(c net.Conn, s http.ConnState) {
	own, ok := c.(*conn)
	switch {
	case !ok:
	case s == http.StateActive:
		own.table.enter(own, busy)
	case s == http.StateIdle:
		own.table.enter(own, idle)
	}
}
