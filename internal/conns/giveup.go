package conns

import "time"

// giveUp removes a connection from the table, to make room. The caller must then unlock the table and call
// end. If the connection is nil, giveUp is a no-op.
func (t *Table) giveUp(c *conn) {
	if c != nil {
		t.take(c)
		c.ended = make(chan struct{})
	}
}

// end closes a connection that giveUp has removed. The package net/http then stops using the connection, and
// closes it again. If the connection is nil, end is a no-op.
func (c *conn) end() {
	if c == nil {
		return
	}
	if c.phase == writing {
		c.forget()
	}
	_ = c.Conn.Close() // an error does not matter
}

// await waits until net/http has closed a connection that giveUp has removed, or for the time `most`. If the
// connection is nil, await is a no-op.
func (c *conn) await(most time.Duration) {
	if c == nil {
		return
	}
	late := time.NewTimer(most)
	defer late.Stop()
	select {
	case <-c.ended:
	case <-late.C:
	}
}
