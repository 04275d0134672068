package conns

import (
	"net"
	"syscall"
)

// unsent is the maximum number of unsent bytes that the kernel buffers for a connection. By default, the
// kernel buffers up to some MB, even for a client that reads nothing.
const unsent = 64 << 10

// notSentLowAt is the socket option TCP_NOTSENT_LOWAT, which package syscall defines only on
// some architectures.
const notSentLowAt = 0x19

// keepLittleUnsent makes the kernel buffer at most `unsent` bytes of a response. The progress of a write
// then shows the progress of the client.
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
		// The error is ignored: a kernel without this option only buffers more of a response.
		_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, notSentLowAt, unsent)
	})
}
