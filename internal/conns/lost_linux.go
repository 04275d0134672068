package conns

import (
	"net"
	"syscall"
)

// userTimeout is TCP_USER_TIMEOUT, which package syscall lacks. Its unit is a millisecond.
const userTimeout = 0x12

// limitUnacknowledged makes the kernel end a connection whose data is not acknowledged.
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
