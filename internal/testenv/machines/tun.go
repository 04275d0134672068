//go:build linux

package machines

import (
	"os"
	"syscall"
	"unsafe"
)

// request is the struct ifreq of Linux.
type request struct {
	name  [syscall.IFNAMSIZ]byte
	flags uint16
	_     [22]byte
}

// openTUN makes a device whose packets this process reads and writes. The kernel removes the device
// when the file is closed.
func openTUN(name string) (*os.File, error) {
	const flags = syscall.O_RDWR | syscall.O_NONBLOCK | syscall.O_CLOEXEC
	fd, err := syscall.Open("/dev/net/tun", flags, 0)
	if err != nil {
		return nil, err
	}
	r := request{flags: syscall.IFF_TUN | syscall.IFF_NO_PI}
	copy(r.name[:], name)
	_, _, code := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), syscall.TUNSETIFF, uintptr(unsafe.Pointer(&r)))
	if code != 0 {
		_ = syscall.Close(fd)
		return nil, code
	}
	return os.NewFile(uintptr(fd), name), nil
}
