package conns

import "time"

// giveUp removes a connection from the table, to make room. With nil, it is a no-op. The caller must unlock
// the table and then call end.
func (t *Table) giveUp(c *conn) {
	if c != nil {
		t.take(c)
		c.ended = make(chan struct{})
	}
}

// end closes a connection that giveUp has removed. With nil, it is a no-op. The package net/http then stops
// using the connection, and closes it again.
func (c *conn) end() {
	if c == nil {
		return
	}
	if c.phase == writing {
		c.forget()
	}
	_ = c.Conn.Close() // an error does not matter
}

// await waits until net/http has closed a connection that giveUp has removed. With nil, it is a no-op. The
// argument `most` limits the wait.
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
