package conns

import (
	"net"
	"time"
)

// lostAfter is how long the other end of a connection may leave data unacknowledged or probes unanswered.
const lostAfter = 15 * time.Second

// EndWhenLost makes a connection fail about 15 seconds after the machine at its other end, or the network
// to it, is lost. With the defaults of Go and Linux, a reader waits about 2.5 minutes and a writer 15
// minutes. If the other process is busy or stopped, its kernel still answers the probes. EndWhenLost has no effect on
// connections other than TCP. Outside Linux it has an effect on readers only.
func EndWhenLost(c net.Conn) {
	tcp, ok := c.(*net.TCPConn)
	if !ok {
		return
	}
	// After an error, the connection is closed, and the next read returns an error.
	_ = tcp.SetKeepAliveConfig(net.KeepAliveConfig{
		Enable: true, Idle: lostAfter / 3, Interval: lostAfter / 3, Count: 2,
	})
	limitUnacknowledged(tcp)
}
