package testenv

import (
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
)

// Ports are taken from below the range that systems give to outgoing
// connections, so that none of those takes the port of a server that is down
// for a moment. A cluster node also uses its port + busOffset.
const (
	firstPort = 11000
	portCount = 10000
	busOffset = 10000
)

// freePort returns a port that nobody listened on a moment ago. Another
// process may take it first: whoever uses it must be ready to ask again.
func freePort() (int, error) {
	for range 1000 {
		port := firstPort + rand.IntN(portCount)
		if isFree(port) && isFree(port+busOffset) {
			return port, nil
		}
	}
	return 0, errors.New("no free port found")
}

func isFree(port int) bool {
	l, err := net.Listen("tcp", address(port))
	if err != nil {
		return false
	}
	return l.Close() == nil
}

// answers reports whether somebody accepts connections on the port.
func answers(port int) bool {
	conn, err := net.DialTimeout("tcp", address(port), askWait)
	if err != nil {
		return false
	}
	return conn.Close() == nil
}

func address(port int) string {
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
}
