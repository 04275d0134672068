//go:build !linux

package conns

import "net"

// limitUnacknowledged does nothing: a writer waits for as long as the kernel does.
func limitUnacknowledged(*net.TCPConn) {}
