package conns

import (
	"net"
	"syscall"
)

// userTimeout is the number of the socket option TCP_USER_TIMEOUT, whose value is in ms. Package syscall does
// not define it.
const userTimeout = 0x12

// limitUnacknowledged makes the kernel end a connection if sent data is not acknowledged within lostAfter.
func limitUnacknowledged(c *net.TCPConn) {
	raw, err := c.SyscallConn()
	if err != nil {
		return // closed: the next read reports it
	}
	_ = raw.Control(func(fd uintptr) {
		// If the kernel refuses the option, the connection ends later.
		_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, userTimeout, int(lostAfter.Milliseconds()))
	})
}
