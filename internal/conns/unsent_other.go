//go:build !linux

package conns

import "net"

// keepLittleUnsent does nothing on this system, so the kernel buffers more of a response.
func keepLittleUnsent(net.Conn) {}
