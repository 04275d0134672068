//go:build !linux

package conns

import "net"

// keepLittleUnsent does nothing, because it is implemented only for Linux. The kernel buffers more of a
// response.
func keepLittleUnsent(net.Conn) {}
