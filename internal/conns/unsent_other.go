//go:build !linux

package conns

import "net"

// keepLittleUnsent does nothing: the kernel buffers more of a response.
func keepLittleUnsent(net.Conn) {}
