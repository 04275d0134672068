package conns

import (
	"net"
	"syscall"
)

// unsent is the most bytes of a connection that the kernel buffers before it sends them. By default
// it buffers up to some MB, also for a client that reads nothing.
const unsent = 64 << 10

// notSentLowAt is TCP_NOTSENT_LOWAT, which package syscall lacks.
const notSentLowAt = 0x19

// keepLittleUnsent makes the kernel buffer little of a response, so that the progress of a write shows
// the progress of the client.
func keepLittleUnsent(c net.Conn) {
	tcp, ok := c.(*net.TCPConn)
	if !ok {
		return
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return // closed: the next read reports it
	}
	_ = raw.Control(func(fd uintptr) {
		// A kernel that refuses buffers more; the limits still hold.
		_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, notSentLowAt, unsent)
	})
}
