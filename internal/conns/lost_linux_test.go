package conns

import (
	"net"
	"syscall"
	"testing"
)

// TestEndWhenLost_Connection_HasTheLimits reads the limits of a connection. The tests of `make
// deployments-test` lose a real machine.
func TestEndWhenLost_Connection_HasTheLimits(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	EndWhenLost(c)
	raw, err := c.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	want := map[int]int{
		userTimeout: 15_000, syscall.TCP_KEEPIDLE: 5, syscall.TCP_KEEPINTVL: 5, syscall.TCP_KEEPCNT: 2,
	}
	err = raw.Control(func(fd uintptr) {
		for option, value := range want {
			if got, err := syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, option); err != nil || got != value {
				t.Errorf("option %#x = %d (%v), want %d", option, got, err, value)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}
