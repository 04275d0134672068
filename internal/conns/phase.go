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
	if victim := t.change(c, next); victim != nil {
		t.limits.GivenUp(Stalled)
		victim.end()
	}
}

// change notes a phase and returns the connection that is given up for it; nil for none.
func (t *Table) change(c *conn, next phase) (victim *conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c.gone {
		return nil
	}
	t.leave(c)
	c.phase = busy // so that c is not among those that write
	now := time.Now()
	if next == writing {
		victim = t.tooMany(now)
		t.giveUp(victim)
		c.until = now.Add(c.left)
		c.site.writing++
		t.writers++
	}
	c.phase, c.since = next, now
	return victim
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
