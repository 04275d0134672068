//go:build !linux

package conns

import "net"

// limitUnacknowledged does nothing on this system. A writer waits until the kernel ends the connection.
func limitUnacknowledged(*net.TCPConn) {}
