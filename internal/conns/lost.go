package conns

import (
	"net"
	"time"
)

// lostAfter is how long the other end of a connection may fail to acknowledge data or to answer probes.
const lostAfter = 15 * time.Second

// EndWhenLost makes a connection fail about 15 seconds after the loss of the machine at its other
// end, or of the network to it. The defaults of Go and Linux are 2 minutes for a reader and 15
// minutes for a writer. The kernel of a busy or stopped server still answers the probes.
// EndWhenLost has no effect on connections other than TCP. Outside Linux it has an effect on
// readers only.
func EndWhenLost(c net.Conn) {
	tcp, ok := c.(*net.TCPConn)
	if !ok {
		return
	}
	// An error means that the connection is closed: the next read reports it.
	_ = tcp.SetKeepAliveConfig(net.KeepAliveConfig{
		Enable: true, Idle: lostAfter / 3, Interval: lostAfter / 3, Count: 2,
	})
	limitUnacknowledged(tcp)
}
