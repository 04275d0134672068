//go:build !linux

package conns

import "net"

// limitUnacknowledged does nothing, because it is implemented only for Linux. A writer waits until the kernel
// ends the connection.
func limitUnacknowledged(*net.TCPConn) {}
