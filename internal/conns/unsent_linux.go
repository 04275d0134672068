package conns

import (
	"net"
	"syscall"
)

// unsent is how many bytes the kernel takes of a connection before it sends them. By default
// it takes up to some MB, and a client that reads nothing has them all.
const unsent = 64 << 10

// notSentLowAt is TCP_NOTSENT_LOWAT, which package syscall lacks.
const notSentLowAt = 0x19

// keepLittleUnsent has the kernel take little of an answer before the client takes it. So the
// progress of a write is that of the client.
func keepLittleUnsent(c net.Conn) {
	tcp, ok := c.(*net.TCPConn)
	if !ok {
		return
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return // closed: the next read says so
	}
	_ = raw.Control(func(fd uintptr) {
		// A kernel that refuses takes more, and the limits hold all the same.
		_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, notSentLowAt, unsent)
	})
}
