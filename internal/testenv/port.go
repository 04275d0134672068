package testenv

import (
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
	"sync/atomic"
)

// The ports of servers are below the range of outgoing connections, so that no outgoing connection takes the
// port of a stopped server. A cluster node also uses its port + busOffset.
const (
	firstPort = 11000
	portCount = 10000
	busOffset = 10000
)

// lastPort is the last port that this process has chosen, as an offset from firstPort, modulo portCount. It
// starts at a random number, so that two test processes rarely choose the same port.
var lastPort = func() *atomic.Int64 {
	n := new(atomic.Int64)
	n.Store(rand.Int64N(portCount))
	return n
}()

// freePort returns a port on which no process listens. It does not return a recently returned port again,
// because a stopped server of another test may start again. Another process may take the port before the
// caller uses it.
func freePort() (int, error) {
	for range portCount {
		port := firstPort + int(lastPort.Add(1)%portCount)
		if isFree(port) && isFree(port+busOffset) {
			return port, nil
		}
	}
	return 0, errors.New("no free port found")
}

// FreeAddr returns a loopback address with a port of [freePort].
func FreeAddr() (string, error) {
	port, err := freePort()
	return address(port), err
}

func isFree(port int) bool {
	l, err := net.Listen("tcp", address(port))
	if err != nil {
		return false
	}
	return l.Close() == nil
}

// accepts reports whether a server accepts connections on the port.
func accepts(port int) bool {
	conn, err := net.DialTimeout("tcp", address(port), askWait)
	if err != nil {
		return false
	}
	return conn.Close() == nil
}

func address(port int) string {
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
}
