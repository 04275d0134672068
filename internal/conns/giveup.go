package conns

import "time"

// giveUp takes a connection out of the table for another one; nil is left alone. Once the table
// is unlocked, call end.
func (t *Table) giveUp(c *conn) {
	if c != nil {
		t.take(c)
		c.ended = make(chan struct{})
	}
}

// end closes a connection that was given up; nil is left alone. net/http then reads and writes no
// more, and closes it once more.
func (c *conn) end() {
	if c == nil {
		return
	}
	if c.phase == writing {
		c.forget()
	}
	_ = c.Conn.Close() // whatever comes of it
}

// await waits until net/http has closed a connection that was given up, for a time at most; nil
// is not waited for.
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
