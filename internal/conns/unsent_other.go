//go:build !linux

package conns

import "net"

// keepLittleUnsent leaves a connection as it is: the kernel takes more of an answer ahead.
func keepLittleUnsent(net.Conn) {}
