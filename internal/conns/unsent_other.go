//go:build !linux

package conns

import "net"

// keepLittleUnsent does nothing, because it is implemented only for Linux. The kernel therefore buffers
// more of a response than on Linux.
func keepLittleUnsent(net.Conn) {}
