package conns

import (
	"net"
	"net/http"
	"time"
)

func (t *Table) phaseOf(c *conn) phase {
	t.mu.Lock()
	defer t.mu.Unlock()
	return c.phase
}

// enter starts a phase of a connection. If change returns another connection, enter closes that
// connection.
func (t *Table) enter(c *conn, next phase) {
	if victim := t.change(c, next); victim != nil {
		t.limits.GivenUp(Stalled)
		victim.end()
	}
}

// change sets the phase of a connection. If tooMany returns another connection, change removes that
// connection from the table and returns it. Otherwise, it returns nil.
func (t *Table) change(c *conn, next phase) (victim *conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c.gone {
		return nil
	}
	t.leave(c)
	c.phase = busy // excludes c from the writing connections
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

// tooMany returns the writing connection to close before another connection may write, or nil if there
// is room. While fewer than 2*limits.Stalled connections write, it returns only a connection whose write
// has made no progress for longer than `stall`. Shorter pauses also occur while a fast client reads.
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

// state sets the phase of a connection. It is the ConnState function of the server.
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
