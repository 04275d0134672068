package conns

import "time"

// giveUp removes a connection from the table to make room; nil is a no-op. After unlocking the
// table, the caller calls end.
func (t *Table) giveUp(c *conn) {
	if c != nil {
		t.take(c)
		c.ended = make(chan struct{})
	}
}

// end closes a connection removed by giveUp; nil is a no-op. net/http then reads and writes no
// more, and closes it again.
func (c *conn) end() {
	if c == nil {
		return
	}
	if c.phase == writing {
		c.forget()
	}
	_ = c.Conn.Close() // an error does not matter
}

// await waits until net/http has closed a connection removed by giveUp, at most for a time; nil is
// a no-op.
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
